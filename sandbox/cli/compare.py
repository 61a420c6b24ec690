"""`sandbox compare`: where two saves diverge, and what differs at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from sandbox.cli.moments import SaveMoment, at_moment, check_in_save, clock_of, second_of
from sandbox.cli.options import JSON
from sandbox.cli.telling import align_columns, say_json, say_text, wait_for
from sandbox.core.plain import count_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sandbox.readers.branch_difference import EventLine
    from sandbox.readers.save_compare import Elsewhere, MoodApart, SaveComparison, TieApart
    from sandbox.readers.timeline import TimelineRow
    from sandbox.store.read import SaveReader

MOST = {"rows": 12, "claims": 12, "moods": 8, "ties": 8, "where": 12}  # how many are printed; JSON has all


@click.command()
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@at_moment('Compare at a step of A (780) or a time (12:40, "day 3 12:40"). Default: the end of the shorter save.')
@JSON
def compare(a: str, b: str, at: SaveMoment | None, as_json: bool) -> None:
    """Compare two saves of one town: where they diverge, and what differs at a moment that both have reached.

    A and B are branches of one another or of a third save, or any two saves of one world. The command prints first the
    acts of a player that only one of them has, and the first event that differs; then the notable rows of the timeline
    and the claims that only one has, the moods and the ties that differ most, and who is in another place.

    JSON is {"a", "b", "shared": {"step", "t", "time"} or null, "at": {"t", "time"}, "same", "acts", "first",
    "timeline", "claims", "moods", "ties", "where"}; values of the two saves stand under "a" and "b".

    \b
    Examples:
      sandbox compare week.db what-if.db
      sandbox compare week.db what-if.db --at "day 3 18:00" --json
    """
    from sandbox.readers.save_compare import compare_saves
    from sandbox.store.save import read_save

    async def look() -> SaveComparison:
        async with await read_save(a) as one, await read_save(b) as two:
            return await compare_saves(one, two, None if at is None else await _second(one, two, at))

    found = wait_for(look())
    if as_json:
        say_json({"a": a, "b": b, **as_facts(found)})
    else:
        _tell(a, b, found)


async def _second(a: SaveReader, b: SaveReader, at: SaveMoment) -> int:
    """The second of a moment in both saves. Raises BadParameter if one of them does not reach it."""
    t = await second_of(a, at)
    check_in_save(b, await clock_of(a), t)
    return t


# ---- for a script


def as_facts(comparison: SaveComparison) -> dict[str, Any]:
    """A comparison as the JSON that the command prints."""
    when = comparison.clock.words

    def event(x: EventLine | None) -> dict[str, Any] | None:
        if x is None:
            return None
        return {"step": x.step, "t": x.t, "time": when(x.t), "event": x.seq, "kind": x.kind, "text": x.text}

    def row(x: TimelineRow) -> dict[str, Any]:
        return {"t": x.t, "time": when(x.t), "event": x.seq, "text": x.text, "who": x.who, "weight": round(x.weight, 2)}

    def sides(values: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(("a", "b"), values, strict=True))

    shared = comparison.parting.shared
    moods = [
        {
            "who": m.who,
            "apart": round(m.apart, 3),
            **sides([{"word": w, "pad": [round(x, 3) for x in p]} for w, p in zip(m.words, m.moods, strict=True)]),
        }
        for m in comparison.moods
    ]
    ties = [
        {
            "who": x.who,
            "whom": x.whom,
            "apart": round(x.apart, 3),
            **sides(
                [{"kind": s.kind, "closeness": round(s.closeness, 3), "feeling": round(s.feeling, 3)} for s in x.stand]
            ),
        }
        for x in comparison.ties
    ]
    where = [
        {"who": x.who, **sides([{"where": p, "doing": d} for p, d in zip(x.places, x.doing, strict=True)])}
        for x in comparison.where
    ]
    return {
        "shared": None if shared is None else {"step": shared.step, "t": shared.t, "time": when(shared.t)},
        "at": {"t": comparison.t, "time": when(comparison.t)},
        "same": comparison.same,
        "acts": sides([[event(x) for x in acts] for acts in comparison.acts]),
        "first": sides([event(x) for x in comparison.first]),
        "timeline": sides([[row(x) for x in rows] for rows in comparison.rows]),
        "claims": sides([list(claims) for claims in comparison.claims]),
        "moods": moods,
        "ties": ties,
        "where": where,
    }


# ---- for a person


def _tell(a: str, b: str, comparison: SaveComparison) -> None:
    when = comparison.clock.words
    say_text(f"A  {a}\nB  {b}\n")
    shared = comparison.parting.shared
    if shared is None:
        say_text("They begin differently: they share nothing but the town.")
    else:
        say_text(f"They are the same up to step {shared.step:,}, {when(shared.t)}.")
    for side, acts in zip("AB", comparison.acts, strict=True):
        for x in acts:
            say_text(f"A player acted only in {side}, {when(x.t)}: {x.text}.")
    if comparison.first == (None, None):
        say_text(f"Nothing differs up to {when(comparison.t)}.")
    else:
        say_text("The first events that differ:")
        for side, first in zip("AB", comparison.first, strict=True):
            told = (
                "nothing more by then"
                if first is None
                else f"step {first.step:,}, {when(first.t)}:{first.t % 60:02d}  {first.text}"
            )
            say_text(f"  {side}  {told}")
    say_text(f"\nAt {when(comparison.t)}:")
    if comparison.same and not comparison.where:
        say_text("  nothing differs")
        return
    for title, values in (("notable rows", comparison.rows), ("claims", comparison.claims)):
        for side, mine in zip("AB", values, strict=True):
            _part(f"{title} only in {side}", [_line(comparison, x) for x in mine], MOST[title.split()[-1]])
    _table("moods", ("", "A", "B", "APART"), [_mood(m) for m in comparison.moods])
    _table("ties", ("", "A", "B", "APART"), [_tie(x) for x in comparison.ties])
    _table("where", ("", "A", "B"), [_place(x) for x in comparison.where])


def _line(comparison: SaveComparison, x: Any) -> str:
    return x if isinstance(x, str) else f"{comparison.clock.words(x.t)}  {x.text}"


def _part(title: str, lines: list[str], most: int) -> None:
    if not lines:
        return
    say_text(f"\n{title} ({len(lines):,})")
    for line in lines[:most]:
        say_text(f"  {line}")
    _rest(len(lines), most)


def _table(name: str, head: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    if not rows:
        return
    most = MOST[name]
    what = {"moods": "mood", "ties": "tie", "where": "person"}[name]
    words = f"{len(rows):,} people elsewhere" if name == "where" else f"{count_of(len(rows), what)} apart"
    say_text(f"\n{words}")
    say_text("\n".join(f"  {line}" for line in align_columns(head, rows[:most]).split("\n")))
    _rest(len(rows), most)


def _rest(count: int, most: int) -> None:
    if count > most:
        say_text(f"  and {count - most:,} more; --json has them all")


def _mood(m: MoodApart) -> tuple[str, ...]:
    return m.name, *(f"{w} ({p[0]:+.2f})" for w, p in zip(m.words, m.moods, strict=True)), f"{m.apart:.2f}"


def _tie(x: TieApart) -> tuple[str, ...]:
    return f"{x.names[0]} to {x.names[1]}", *(s.words for s in x.stand), f"{x.apart:.2f}"


def _place(x: Elsewhere) -> tuple[str, ...]:
    return x.name, *(f"{p}, {d}" for p, d in zip(x.places, x.doing, strict=True))
