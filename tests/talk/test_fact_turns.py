"""What people say of a matter is its facts: told once, asked for where they are not known, taken up by the answer."""

import re
from collections.abc import Iterator

import pytest
from lived import Day
from msgspec.structs import replace

from sandbox.core.events import Record
from sandbox.engine.scenario import Scenario
from sandbox.people.asking import make_interview
from sandbox.people.fact_forms import TENSES, Telling, forms_of, parse_statement
from sandbox.people.interview_rule import answer
from sandbox.people.matters import fact_forms, facts_known_to, knows_fact, matter_facts
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.pressure_model import ActivePressure, Began
from sandbox.people.ties import pair_key
from sandbox.talk.fact_turns import ORDINARY
from sandbox.talk.model import Exchanged


def exchanges(day: Day) -> Iterator[Exchanged]:
    records: list[Record] = [record for step in day.steps for record in step]
    return (r.event for r in records if isinstance(r.event, Exchanged) and len(r.event.lines) == 2)


def open_with_facts(day: Day) -> list[ActivePressure]:
    return [p for p in day.world.pressures.open.values() if matter_facts(day.world, p)]


def test_a_pair_hears_a_fact_once(day: Day) -> None:
    told: set[tuple[str, str]] = set()
    led = 0
    for e in exchanges(day):
        pair = pair_key(e.lines[0].who, e.lines[1].who)
        for fact in e.lines[0].facts:
            led += 1
            assert (pair, fact) not in told, (pair, fact)
        told |= {(pair, fact) for line in e.lines for fact in line.facts}
    assert led > 60


def test_an_answer_takes_up_the_fact_that_was_led_with(day: Day) -> None:
    both = [(e.lines[0].facts[0], e.lines[1].facts) for e in exchanges(day) if e.lines[0].facts and e.lines[1].facts]
    assert len(both) > 60
    assert all(answered[0] == led.removeprefix("?") for led, answered in both)


def test_ordinary_talk_tells_nothing_of_what_is_kept_quiet(day: Day) -> None:
    kinds = {r.event.id: r.event.kind for step in day.steps for r in step if isinstance(r.event, Began)}
    spoken = [e.lines[0].facts[0] for e in exchanges(day) if e.lead in ORDINARY and e.lines[0].facts]
    assert spoken
    assert {kinds[fact.removeprefix("?").partition("/")[0]] for fact in spoken}.isdisjoint(HUSHED | {"guilt"})


def test_whoever_was_told_a_fact_knows_it(day: Day) -> None:
    w, told = day.world, 0
    for e in exchanges(day):
        for line, other in (e.lines, e.lines[::-1]):
            for name in line.facts:
                matter, _, key = name.rpartition("/")
                p = w.pressures.open.get(matter)
                if p is not None and key in (facts := matter_facts(w, p)):
                    told += 1
                    assert knows_fact(w, p, facts[key], other.who)
    assert told


def test_somebody_asked_about_a_matter_tells_the_facts_they_know(day: Day) -> None:
    w = day.world
    p = next(p for p in open_with_facts(day) if p.kind not in HUSHED)
    facts = [fact_forms(w, p, fact, p.holder, "").fact for fact in facts_known_to(w, p, p.holder).values()]
    q = make_interview(w, p.holder, "What do you know of it?", w.now, matters=(p.id,))
    assert q.facts == tuple(facts)
    assert facts[0][1:] in answer(q, w.chance.stream(0, p.holder, "asked")).text


def test_a_stranger_to_a_matter_has_no_facts_to_tell(day: Day) -> None:
    w = day.world
    p = next(p for p in open_with_facts(day) if all(fact.known is not None for fact in matter_facts(w, p).values()))
    apart = [who for who in w.cast if not facts_known_to(w, p, who)]
    assert apart
    assert all(make_interview(w, who, "What is it?", w.now, matters=(p.id,)).facts == () for who in apart)


@pytest.mark.parametrize(("setting", "most"), [("on", 1.0), ("shuffled", 0.1), ("off", 0.0)])
def test_facts_can_be_shuffled_among_matters_or_left_away(
    day: Day, monkeypatch: pytest.MonkeyPatch, setting: str, most: float
) -> None:
    w = day.world
    of = {p.id: {fact.says for fact in matter_facts(w, p).values()} for p in open_with_facts(day)}
    monkeypatch.setattr(w, "pressure_parameters", replace(w.pressure_parameters, facts=setting))
    kept = [bool({x.says for x in matter_facts(w, w.pressures.open[id]).values()} & says) for id, says in of.items()]
    assert sum(kept) / len(kept) <= most  # two of one kind may say the same in a fact
    assert setting != "on" or all(kept)


def test_every_fact_that_ships_is_words_in_all_persons_and_tenses(larkspur: Scenario) -> None:
    people = {x: (x, x.capitalize(), "they") for x in (*(p.id for p in larkspur.cast), "holder", "about", "third")}
    words = {"place": "at the pump", "stakes": "the old wheel", "amount": "seven"}
    owners = (*larkspur.pressures, *larkspur.drama.children.values())
    statements = [text for x in owners for fact in x.facts.values() for text in fact.says]
    assert len(statements) > 1000
    odd = re.compile(r"[\[\]{}]|  | ,|\b(?:I is|you is|they is|I has|he have|she have)\b")
    for text in statements:
        assert parse_statement(text)
        for me, you in (("holder", "about"), ("about", "holder"), ("", "")):
            for tense in TENSES:
                said = forms_of(text, tense, Telling(me, you, people, words))
                assert not [form for form in said if odd.search(form)], text
