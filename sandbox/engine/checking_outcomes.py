"""What the occasions of a foreign scenario decide."""

from __future__ import annotations

from sandbox.core.faults import quoted
from sandbox.engine.checking_decks import fits
from sandbox.engine.claims import known, need, within
from sandbox.engine.drama_words import BORN, needs
from sandbox.engine.load_outcomes import SENTENCES, SIDES, VOTE
from sandbox.engine.scenario import Scenario
from sandbox.people.persona import BigFive
from sandbox.people.pressures.waiting import SETTLED
from sandbox.town.plan import Decision, Occasion


def check_decision(c: Occasion, d: Decision, s: Scenario) -> None:
    """Check that a decision of an occasion can be made in a world of this scenario."""
    known((d.kind,), SENTENCES, "kind of decision")
    need(0 <= d.at < c.to - c.from_, f"the occasion {quoted(c.id)} decides at an odd hour")
    known(d.who, c.who, f"person at {c.id}:")
    within(d.least, 1, max(1, len(d.who)), "the number of people that a decision needs")
    need(d.who, f"nobody takes part in {quoted(c.id)}")
    need(d.kind != VOTE or c.on, f"the vote {quoted(c.id)} has no date")
    slots = {name: words for _, name, words in SENTENCES[d.kind]}
    known(d.says, slots, "sentence")
    need(set(slots) - set(d.says) <= {"tie"}, f"a sentence of {quoted(c.id)} is missing")
    for name, texts in d.says.items():
        need(texts, f"a sentence of {quoted(c.id)} is missing")
        for text in texts:
            fits(text, slots[name])
    known((d.judge,) if d.judge else (), c.who, f"person at {c.id}:")
    known((d.trait,) if d.trait else (), BigFive.__struct_fields__, "trait")
    known(d.skill, d.who, f"entrant of {c.id}:")
    within(max(d.skill.values(), key=abs, default=0.0), -1, 1, "a skill")
    kinds = {x.id: x.kind for x in s.pressures}
    known((*d.settles, *d.sways), kinds, "pressure")
    known((kinds[x] for x in d.settles), SETTLED, "kind of pressure that is settled so:")
    wants = SIDES if d.kind == VOTE else (*d.who, "")
    known((*d.settles.values(), *d.sways.values()), wants, "side")
    for name in d.children:
        known((name,), s.drama.children, "child")
        known(sorted(needs(s.drama.children[name])), {*BORN, "place"}, f"part for {name}:")
    for kind, ends in SETTLED.items():
        if kind in s.drama.kinds:
            known(ends, s.drama.kinds[kind].ends, f"ending of {kind}")
