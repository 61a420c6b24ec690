"""Interviews: what somebody from outside is told rests on what the person knows, and asking changes nothing."""

from __future__ import annotations

import asyncio
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day, again, founding
from msgspec.structs import replace

from sandbox.core.clock import DAY
from sandbox.core.text import spelt
from sandbox.engine.briefing import ask_person
from sandbox.engine.world import World
from sandbox.minds.embedded import EmbeddedMind
from sandbox.people.asking import BELIEFS, LETTERS, MEMORIES, clean_question, make_interview
from sandbox.people.asking_life import life, of_them
from sandbox.people.interview_question import AnswerWriter, Interviewed, Recollection
from sandbox.people.memory_columns import Form
from sandbox.people.memory_stream import Memory
from sandbox.people.mood import MoodMark
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.people.question_mood import DescribeMood
from sandbox.people.ties import Tie, TieCause
from sandbox.people.wording import memory_sentence, myself

ASKS = (
    "How are you?", "Why do you feel like that?", "What do you think of {other}?", "What did you do today?",
    "What happened with {other}?", "What are your plans?", "What will you do tomorrow?",
    "What have you heard of {other}?",
    "What do you think about the meadow?", "What worries you?", "Who are you?", "What do you like?", "Hello!",
    "Is the moon made of cheese?",
)  # fmt: skip
RESTING = (
    "What do you think of {other}?", "What did you do today?", "What happened with {other}?",
    "What have you heard of {other}?", "What do you think about the meadow?",
)  # fmt: skip
SECRETS = ("Do you have a secret?", "What are you hiding from {other}?")
HOSTILE = "\x1b[31mHow\x07 are [bold]you[/]\u202e?\n" + "a" * 5000


@cache
def mind_of(w: World) -> EmbeddedMind:
    return EmbeddedMind(w.chance, w.scenario.lines)


def answered(w: World, who: str, text: str, n: int = 0) -> Interviewed:
    return asyncio.run(ask_person(w, mind_of(w), who, text, w.now, n))


def everybody(w: World) -> list[tuple[str, str]]:
    """Each with one other, whom they are asked about."""
    people = [*w.cast]
    return [*zip(people, [*people[1:], people[0]], strict=True)]


def some(w: World) -> list[tuple[str, str]]:
    return everybody(w)[::4]


@pytest.mark.parametrize("text", [*ASKS, *SECRETS])
def test_people_answer_in_a_few_sentences_without_a_number(day: Day, text: str) -> None:
    w = day.world
    for who, other in some(w):
        said = answered(w, who, text.format(other=w.cast[other].first))
        assert said.text
        assert len(said.text) < 600
        assert said.text[0].isupper()
        assert said.text[-1] in ".?!"
        assert not re.search(r"\d|[{}]|  ", said.text)
        assert len(re.findall(r"[.?!] [A-Z]", said.text)) < 6


@pytest.mark.parametrize("text", RESTING)
def test_what_an_answer_rests_on_is_remembered_and_told(day: Day, text: str) -> None:
    w = day.world
    rests = 0
    for who, other in everybody(w):
        said = answered(w, who, text.format(other=w.cast[other].first))
        memories = [w.memories.streams[who].node(id) for id in said.memories]
        assert None not in memories
        for m in memories:
            assert m is not None
            about = [w.handbook.name(p) for p in m.about]
            calls = w.cast[who].speech.calls
            assert all(name in said.text or any(c in said.text for c in calls.values()) for name in about[:1])
        rests += len(memories)
    assert rests > 5


def test_nothing_changes_by_being_asked(day: Day) -> None:
    w = day.world
    before = w.snapshot()
    touched = {who: [m.last for m in s] for who, s in w.memories.streams.items()}
    for who, other in some(w):
        answered(w, who, f"What happened with {w.cast[other].first} yesterday?")
    assert w.snapshot() == before
    assert touched == {who: [m.last for m in s] for who, s in w.memories.streams.items()}


