"""Judges of an experiment: which talks they get, and what is made of what they say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path

from sandbox.core.chance import Chance
from sandbox.lab.carryover import Talked
from sandbox.lab.experiment import Comparison
from sandbox.lab.judge_mind import JudgeCalls, Panel, read_judges
from sandbox.lab.judging import Case, Told, Version, Where, judge, matches
from sandbox.lab.material import Heard, hear
from sandbox.lab.rubrics import rubrics
from sandbox.lab.scores import Judgements, Judging, judgements
from sandbox.store.save import Save

CALLS = "judges.jsonl"
SEED = 20250213  # of what is drawn
Moved = Callable[[int, int], None]


async def judged(
    asked: Judging,
    pairs: Sequence[Comparison],
    saves: Mapping[tuple[str, int], Path],
    out: Path,
    ask: Collection[str],
    moved: Moved,
) -> Judgements:
    """Have the judges score what the saves hold. saves: of each (arm, seed) that is whole. ask: names of those
    who are asked what is not kept in the folder. Raises SaveError, LabFaults.
    """
    arms = {x for pair in pairs for x in (pair.arm, pair.against)}
    heard: dict[tuple[str, int], Heard] = {}
    for (arm, seed), path in saves.items():
        if arm in arms:
            async with await Save.open(path, read_only=True) as save:
                heard[arm, seed] = await hear(save)
    drawn = cases(pairs, heard, asked.pairs)
    calls = JudgeCalls(out / CALLS)
    models = read_judges(asked.judges)
    async with (panel := Panel(models, calls, ask)) as scorers:
        said = await judge(scorers, drawn, panel.together, moved)
    return judgements([m.name for m in models], pairs, said, calls.of)


def cases(pairs: Iterable[Comparison], heard: Mapping[tuple[str, int], Heard], most: int) -> list[Case]:
    """What is judged: of each seed and criterion as many matches as there are, at most `most`, drawn by a fixed seed;
    with a greater `most` those of the smaller are among them.
    """
    chance, out = Chance(SEED), []
    for pair in pairs:
        for seed in sorted({seed for _, seed in heard}):
            one, other = heard.get((pair.arm, seed)), heard.get((pair.against, seed))
            if one is None or other is None:
                continue
            for rubric in rubrics().values():
                found = matches(rubric, one.talks, other.talks)
                chance.stream(seed, f"{pair.arm}|{pair.against}", rubric.name).shuffle(found)
                for m in found[:most]:
                    where = Where(pair.arm, pair.against, seed, m.id)
                    people = tuple(one.people[who] for who in sorted(m.people.split("|")))
                    out.append(Case(where, rubric, people, _told(m.one, one), _told(m.other, other)))
    return out


def _told(talks: Iterable[Talked], heard: Heard) -> Version:
    return tuple(
        Told(
            f"{heard.clock.at(talk.t):%A}, {heard.clock.hhmm(talk.t)}",
            tuple((heard.people[who][0], text) for who, text in talk.lines),
        )
        for talk in talks
    )
