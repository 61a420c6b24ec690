"""People at their phones, in a day of Larkspur: when they look, what they do, and what reading does to them."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from lived import Day, engine_of, log_of, run
from online import NOON, Online

from sandbox.core.clock import HOUR
from sandbox.core.events import Record, r6
from sandbox.engine.scenario import Scenario
from sandbox.feed.commands import OnFeed
from sandbox.feed.events import Browsed, Commented, Connected, Messaged, Posted, Quoted, Reacted, Reposted, Writing
from sandbox.people.memory_stream import Memory
from sandbox.people.mood import Pad
from sandbox.phones.acting import Task, put_all
from sandbox.phones.ideas import Idea, ideas, of_matter
from sandbox.phones.model import Read, RecentTurn
from sandbox.phones.question_write import Write, of_answer, of_idea
from sandbox.talk.content import spoken_mood
from sandbox.talk.saying import Said


@pytest.fixture(scope="module")
def log(day: Day) -> dict[int, Record]:
    return {r.stamp.seq: r for records in day.steps for r in records}


def test_a_day_has_all_that_one_does_with_a_phone(log: dict[int, Record]) -> None:
    done = {type(r.event) for r in log.values() if r.stamp.actor}
    assert {Browsed, Posted, Quoted, Commented, Messaged, Reacted, Connected} <= done
    assert Reposted in done or Quoted in done


def test_one_look_may_come_to_several_acts(log: dict[int, Record]) -> None:
    looks = {(r.stamp.step, r.stamp.actor) for r in log.values() if isinstance(r.event, Browsed)}
    acts: dict[tuple[int, str], set[type]] = defaultdict(set)
    for r in log.values():
        if (r.stamp.step, r.stamp.actor) in looks and isinstance(r.event, Writing | Reacted | Reposted | Connected):
            acts[r.stamp.step, r.stamp.actor].add(type(r.event))
    assert max(map(len, acts.values())) >= 3
    assert sum(len(kinds) >= 2 for kinds in acts.values()) >= 10


def test_all_look_by_day_and_hardly_anybody_at_night(day: Day, log: dict[int, Record]) -> None:
    looks = [r for r in log.values() if isinstance(r.event, Browsed)]
    assert len(looks) >= 5 * len(day.scenario.cast)
    night = Counter(day.world.clock.second_of_day(r.stamp.t) // HOUR in (2, 3) for r in looks)
    assert night[True] < night[False] / 50


def test_most_posts_cite_what_has_happened_before_and_nobody_writes_all_day(log: dict[int, Record]) -> None:
    posts = [(r, e.about) for r in log.values() if isinstance(e := r.event, Posted | Quoted) and e.about is not None]
    assert len(posts) >= 25
    for r, e in posts:
        assert e.cites == 0 or e.cites < r.stamp.seq
    assert sum(e.cites > 0 for _, e in posts) >= 0.6 * len(posts)
    assert max(Counter(e.cites for _, e in posts if e.cites).values()) <= 5
    assert max(Counter(r.stamp.actor for r, _ in posts).values()) <= 8


def test_what_is_read_is_believed_felt_and_sways(day: Day, log: dict[int, Record]) -> None:
    reads = [(r, e) for r in log.values() if isinstance(e := r.event, Read)]
    assert any(row.who == r.stamp.actor for r, e in reads for row in e.told)
    assert any(e.feelings for _, e in reads)
    sways = day.world.phone_parameters.sways
    swayed = [(x, log[r.stamp.causes[1]].event) for r, e in reads for x in e.swayed if r.stamp.causes[1] in log]
    assert swayed
    for x, read in swayed:
        assert isinstance(read, Writing)
        assert read.about is not None
        assert x.after == pytest.approx(r6(x.before + sways * (read.about.stance - x.before)), abs=2e-6)


def test_what_befell_several_is_told_by_one_of_them_in_these_words(larkspur: Scenario) -> None:
    s = Online(larkspur)
    for who in ("mara", "basil"):
        stream = s.world.memories.streams[who]
        stream.add(
            Memory(stream.count, "event", NOON - HOUR, NOON - HOUR, "was interrupted five times in an hour", (), 8, 1,
                   delta=(-0.4, 0.1, 0.0), form="deed")
        )  # fmt: skip
    assert any("interrupted" in idea.why for idea in ideas(s.world, "mara", NOON))
    s.post(None, "basil", text="Never again: I was interrupted five times in an hour.")
    assert not any("interrupted" in idea.why for idea in ideas(s.world, "mara", NOON))


@pytest.mark.parametrize(
    ("pleasure", "valence", "spoken"), [(0.8, 0.0, ""), (0.8, 0.5, "happy"), (-0.8, 0.5, ""), (-0.8, -0.5, "sad")]
)
def test_what_befell_one_is_told_in_the_words_of_a_mood_only_where_it_does_not_go_against_it(
    larkspur: Scenario, pleasure: float, valence: float, spoken: str
) -> None:
    """That something is up with a friend has nobody skip."""
    s = Online(larkspur)
    mood = s.world.people.residents["mara"].mood
    mood.pad = mood.rest = Pad(pleasure, 0.3 * pleasure, 0.3 * pleasure)
    own = spoken_mood(mood.pad)
    idea = Idea("news", "post_news", 0.5, "", {"recall": "saw it"}, 1, {}, {}, valence=valence)
    assert of_idea(s.world, "mara", idea, NOON, 0).context["mood"] == spoken
    small = idea._replace(slots={}, reason="small", move="post_small")
    assert of_idea(s.world, "mara", small, NOON, 0).context["mood"] == own


@pytest.mark.parametrize(
    ("did", "told"),
    [
        ("Basil asked me for time, and I gave it", "Basil asked me for time over a small loan, and I gave it"),
        ("was unkind to Hettie", "was unkind to Hettie over a small loan"),
        ("had it out with Basil, who gave in", "had it out with Basil, who gave in, and it was over a small loan"),
    ],
)
def test_what_a_deed_was_about_stands_with_the_deed(larkspur: Scenario, did: str, told: str) -> None:
    do = next(name for name, x in larkspur.drama.exchanges.items() if x.over)
    lately = RecentTurn(
        0, "p", "p", "debt", "", True, do, "ann", "ben", "ann", "ben", "a small loan, until Friday", False, False
    )
    assert of_matter(Online(larkspur).world, lately, did) == told


def test_what_a_player_has_somebody_write_is_read_as_theirs(larkspur: Scenario) -> None:
    engine = engine_of(larkspur)
    run(engine, 60)
    engine.do(OnFeed(by="mara", action="create_post", arguments={"text": "Basil is a liar and a thief, I hate him"}))
    run(engine, 120)
    records = [r for step in log_of(engine).steps for r in step]
    post = next(r for r in records if isinstance(r.event, Posted) and "a liar and a thief" in r.event.text)
    assert isinstance(post.event, Posted)
    assert post.event.about is not None
    assert (post.event.about.whom, post.stamp.actor) == ("basil", "mara")
    assert post.event.about.valence < 0
    reads = [r for r in records if isinstance(r.event, Read) and post.stamp.seq in r.stamp.causes]
    assert reads, "others take it in"


def test_the_town_reads_no_words_twice_a_day_and_nobody_sends_two_the_same_note(
    larkspur: Scenario, log: dict[int, Record]
) -> None:
    wrote = [(r.stamp, e, v) for r in log.values() if isinstance(e := r.event, Writing) for v in e.variants]
    posted = Counter(variant for _, e, variant in wrote if not isinstance(e, Messaged))
    assert sum(posted.values()) >= 100
    for variant in (variant for variant, times in posted.items() if times > 1):  # only where all there are have been
        entry = variant.partition("#")[0]
        (line,) = (x for x in larkspur.lines.lines if x.id == entry)
        assert {f"{entry}#{n}" for n in range(len(line.say))} <= posted.keys()
    assert max(Counter((stamp.step, stamp.actor, variant) for stamp, _, variant in wrote).values()) == 1


async def test_words_that_come_to_somebody_twice_at_once_are_looked_for_again(larkspur: Scenario) -> None:
    town = Online(larkspur)
    step, w = town.at(), town.world
    notes = [
        Task(
            "mara",
            of_answer(w, "mara", "message", "note_back", None, to, "", "", NOON, n),
            "message",
            "note_back",
            to=to,
        )
        for n, to in enumerate(("otis", "basil", "una"))
    ]
    asked: list[list[Write]] = []

    async def ask(questions: list[Write]) -> list[Said]:
        asked.append(questions)
        return [Said("Come by.", () if q.other == "una" else ("come_by#0",)) for q in questions]

    step.ask = ask  # type: ignore[assignment, method-assign]
    await put_all(step, w, notes)
    assert [[q.other for q in questions] for questions in asked] == [["otis", "basil", "una"], ["basil"]]
    assert asked[1][0].avoid["come_by#0"] == NOON, "by then it is known what has been said"
    assert [r.event.about.whom for r in step.records] == ["otis", "una", "basil"]  # type: ignore[attr-defined]
