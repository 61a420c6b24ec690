"""The line book and what is made of it: every turn the engine can ask for can be said, and well."""

import re
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lived import Day
from msgspec.structs import replace

from sandbox.core.chance import Chance
from sandbox.core.faults import Faults
from sandbox.core.places import data_dir
from sandbox.engine.load_decks import read_drama
from sandbox.engine.scenario import Scenario
from sandbox.people.mood import Pad
from sandbox.people.persona import BigFive, Speech
from sandbox.people.played import SPOKEN
from sandbox.people.pressure_deck import COVER, PASS_ON, SHOWN, SPOKEN_OF, WARN
from sandbox.people.wording import add_opening, as_told, use_nicknames
from sandbox.phones.question_write import Write
from sandbox.talk.lines import CRITERIA, FILLED, FOLLOWED, INSTEAD, MOVES, REGISTERS, BookLine, LineBook
from sandbox.talk.move_rules import LEADS, ReplyFactors, reply_move
from sandbox.talk.saying import Said, Say
from sandbox.talk.speaker import Speaker

CHANCE = Chance(9)
ALWAYS = {
    "name": "Wilf",
    "place": "the bakery",
    "act": "kneading dough",
    "listener_act": "standing in a queue",
    "plan": "have lunch at the cafe",
}
MEMORY = {"recall": "saw Kit comparing suppliers at the bakery", "when": "just now"}
TOPIC = {"topic": "the mill wheel"}
# What `talk.content.about` gives a leading move to say.
GIVEN: dict[str, list[dict[str, str]]] = {
    "how_are_you": [{}],
    "ask_plans": [{}, {"topic": "quiz night"}],
    "compliment": [{}],
    "snap": [{}],
    "small_talk": [{}, TOPIC],
    "tease": [{}, TOPIC],
    "comfort": [{}, TOPIC],
    "ask_about": [TOPIC],
    "vent": [TOPIC, {**TOPIC, "why": ""}, {**TOPIC, "why": "it leaks"}],
    "worry": [TOPIC, {**TOPIC, "why": ""}, {**TOPIC, "why": "it leaks"}],
    "opinion": [{**TOPIC, "why": "it leaks"}],
    "share_news": [{**MEMORY, "topic": "Kit"}],
    "remember": [{**MEMORY, "topic": "Kit"}],
    "gossip": [{**MEMORY, "third": "Kit", "third_fact": "compared suppliers at the bakery"}],
    "mention_post": [{**TOPIC, "when": "just now"}],
    "my_news": [{"news": "I live in the box room now", "ago": "yesterday"}],
    "ask_after": [{"news": "you were turned down by Kit", "ago": "Sunday"}],
}


RUMOUR = {"rumour": "Otis has something against Mara: the oven, and being told so", "third": "Otis"}


EVEN = BigFive(0.0, 0.0, 0.0, 0.0, 0.0)


def replies(lead: str) -> set[str]:
    """The moves that can answer a lead."""
    ends = (-0.9, -0.3, 0.0, 0.3, 0.9)
    found = set()
    for n, (feeling, p, d) in enumerate(product(ends, ends, (-0.5, 0.5))):
        for closeness, third, opposed in product((0.0, 0.9), (0.0, 0.9), (0.0, 0.4, 0.9)):
            mind = ReplyFactors(feeling, closeness, Pad(p, 0.0, d), EVEN, third, opposed)
            for k in range(3):
                glad = mind._replace(glad=k == 2)  # of news, whether they are good for whom they are about
                found.add(reply_move(lead, glad, CHANCE.stream(1, "", "reply", 7 * n + k)))
    return found


def test_every_lead_is_given_something_to_say() -> None:
    assert set(GIVEN) == {*LEADS.values(), "comfort"}


def fresh(slots: dict[str, str]) -> list[dict[str, str]]:
    """What is known of a matter, less what cannot be told or has just been said."""
    gone = ((), ("matter",), ("cause",), ("matter", "cause"))
    return [{k: v for k, v in slots.items() if k not in some} for some in gone]


