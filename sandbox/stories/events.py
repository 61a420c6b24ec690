"""Any event in a sentence. The timeline tells what is worth a line; here nothing is without words."""

from __future__ import annotations

from sandbox.core.events import Record
from sandbox.engine.inputs import Reseeded, StepSet
from sandbox.engine.scenario import Founded
from sandbox.people.causes import DONE_TO, OWN
from sandbox.people.handbook import Handbook
from sandbox.people.model import Chose, Cut, Felt, Needed, Noticed, Planned, Recalled, Reflected, Woke
from sandbox.stories import money
from sandbox.stories.phrases import listed, opening
from sandbox.stories.pressures import UNKNOWN, Matters, sentence
from sandbox.stories.timeline import rows
from sandbox.talk.model import Closed, Declined, Exchanged, Opened
from sandbox.town.model import Arrived, Placed, Stopped, Walked

MOST = 4  # of things listed


def told(record: Record, handbook: Handbook, matters: Matters = UNKNOWN) -> str:
    """What an event tells, as a sentence without full stop; never empty. matters: what pressures are about."""
    found = rows(record, handbook, None, matters)
    if found:
        return found[0].text
    of_money = money.sentence(record, handbook, matters)
    return of_money or sentence(record, handbook, matters) or _plain(record, handbook, matters)


def _plain(record: Record, handbook: Handbook, matters: Matters) -> str:
    """The words of an event that makes no row of the timeline."""
    e, name = record.event, handbook.name(record.stamp.actor)
    match e:
        case Founded():
            return "The town began"
        case StepSet():
            return f"From the next step on a step lasts {e.seconds} seconds"
        case Reseeded():
            return "From here on chance is another"
        case Placed():
            return f"{name} was there"
        case Walked():
            return f"{name} set out for {handbook.place(e.to)}"
        case Arrived():
            return f"{name} arrived"
        case Stopped():
            return f"{name} stopped on the way"
        case Woke():
            return f"{name} woke"
        case Planned():
            return f"{name} planned {e.why or 'the day'}: {_doings([b.do for b in e.blocks], handbook)}"
        case Cut():
            return f"{name} settled what to do: {_doings([i.do for i in e.items], handbook)}"
        case Chose() if e.there:
            return f"{name} began {handbook.doing(e.do)} {handbook.at(e.where)}"
        case Chose():
            return f"{name} went to {handbook.infinitive(e.block)} {handbook.at(e.where)}"
        case Noticed():
            seen = [f"{handbook.name(s.who)} {handbook.doing(s.do)}" for s in e.seen[:MOST]]
            return f"{name} saw {listed(seen)}"
        case Felt():
            was = "was " if e.sort in DONE_TO else ""
            return f"{name} {was}{e.why}" if was or e.sort in OWN else f"It moved {name}: {e.why}"
        case Recalled():
            n = len(e.ids)
            return f"{'A memory' if n == 1 else f'{n} memories'} came to {name}'s mind"
        case Needed():
            return f"{name}, {e.why}"
        case Reflected():
            return f"{name} looked back: {e.insights[0].text}" if e.insights else f"{name} looked back on the day"
        case _:
            return _talk(record, handbook, matters)


def _talk(record: Record, handbook: Handbook, matters: Matters) -> str:
    e, actor = record.event, record.stamp.actor
    match e:
        case Opened():
            return opening(handbook, actor, e.other, e.intent, matters[e.aim].gist if e.aim in matters else "")
        case Declined():
            return f"{handbook.name(actor)} did not talk with {handbook.name(e.other)}"
        case Exchanged():
            return "; ".join(f'{handbook.name(line.who)}: "{line.text}"' for line in e.lines)
        case Closed():
            return f"{listed([handbook.name(who) for who in e.who])} talked about {e.gist}"
        case _:
            return f"{handbook.name(actor) or 'The town'}: {e.KIND.replace('_', ' ')}"


def _doings(dos: list[str], handbook: Handbook) -> str:
    """Activities in order, each once."""
    named = list(dict.fromkeys(handbook.doing(do) for do in dos))
    rest = ["more"] if len(named) > MOST else []
    return listed([*named[:MOST], *rest]) or "nothing in particular"