def test_the_same_is_answered_to_the_same_and_it_need_not_bore(day: Day) -> None:
    w = day.world
    assert answered(w, "mara", ASKS[0]) == answered(w, "mara", ASKS[0])
    assert len({answered(w, "mara", ASKS[0], n).text for n in range(12)}) > 3
    assert len({answered(w, who, ASKS[0]).text for who in w.cast}) > len(w.cast) // 2


@pytest.mark.slow
def test_secrets_are_kept(day: Day) -> None:
    w = day.world
    for who, p in w.cast.items():
        for text in (*SECRETS, *ASKS):
            said = answered(w, who, text.format(other="Una"))
            assert not any(secret in said.text for secret in p.secrets)


def test_what_one_hides_is_in_no_question(day: Day) -> None:
    w = World.found(founding(day.scenario))
    for record in again([r for step in day.steps[:240] for r in step]):
        w.apply(record)
    hidden = [p for p in w.pressures.open.values() if p.kind in HUSHED]
    assert len(hidden) >= 3
    for p in hidden:
        q = make_interview(w, p.holder, SECRETS[0], 240 * 60)
        assert not any(gist(p.stakes) in text for text in (*q.believes, q.pressed))


def test_the_question_holds_only_what_the_person_knows_and_is_bounded(day: Day) -> None:
    w = day.world
    for who, other in some(w):
        q = make_interview(w, who, f"What do you think of {w.cast[other].first}?", w.now)
        assert q.about == (other,)
        assert len(q.memories) <= MEMORIES
        assert len(q.believes) == len(q.heard) <= BELIEFS
        stream = w.memories.streams[who]
        assert all((m := stream.node(r.id)) is not None and m.t <= w.now for r in q.memories)
        words = sum(len(x.split()) for x in (*(m.text for m in q.memories), *q.believes, q.plan, q.ask))
        assert words < 450  # about 600 tokens


def test_a_day_that_is_asked_for_is_the_day_that_is_told(day: Day) -> None:
    w = day.world
    for who in w.cast:
        for m in make_interview(w, who, "What did you do yesterday?", w.now).memories:
            assert w.clock.day(w.memories.streams[who][0].t) <= w.clock.day(w.now) - 1
            assert m.day == 1


def test_who_does_not_live_here_is_nobody_and_what_is_not_known_is_not_made_up(day: Day) -> None:
    w = day.world
    for who in w.cast:
        assert "Bob" in answered(w, who, "What do you think of Bob?").text
        said = answered(w, who, "Is zirconium heavier than palladium?")
        assert not said.memories


def test_the_mood_that_is_told_is_the_mood(day: Day) -> None:
    w = day.world
    mind = EmbeddedMind(w.chance, w.scenario.lines)
    q = make_interview(w, "mara", "How are you?", w.now)
    assert isinstance(q.felt, DescribeMood)
    for label, word in (("Anger", "angry|cross|short of patience"), ("Sadness", "low|down|grey")):
        felt = replace(q.felt, labels=(label,), causes=("slept badly", "the sight of Otis"), sorts=("deed", "event"))
        said = asyncio.run(mind.answer([replace(q, felt=felt)], w.step))[0]
        assert isinstance(said, Interviewed)
        assert re.search(word, said.text)
        assert "I slept badly" in said.text or "slept badly" in said.text
        assert "the sight of Otis" in said.text


@given(st.text(max_size=400))
def test_anything_may_be_asked(day: Day, text: str) -> None:
    assert len(clean_question(text)) <= LETTERS
    assert answered(day.world, "ivo", text).text


def test_a_hostile_question_is_words_and_nothing_else(day: Day) -> None:
    q = make_interview(day.world, "mara", HOSTILE, day.world.now)
    assert q.ask.startswith("How are [bold]you[/]? aaaa")
    assert len(q.ask) == LETTERS
    assert answered(day.world, "mara", HOSTILE).text


# ---- a memory in its owner's mouth