def turns() -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Every turn there can be: moves, and the slots the engine fills."""
    out: list[tuple[tuple[str, ...], dict[str, str]]] = []
    for lead, all_slots in GIVEN.items():
        for slots in all_slots:
            out += [((lead,), slots), (("greet", lead), slots)]
            for move in sorted(replies(lead)):
                for why in ({}, {"why": "it leaks"}):
                    given_ = {k: v for k, v in slots.items() if k != "why"} | why
                    if move == "remember":
                        given_.pop("recall", None)
                    out += [((move,), given_), (("greet", move), given_)]
    drama = read_drama([data_dir() / "drama.yaml"], Faults())
    matter = {"matter": "the oven, and being told so", "topic": "the oven, and being told so"}
    third = {**matter, "third": "Otis", "cause": "the oven broke in January and Otis laughed"}
    ways = {
        (way.do, way.to in ("other", "authority") or way.by == "knower")
        for kind in drama.kinds.values()
        for way in kind.ways
    }
    for do, of_another in sorted(ways):
        exchange = drama.exchanges[do]
        slots = third if of_another else matter
        said = [(exchange.move,), ("greet", exchange.move), *((move,) for move in exchange.replies.values())]
        telling = [(move,) for move in exchange.replies.values() if move in ("tell_what", "cover_up")]
        out += [(moves, slots) for moves in said]
        out += [(moves, {**slots, **RUMOUR}) for moves in telling]
    for move in (*FOLLOWED, *FOLLOWED.values()):
        out += [((move,), slots) for slots in (*fresh(matter), *fresh(third), {})]
    for why in ({}, {"why": "it leaks"}):
        out += [(("ask_on",), TOPIC), (("tell_on",), {**TOPIC, **why})]
    out += [((move,), {**MEMORY, "topic": "Kit"}) for move in ("answer_well", "answer_fine", "answer_low")]
    # what only shows has no cause
    for lead, slots in ((PASS_ON, {**RUMOUR, "cause": third["cause"]}), (PASS_ON, RUMOUR), (WARN, RUMOUR)):
        moves = [lead, *sorted(replies(lead)), *([COVER] if lead == WARN else [])]
        out += [(said, slots) for move in moves for said in ((move,), ("greet", move))]
    out += [((move,), third if move in SPOKEN_OF else matter) for move in SHOWN]
    for move in ("tell_post", *sorted(replies("tell_post"))):
        for why in ({}, {"why": "it leaks"}):
            read = {**TOPIC, "when": "just now", "third": "Kit"} | (why if move != "tell_post" else {})
            out += [((move,), read), (("greet", move), read)]
    out += [((move,), {}) for move in ("bye", "preclose")] + [(("preclose", "bye"), {})]
    return out


TURNS = turns()


@pytest.fixture(scope="module")
def speaker(larkspur: Scenario) -> Speaker:
    return Speaker(larkspur.lines)


def question(moves: tuple[str, ...], slots: dict[str, str], **more: object) -> Say:
    return Say("mara", 0, moves, slots={**ALWAYS, **slots}, **more)


def assert_well_said(said: Said, moves: tuple[str, ...]) -> None:
    text = said.text
    assert len(said.variants) in {1, len(moves)}  # a greeting falls away where the turn would be too long
    assert len(text) <= SPOKEN
    assert text
    assert not set("{}_") & set(text), text
    assert "  " not in text, text
    assert text == text.strip(), text
    first = text.lstrip("\"'…")[0]
    assert first.isupper() or not first.isalpha(), text
    assert text[-1] in ".!?…\"'", text
    for bad in (" ,", " .", ",,", ",.", "..", "!.", "?.", ".!", " at at ", " the the ", " to to ", "?,", "!,"):
        assert bad not in text, text


def test_who_has_much_to_say_does_not_greet_first(speaker: Speaker) -> None:
    for letters, moves in ((20, 2), (SPOKEN - 60, 1)):
        slots = {"rumour": "Mara " + "o" * letters, "third": "Mara"}
        said = speaker.say(question(("greet", PASS_ON), slots), Chance(1).stream(1, "mara", "say"))
        assert len(said.variants) == moves


@pytest.mark.parametrize(
    ("matter", "before_more", "at_the_end"),
    [
        ("a tale that is told", "a tale that is told", "a tale that is told"),
        ("a tale, and whoever told it", "a tale, and whoever told it,", "a tale, and whoever told it"),
        ("something flat, in paper", "something flat, in paper,", "something flat, in paper"),
        ("a rake, a pail and rope", "a rake, a pail and rope", "a rake, a pail and rope"),  # a list
    ],
)
def test_an_aside_in_what_is_named_ends_where_the_sentence_goes_on(
    matter: str, before_more: str, at_the_end: str
) -> None:
    say = "Not with {matter} on my chest. It is {matter}. And {matter}, too."
    book = Speaker(LineBook((BookLine("x", "vent", (say,)),), {}))
    said = book.say(question(("vent",), {"matter": matter}), Chance(1).stream(1, "mara", "say"))
    assert said.text == f"Not with {before_more} on my chest. It is {at_the_end}. And {at_the_end}, too."


def test_two_lines_of_one_id_are_both_said() -> None:
    lines = BookLine("x", "vent", ("Morning.",)), BookLine("x", "vent", ("Ahoy there!", "Well met."))
    found, _ = Speaker(LineBook(lines, {}))._weighed(question(("vent",), {}), "vent")
    assert [text for _, text in found] == ["Morning.", "Ahoy there!", "Well met."]


contexts = st.fixed_dictionaries(
    {key: st.sampled_from((*values, "")) for key, values in CRITERIA.items() if key not in ("trait", "stance")}
    | {"stance": st.sampled_from(("for", "against", "")), "sides": st.sampled_from(("same", "opposed", ""))}
)
unit = st.floats(-1, 1)


@given(
    contexts,
    st.sampled_from(REGISTERS),
    st.lists(st.sampled_from(("blunt", "proud", "generous", "shy", "curious")), max_size=3),
    st.tuples(unit, unit, unit),
    st.integers(0, 10**6),
)
def test_every_turn_can_be_said_by_everybody_in_any_state(
    speaker: Speaker, context: dict[str, str], voice: str, traits: list[str], pad: tuple[float, float, float], n: int
) -> None:
    for moves, slots in TURNS:
        q = question(moves, slots, voice=voice, context=context, traits=tuple(traits), pad=pad)
        assert_well_said(speaker.say(q, CHANCE.stream(1, "mara", "say", n)), moves)


@pytest.mark.parametrize("move", MOVES)
def test_every_move_has_a_line_for_every_register_without_criteria(larkspur: Scenario, move: str) -> None:
    lines = [line for line in larkspur.lines.lines if line.move == move and not line.when]
    assert any(not line.registers for line in lines)
    for register in REGISTERS:
        assert any(register in line.registers for line in lines), register


def test_lines_ask_for_nothing_the_engine_does_not_know(larkspur: Scenario) -> None:
    for line in larkspur.lines.lines:
        for key, values in line.when.items():
            assert key in CRITERIA, line.id
            allowed = larkspur.claims.kinds if key == "claim" else CRITERIA[key]
            assert not allowed or set(values) <= set(allowed), f"{line.id}: {key} {values}"


def test_the_book_is_as_large_as_promised(larkspur: Scenario) -> None:
    assert sum(len(line.say) for line in larkspur.lines.lines) >= 1000
    assert len(larkspur.lines.slots) >= 20
    assert len({line.id for line in larkspur.lines.lines}) == len(larkspur.lines.lines)


@given(st.sampled_from([t for t in TURNS if len(t[0]) == 1]), st.sampled_from(REGISTERS), st.integers(0, 999))
def test_what_was_just_said_is_not_said_again(speaker: Speaker, turn: tuple, voice: str, n: int) -> None:
    moves, slots = turn
    said: list[str] = []
    for k in range(3):
        q = question(moves, slots, voice=voice, avoid=dict.fromkeys(said, 0), now=60)
        said += speaker.say(q, CHANCE.stream(k, "mara", "say", n)).variants
    assert len(set(said)) == 3


@pytest.mark.parametrize("move", ["reassure", "agree", "disagree"])
def test_who_answers_seldom_says_once_more_what_it_is_about(speaker: Speaker, move: str) -> None:
    leads, answers = (
        sum(
            TOPIC["topic"] in speaker.say(question((move,), TOPIC, turn=turn), CHANCE.stream(1, "", "s", n)).text
            for n in range(60)
        )
        for turn in (2, 3)
    )
    assert 2 * answers < leads


def test_slots_say_what_they_are_given(speaker: Speaker) -> None:
    slots = {**MEMORY, "topic": "Kit"}
    texts = [speaker.say(question(("share_news",), slots), CHANCE.stream(1, "", "s", n)).text for n in range(40)]
    assert all("comparing suppliers at the bakery" in t for t in texts)
    assert len(set(texts)) > 5


def test_the_roused_exclaim_and_the_low_trail_off(speaker: Speaker) -> None:
    ends = {}
    for state, pad in {"roused": (0.3, 0.9, 0.0), "low": (-0.7, -0.3, 0.0), "plain": (0.0, 0.0, 0.0)}.items():
        q = question(("small_talk",), {}, pad=pad)
        ends[state] = {speaker.say(q, CHANCE.stream(1, "", "s", n)).text[-1] for n in range(60)}
    assert "." not in ends["roused"]
    assert "…" in ends["low"]
    assert "." not in ends["low"]
    assert "." in ends["plain"]


def test_what_a_day_asks_to_be_said_is_foreseen_here(spoken: Day) -> None:
    """GIVEN above is what the engine really fills, no more and no less."""
    foreseen = {(m[-1], frozenset(s)) for m, s in TURNS} | {("bye", frozenset())}
    for q, answer in spoken.heard:
        if isinstance(q, Say) and not isinstance(q, Write):
            assert set(q.slots) >= set(ALWAYS)
            assert all(q.slots[k] for k in ALWAYS)
            assert set(q.slots) <= set(FILLED)
            if "fact" not in q.context:
                assert (q.moves[-1], frozenset(set(q.slots) - set(ALWAYS))) in foreseen, q
            assert_well_said(answer, q.moves)


SPEECH = Speech(
    ("ahoy",), ("by my boots",), ("shipmate",), ("as the tide has it",), ("barnacles",), ("Bridges never ask.",)
)
HABITS = ("ahoy", "by my boots", "shipmate", "as the tide has it", "barnacles", "bridges never ask")


def lines_of(speaker: Speaker, move: str, slots: dict[str, str], **more: object) -> list[str]:
    q = question((move,), slots, speech=SPEECH, **more)
    return [speaker.say(q, CHANCE.stream(1, "", "s", n)).text for n in range(150)]


def test_habits_of_speech_are_heard_often_and_never_twice_at_the_edge_of_a_line(speaker: Speaker) -> None:
    texts = [t.lower() for t in lines_of(speaker, "small_talk", {})]
    with_habit = [t for t in texts if any(h in t for h in HABITS)]
    assert 0.25 < len(with_habit) / len(texts) < 0.95
    assert all(t.count("by my boots") <= 1 and t.count("shipmate") <= 1 for t in texts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("And nobody rang a bell.", "forty-one years, and nobody rang a bell."),
        ("And?", "forty-one years, and?"),
        ("I never saw it.", "forty-one years, and I never saw it."),
    ],
)
def test_a_habit_that_ends_as_a_line_begins_says_it_once(text: str, said: str) -> None:
    assert add_opening(text, "forty-one years, and") == said


def test_nobody_is_called_by_a_pet_word_in_anger_or_by_an_enemy(speaker: Speaker) -> None:
    assert any(", shipmate" in text for text in lines_of(speaker, "disagree", TOPIC))
    for context in ({"tie": "sour"}, {"mood": "angry"}):
        for text in lines_of(speaker, "disagree", TOPIC, context=context):
            assert ", shipmate" not in text


@pytest.mark.parametrize("move", ["bye", "preclose", "compliment", "tease", "thank", "comfort", "reassure"])
def test_nobody_speaks_to_the_listener_as_if_they_were_absent(larkspur: Scenario, move: str) -> None:
    """{name} is who is spoken to: they are called, and never told of."""
    absent = re.compile(r"\b(?:tell|told|ask|to|with|for|about|of|than|see) \{name\}|\{name\}(?:'s| is| has| will)\b")
    said = [text for line in larkspur.lines.lines if line.move == move for text in line.say]
    assert said
    assert [text for text in said if absent.search(text)] == []


def test_a_topic_stands_where_its_number_does_not_show(larkspur: Scenario) -> None:
    """It may be "the school bell", "eleven buckets" or "standing in a queue"."""
    verb = r"(?:is|isn't|was|wasn't|has|hasn't|does|doesn't|comes|goes|keeps|makes|wants|needs|looks|gets)\b"
    number = re.compile(rf"(?:^|[:,.] |and |but |only |say |that |since |often |before )\{{topic\}} {verb}", re.I)
    asked = re.compile(r"\b(?:is|was|has|does) \{topic\}(?=.*\?)", re.I)
    said = [text for line in larkspur.lines.lines for text in line.say]
    assert sum("{topic}" in text for text in said) > 50
    assert [text for text in said if number.search(text) or asked.search(text)] == []


@pytest.mark.parametrize("move", ["share_trouble", "complain_of"])
def test_who_brings_a_trouble_says_whom_it_is_about(larkspur: Scenario, move: str) -> None:
    said = [text for line in larkspur.lines.lines if line.move == move for text in line.say]
    assert said
    assert [text for text in said if "{third}" not in text and "{cause}" not in text] == []


def test_a_child_does_not_talk_like_the_grown(speaker: Speaker, larkspur: Scenario) -> None:
    own = {line.id for line in larkspur.lines.lines if line.when.get("age") == ("child",)}
    for move in ("greet", "small_talk", "react_news", "comfort", "bye"):
        q = question((move,), TOPIC, context={"age": "child"})
        said = [speaker.say(q, CHANCE.stream(1, "", "s", n)).variants[0] for n in range(30)]
        assert all(v.rpartition("#")[0] in own for v in said), move


def test_good_news_is_met_gladly_and_bad_with_regret(speaker: Speaker, larkspur: Scenario) -> None:
    for told in ("good", "bad", "worry", "love"):
        fitting = {line.id for line in larkspur.lines.lines if told in line.when.get("told", ())}
        for voice in REGISTERS:
            context = {"topic_kind": "rumour", "told": told, "tie": "friendly"}
            q = question(("react_gossip",), RUMOUR, context=context, voice=voice)
            said = [speaker.say(q, CHANCE.stream(1, "", "s", n)).variants[0] for n in range(30)]
            assert sum(v.rpartition("#")[0] in fitting for v in said) > 20, (told, voice)


def test_people_part_as_it_went_between_them(speaker: Speaker, larkspur: Scenario) -> None:
    for after in CRITERIA["after"]:
        fitting = {line.id for line in larkspur.lines.lines if after in line.when.get("after", ())}
        q = question(("bye",), {}, context={"after": after, "came": "true"})
        said = [speaker.say(q, CHANCE.stream(1, "", "s", n)).variants[0] for n in range(30)]
        assert all(v.rpartition("#")[0] in fitting for v in said), after


def test_a_book_without_lines_for_what_follows_says_the_like_instead(larkspur: Scenario) -> None:
    kept = tuple(line for line in larkspur.lines.lines if line.move != "ask_on")
    old = Speaker(LineBook(kept, larkspur.lines.slots))
    assert (
        old.say(question(("ask_on",), TOPIC), CHANCE.stream(1, "", "s", 0))
        .variants[0]
        .startswith(("ask_", "felt_", "more_"))
    )


def test_a_cause_is_told_by_the_one_it_is_about_as_their_own() -> None:
    cause = "Rufus moved the bicycle out of the rain, and then dropped it"
    assert as_told(cause, "Rufus", "Jory") == "I moved the bicycle out of the rain, and then dropped it"
    assert as_told(cause, "Jory", "Rufus") == "you moved the bicycle out of the rain, and then dropped it"
    assert as_told(cause, "Jory", "Una") == cause
    assert as_told("the town laughed at Jory", "Jory", "Una") == "the town laughed at me"
    word = "a word about Thea that Hettie had no business saying"
    assert as_told(word, "Thea", "Lev") == "a word about me that Hettie had no business saying"
    assert as_told(word, "Thea", "Hettie") == "a word about me that you had no business saying"
    assert as_told("Otis let the hour go by without paying Mara", "Mara", "Una") == (
        "Otis let the hour go by without paying me"
    )
    assert as_told("what Jory saw", "Jory", "Una") == "what I saw"
    assert as_told("Jory lives in the box room now", "Jory", "Una") == "I live in the box room now"
    assert as_told("The dented pan is Jory's now", "Jory", "Una") == "The dented pan is mine now"
    assert as_told("Jory's pan is Una's now", "Jory", "Una") == "my pan is yours now"
    assert as_told("what Jory thinks", "Jory", "Una") == "what I think"
    assert as_told("Jory no longer holds the pan", "Jory", "Una") == "I no longer hold the pan"
    assert as_told("Jory had set their heart on the pan, and has it", "Jory", "Una") == (
        "I had set my heart on the pan, and have it"
    )
    assert as_told("Jory owes Una the pan", "Jory", "Una") == "I owe you the pan"
    assert as_told("Jory owes Una the pan", "Una", "Jory") == "you owe me the pan"
    for odd in ("Jory said he would", "what Jory dreads"):
        assert as_told(odd, "Jory", "Una") == odd


@pytest.mark.parametrize(
    "did", ["got", "came", "went", "kept", "made", "saw", "found", "left", "lost", "won", "put", "sat", "felt"]
)
def test_what_one_did_is_told_in_the_first_person_and_to_who_did_it_in_the_second(did: str) -> None:
    for before in ("", "the day Otis and ", "what "):
        assert as_told(f"{before}Jory {did} it", "Jory", "Una") == f"{before}I {did} it"
        assert as_told(f"{before}Jory {did} it", "Una", "Jory") == f"{before}you {did} it"


def test_who_goes_on_in_a_sentence_goes_on_as_they_began_it() -> None:
    assert (
        as_told("Jory lives at the mill, and keeps the keys", "Jory", "Una") == "I live at the mill, and keep the keys"
    )
    assert as_told("Una lives at the mill now", "Jory", "Una") == "you live at the mill now"


def test_whom_one_calls_dad_is_dad_in_what_one_tells() -> None:
    assert (
        use_nicknames("Lev let Levin have a go at Lev's kite", {"Lev": "Dad"})
        == "Dad let Levin have a go at Dad's kite"
    )


def test_a_book_without_what_follows_and_what_is_new_still_has_bad_news_told_and_asked_on_about(
    larkspur: Scenario,
) -> None:
    """There is then no topic to ask about either."""
    few = tuple(
        line for line in larkspur.lines.lines if line.move not in INSTEAD or line.move in ("ask_about", "answer_about")
    )
    alone = Speaker(replace(larkspur.lines, lines=few))
    for move in ("my_news", "sorry_for", "ask_on", "tell_on"):
        said = alone.say(question((move,), {}), CHANCE.stream(1, "mara", "say", 3))
        assert said.text
