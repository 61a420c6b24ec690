"""Public apology for a public matter: if accepted, it is settled for all who read it; if refused, it shames twice."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.core.protocols import Step
from sandbox.drama.consequences import PressureDeed, move_pressure
from sandbox.people.mood_events import Appraisal, express
from sandbox.people.pressure_deck import Effect, gist
from sandbox.people.pressure_rules import intensity_at
from sandbox.phones.deck import RULE_POSTS
from sandbox.phones.ideas import Idea, features_towards
from sandbox.phones.model import HasPhones, Written
from sandbox.phones.question_use import weighted_sum
from sandbox.phones.rule_form import (
    Guess,
    Hooks,
    feelings_for_event,
    record_crossing_by_reading,
    ripe,
    rule_to_begin,
    wrote_of_matter,
)

NAME = "apology"
SORRY = "apologise"  # the exchange whose answer weights decide
PUBLIC = 2  # number of others who believe it for it to be public
SWAYS = 0.35  # spread of chance in the answer
SETTLED = 0.05  # change in feeling of readers for an author whose apology was accepted
SHAME = 0.9  # strength of the shame of being refused in public
WORSE = 0.1  # added intensity of the guilt then


def public(w: HasPhones, matter: str, two: tuple[str, str]) -> bool:
    """Whether a matter is public: enough others believe it, or somebody wrote about it."""
    others = sum(matter in held for who, held in w.beliefs.held.items() if who not in two)
    return others >= PUBLIC or any(x.matter == matter for x in w.phones.written.values())


def ideas(w: HasPhones, me: str, t: int) -> Iterator[Idea]:
    """Apologies that somebody owes."""
    for p in w.pressures.open.values():
        if p.holder != me or p.kind != "guilt" or not p.about:
            continue
        of_it = (p.id, *(x.id for x in w.pressures.open.values() if x.thread == p.thread))
        known = any(public(w, matter, (me, p.about)) for matter in of_it) or me in w.phones.piles
        rule = rule_to_begin(w, NAME, p.id, t)
        if rule is None or not known:
            continue
        yield Idea(
            NAME, RULE_POSTS[NAME], intensity_at(p, t, w.pressure_parameters), gist(p.stakes),
            {"third": w.handbook.name(p.about), "matter": gist(p.stakes)}, p.last,
            features_towards(w, me, p.about, t, p),
            {"topic_kind": "pressure", "pressure": p.kind, "stage": str(p.stage)}, matter=p.id, fact=p.id,
            says=(me, p.about, "", 0), whom=p.about, valence=0.1, rule=NAME, why=p.cause,
        )  # fmt: skip


def read(step: Step, w: HasPhones, me: str, written: Written, seq: int, guess: Guess | None) -> None:
    """The wronged one accepts or refuses; other readers consider an accepted one settled."""
    p = w.pressures.open.get(written.matter)
    if written.move != RULE_POSTS[NAME]:
        return
    if me != written.whom:
        _others(step, w, me, written, seq)
        return
    if p is None or p.holder != written.author or ripe(w, NAME, f"{me} {written.number}", step.now) is None:
        return
    exchange = w.drama.exchanges.get(SORRY)
    way = next((y for y in w.drama.kinds[p.kind].ways if y.do == SORRY), None)
    if exchange is None or way is None:
        return
    t = step.now
    score = (
        weighted_sum(exchange.answer, features_towards(w, me, written.author, t, p))
        + SWAYS * step.chance(p.id, "answer").normal()
    )
    what = "taken it" if score >= 0 else "not taken it"
    cause = record_crossing_by_reading(step, w, NAME, me, written, seq, what=f"{gist(p.stakes)}, and {what}")
    if score >= 0:
        move_pressure(step, w, PressureDeed(p, way.accept, written.author, me, SORRY, "accept"), cause)
    else:
        effect = Effect(by=WORSE, stage=2, target=-0.05)
        move_pressure(step, w, PressureDeed(p, effect, written.author, me, SORRY, "refuse"), cause)
        why = f"was refused by {w.handbook.name(me)} before everybody"
        express(step, w, written.author, Appraisal("shame", SHAME, why, me, "deed"), t, cause)


def _others(step: Step, w: HasPhones, me: str, written: Written, seq: int) -> None:
    """A reader who sees that the apology was accepted thinks better of its author."""
    fired = w.phones.fired.get(NAME, {})
    settled = any(e.matter == written.matter and e.how and e.good for e in w.phones.lately.values())
    if not settled or f"{written.whom} {written.number}" not in fired:
        return
    if ripe(w, NAME, f"{me} {written.number}", step.now) is None:
        return
    why = f"has read how {w.handbook.name(written.author)} put it right with {w.handbook.name(written.whom)}"
    feelings = feelings_for_event(w, me, written.author, SETTLED, why)
    what = f"{written.topic}, and taken it as settled"
    record_crossing_by_reading(step, w, NAME, me, written, seq, what=what, feelings=feelings)


HOOKS = Hooks(NAME, ideas, wrote_of_matter, read)