@pytest.mark.parametrize(
    ("kind", "form", "text", "said"),
    [
        ("event", "deed", "saw Hugo feeding the ducks", "I saw Hugo feeding the ducks"),
        ("event", "hearing", "heard Noor out: asked me straight out, who told the truth",
         "Noor asked me straight out, and I told the truth"),
        ("event", "deed", "complained to Basil, who calmed them", "I complained to Basil, who calmed me"),
        ("event", "deed", "brought Saskia what was owed, who took it",
         "I brought Saskia what was owed, and Saskia took it"),
        ("event", "deed", "has got the better of Ivo", "I have got the better of Ivo"),
        ("event", "outcome", "saw it settled: Ivo has won the ham, with Mara a spelling behind",
         "It was settled that Ivo has won the ham, with me a spelling behind"),
        ("chat", "", "talked with Otis about Mara's bread", "I talked with Otis about my bread"),
        ("thought", "", "time with Jory is never wasted", "Time with Jory is never wasted"),
    ],
)  # fmt: skip
def test_a_memory_is_told_as_ones_own(kind: str, form: Form, text: str, said: str) -> None:
    assert memory_sentence(Memory(0, kind, 0, 0, text, (), 1, 1, form=form), "Mara") == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mara owes Otis: sixty-two", "I owe Otis: sixty-two"),
        ("Otis owes Mara", "Otis owes me"),
        ("Otis has Mara on the conscience", "Otis has me on the conscience"),
        ("Mara and Otis had it out at the square", "Otis and I had it out at the square"),
        ("Marabou is a bird", "Marabou is a bird"),
        ("Mara no longer holds the pan", "I no longer hold the pan"),
        ("Mara is no longer mayor", "I am no longer mayor"),
        ("me and Otis have fallen out", "Otis and I have fallen out"),
        ("Mara had set their heart on the pan", "I had set my heart on the pan"),
        (
            "Mara lost to Bo's snail, and has been seen with a watch",
            "I lost to Bo's snail, and have been seen with a watch",
        ),
        ("Mara cannot sleep, has a bicycle, and goes home late", "I cannot sleep, have a bicycle, and go home late"),
        ("Mara told Bo, who is ill, and has a cold", "I told Bo, who is ill, and has a cold"),
        ("Bo asked Mara, and has told nobody", "Bo asked me, and has told nobody"),
    ],
)
def test_what_is_believed_is_told_as_ones_own(text: str, said: str) -> None:
    assert myself(text, "Mara") == said


LIFE = (
    "What do you want most?", "What do you owe, and to whom?", "Does anybody owe you anything?",
    "Whom do you like best?", "Whom can you not stand?", "What has changed in your life?",
    "Where do you live?", "Where do you work?",
    "Are you in love?", "How much money have you got?", "What are you doing?", "Why do you like {other}?",
)  # fmt: skip


def test_what_one_owes_and_is_owed_is_told_as_it_is(day: Day, monkeypatch: pytest.MonkeyPatch) -> None:
    w = day.world
    debts = [p for p in w.pressures.open.values() if p.kind == "debt"]
    for p in [p for p in w.pressures.open.values() if p.about and p not in debts][:2]:
        debt = replace(p, kind="debt", stakes="thirty coins for the roof", known_by=(p.about,))
        monkeypatch.setitem(w.pressures.open, p.id, debt)
        debts.append(debt)
    assert len(debts) >= 2
    for p in debts:
        owing = [x for x in debts if x.holder == p.holder]
        said = answered(w, p.holder, "What do you owe, and to whom?").text
        assert any(w.handbook.name(x.about) in said for x in owing)
        assert any(gist(x.stakes) in said for x in owing)
        said = answered(w, p.about, "Does anybody owe you anything?").text
        assert any(w.handbook.name(x.holder) in said for x in debts if x.about == p.about)
    free = next(x for x in w.cast if x not in {p.holder for p in debts})
    assert not any(gist(p.stakes) in answered(w, free, "What do you owe?").text for p in debts)


def test_whom_one_likes_best_and_why_is_by_the_tie_and_what_moved_it(day: Day) -> None:
    w = day.world
    for who in w.cast:
        ties = w.people.ties.get(who, {})
        best = max(ties, key=lambda x: (ties[x].feeling, x), default="")
        found = life(w, who, (best,), w.now) if best else {}
        liked = [w.cast[x].first for x in ties if ties[x].feeling > 0]
        assert all(any(name in text for name in liked) for text in found.get("best", ()))
        if best and found.get(f"why {w.cast[best].first}"):
            said = answered(w, who, f"Why do you like {w.cast[best].first}?").text
            assert any(text.rstrip(".")[-20:] in said for text in found[f"why {w.cast[best].first}"])


@pytest.mark.parametrize("text", LIFE)
def test_of_ones_life_nothing_is_told_that_one_hides(day: Day, text: str) -> None:
    w = day.world
    hidden = [p for p in w.pressures.open.values() if p.kind in HUSHED]
    for p in hidden:
        said = answered(w, p.holder, text.format(other=w.cast[p.about].first if p.about else "Mara")).text
        assert gist(p.stakes) not in said


def test_what_has_ended_of_what_one_hides_is_no_news_of_ones_life(day: Day) -> None:
    w, mood = day.world, day.world.people.residents["mara"].mood
    kept = list(mood.marks)
    try:
        shown, hidden = (
            MoodMark(0.3, 0.0, 0.0, w.now - 60, 7, "Mara won the ham", DAY, kind="contest"),
            MoodMark(-0.3, 0.0, 0.0, w.now - 30, 8, "Mara has stopped hoping for Kit", DAY, kind="crush"),
        )
        mood.marks[:] = [shown, hidden]
        assert life(w, "mara", (), w.now)["changed"][0].endswith("I won the ham")
        assert not any("Kit" in text for text in life(w, "mara", (), w.now)["changed"])
    finally:
        mood.marks[:] = kept


@pytest.mark.parametrize(
    "text",
    ["What does Otis want?", "Is Otis poor?", "Does Kit owe Quentin anything?", "What has changed with Otis?"],
)
def test_of_somebody_elses_life_nobody_answers_with_their_own(day: Day, text: str) -> None:
    w = day.world
    own = {answered(w, "mara", x, n).text for n in range(9) for x in LIFE[:6] if "{" not in x}
    assert not any(answered(w, "mara", text, n).text in own for n in range(9))
    coins = spelt(w.people.residents["mara"].purse.coins)
    assert coins not in answered(w, "mara", text).text


@pytest.mark.parametrize("text", ["Which place do you like most?", "Did you see the rich man?"])
def test_words_of_a_life_in_another_question_are_not_taken_for_one_of_it(day: Day, text: str) -> None:
    w = day.world
    assert spelt(w.people.residents["mara"].purse.coins) not in answered(w, "mara", text).text
    assert "If I must name anybody" not in answered(w, "mara", text).text


def test_whoever_sleeps_is_asleep_and_who_is_paid_nothing_works_nowhere(day: Day) -> None:
    w = day.world
    for who, p in w.cast.items():
        found = life(w, who, (), w.now)
        assert ("work" in found) == bool(p.work)
        if not w.people.residents[who].awake:
            assert found["now"] == ("asleep",)


@pytest.mark.parametrize(
    ("why", "liked", "said"),
    [
        ("asked them for a loan", False, "Otis asked me for a loan"),
        ("heard from Otis: it rains", False, "I heard from Otis: it rains"),
        ("two hours of colour a week", False, "what stands between us is two hours of colour a week"),
        ("somebody who has had enough", True, "what brought us together was somebody who has had enough"),
        ("Otis took Mara's side", True, "Otis took my side"),
        ("took Lev's side: two hours of colour", False, "I took Lev's side: two hours of colour"),
        ("had a message from Otis", True, "I had a message from Otis"),
        ("was written of by Otis", False, "I was written of by Otis"),
        ("has less time for Otis", False, "I have less time for Otis"),
    ],
)
def test_what_moved_a_tie_is_told_by_who_did_what(why: str, liked: bool, said: str) -> None:
    assert of_them(why, "Otis", "Mara", liked) == said


def test_where_one_lives_and_what_one_has_is_what_is_so(day: Day) -> None:
    w = day.world
    for who, p in w.cast.items():
        assert w.handbook.place(p.home) in answered(w, who, "Where do you live?").text
        coins = spelt(w.people.residents[who].purse.coins)
        assert coins.lower() in answered(w, who, "How much money have you got?").text.lower()


def test_who_is_paid_nothing_says_so_and_who_they_are(day: Day) -> None:
    w = day.world
    idle = [who for who, p in w.cast.items() if not p.work]
    assert idle
    for who, p in w.cast.items():
        assert p.first in answered(w, who, "Who are you?").text
        assert "Nobody pays me" in answered(w, who, "Where do you work?").text or who not in idle


@pytest.mark.parametrize("text", ["Did you steal the xylophone?", "What happened at the regatta?"])
def test_of_a_thing_they_have_nothing_to_do_with_people_tell_no_other(day: Day, text: str) -> None:
    for who in day.world.cast:
        assert answered(day.world, who, text).memories == ()


def test_a_weekday_is_the_last_there_was(day: Day) -> None:
    w = day.world
    named = f"{w.clock.at(w.now):%A}"
    for who in w.cast:
        q = make_interview(w, who, f"What happened on {named.lower()}?", w.now)
        assert {m.day for m in q.memories} <= {0}


def of_whom_one_is_asked(w: World, who: str, other: str) -> set[str]:
    return {answered(w, who, f"What do you think of {w.cast[other].first}?", n).text for n in range(12)}


NO_VIEW = re.compile(r"neither mind|strong views|nod to each other")


@pytest.mark.parametrize("how", ["moved far", "mark", "matter"])
def test_nobody_is_without_a_view_of_whom_they_have_felt_much_for_or_have_a_matter_with(day: Day, how: str) -> None:
    """A marriage that broke in the morning: what was felt before and what that did to it come to nothing."""
    w = World.found(founding(day.scenario))
    known = {(p.holder, p.about) for p in w.pressures.open.values()}
    who, other = next((a, b) for a, b in everybody(w) if not w.people.ties[a].get(b) and not {(a, b), (b, a)} & known)
    tie = w.people.ties[who][other] = Tie(0.5, 0.05, 0, causes=[TieCause("feeling", 0.05, 0, 1, "talked about tea")])
    assert any(NO_VIEW.search(text) for text in of_whom_one_is_asked(w, who, other))
    if how == "moved far":
        tie.causes = [TieCause("feeling", x, 0, n, "so") for n, x in enumerate((0.6, -0.55))]
    elif how == "mark":
        w.people.residents[who].mood.marks.append(MoodMark(-0.3, 0.0, 0.0, 0, 9, "it is over", DAY, whom=other))
    else:
        p = next(p for p in day.world.pressures.open.values() if p.kind not in HUSHED)
        w.pressures.open["between"] = replace(p, id="between", holder=who, about=other)
    assert not any(NO_VIEW.search(text) for text in of_whom_one_is_asked(w, who, other))


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("Next time I shall ask Una first", "next time I shall ask Una first"),
        ("Things weigh less after Una", "things weigh less after Una"),
        ("Una's word is good", "Una's word is good"), ("I was wrong", "I was wrong"), ("I'm tired", "I'm tired"),
        ("Mill House is cold", "Mill House is cold"), ("Monday, again", "Monday, again"),
        ("Today I lost", "today I lost"), ("Larkspur feels smaller", "Larkspur feels smaller"),
        ("March was cold", "March was cold"), ("Nobody asked", "nobody asked"), ("Mum was right", "Mum was right"),
        ("The meadow will be missed", "the meadow will be missed"),
    ],
)  # fmt: skip
def test_a_thought_within_a_sentence_begins_small_but_for_names_and_i(day: Day, text: str, inside: str) -> None:
    q = replace(make_interview(day.world, "mara", "What do you think of Una?", day.world.now))
    thought = Recollection(5, "thought", text, ("otis",), 5, 0.0, "", when="today")
    assert AnswerWriter(q, day.world.chance.stream(1, "mara", "asked")).said(thought) == inside
