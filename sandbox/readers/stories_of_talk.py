"""Stories of talk: who went to whom, who was turned away, what was said, how they parted, and what became of ties."""

from __future__ import annotations

from sandbox.core.events import Event, Stamp
from sandbox.core.text import join_names
from sandbox.drama.friend_limit import Drifted
from sandbox.people.beliefs import FIRSTHAND
from sandbox.readers.facts import ActStage, MoodChange, SpeechTurn
from sandbox.readers.phrases import crossing, intent_clause, intent_words, opening, thought_of, tie_kinds
from sandbox.readers.story import (
    Block,
    DecisionText,
    MarkAndWeight,
    RuleBars,
    Story,
    Teller,
    WrappedText,
    ties_from_feelings,
    ties_from_relations,
)
from sandbox.readers.talks import TIE
from sandbox.society.town_model import HelpRound
from sandbox.talk.model import Closed, Declined, Exchanged, Opened

TURNED_AWAY = "/"  # mark of timeline rows
IN_ITS_TALK = "the row of its talk tells it, once that has ended"


def _opened(teller: Teller, e: Opened, stamp: Stamp) -> str:
    gist = teller.matters[e.aim].gist if e.aim in teller.matters else ""
    return opening(teller.handbook, stamp.actor, e.other, e.intent, gist)


def _chose_talk(teller: Teller, e: Opened) -> DecisionText:
    over = [WrappedText(f"also thought of {thought_of(teller.handbook, e.over)}", "dim", 9)] if e.over else []
    words = f"spoke to {teller.name(e.other)}: wanted {intent_words(teller.handbook, e.intent)}"
    return DecisionText(words, [*_at_stake(teller, e.aim), RuleBars(e.why), *over])


def _at_stake(teller: Teller, aim: str) -> list[Block]:
    """What a decision was about if it came of a pressure; empty if not."""
    m = teller.matters.get(aim)
    return [WrappedText(f"it was about {m.gist}", most=2)] if m is not None else []


def _declined(teller: Teller, e: Declined, stamp: Stamp) -> str:
    name, other = teller.name(stamp.actor), teller.name(e.other)
    text = f"{name} turned {other} away" if e.how == "refuse" else f"{name} had no time for {other}"
    came = intent_clause(teller.handbook, e.intent)
    text += f", {came}" if came else ""
    m = teller.matters.get(e.aim)
    if m is not None:
        return f"{text}: {m.gist}"
    against = min(e.why, key=lambda rule: rule.value, default=None)
    if e.how == "refuse" and against is not None and against.value < 0:
        text += f": {against.name}"
    return text


def _weigh_declined(teller: Teller, e: Declined, stamp: Stamp) -> MarkAndWeight:
    weight = teller.notable["declined.refuse" if e.how == "refuse" else "declined.deflect"]
    if e.aim:
        weight = max(weight, teller.notable["declined.pressed"])
    return MarkAndWeight(TURNED_AWAY, weight, e.aim)


def _chose_to_decline(teller: Teller, e: Declined) -> DecisionText:
    how = "turned {} away" if e.how == "refuse" else "had no time for {}"
    words = f"{how.format(teller.name(e.other))}, who wanted {intent_words(teller.handbook, e.intent)}"
    return DecisionText(words, [*_at_stake(teller, e.aim), RuleBars(e.why)])


def _exchanged(teller: Teller, e: Exchanged, stamp: Stamp) -> str:
    said = "; ".join(f'{teller.name(line.who)}: "{line.text}"' for line in e.lines if line.text)
    return said or f"{join_names([teller.name(line.who) for line in e.lines])}: a few words that nobody listens to"


def _speech(e: Exchanged, stamp: Stamp) -> list[SpeechTurn]:
    if not e.lines:
        return []
    first = e.lines[0].who
    two = first, next((line.who for line in e.lines if line.who != first), first)
    change = sum(abs(x) for shift in e.shifts for x in shift.delta)
    tone = sum(line.valence for line in e.lines) / len(e.lines)
    spoken = tuple(line for line in e.lines if line.text)
    return [SpeechTurn(e.talk, two, stamp.t, e.lead, spoken, change, tone, e.why if e.answer else ())]


def _absent(e: Exchanged) -> set[str]:
    there = {line.who for line in e.lines}.union(shift.who for shift in e.shifts)
    return {line.about for line in e.lines} - there - {""}


def _link(teller: Teller, e: Exchanged, stamp: Stamp) -> str:
    heard = [row for row in e.told if row.strength]
    if heard and heard[0].source not in FIRSTHAND:
        return f"{teller.name(heard[0].source)} told {teller.name(heard[0].who)}"
    who = [teller.name(who) for who in dict.fromkeys(line.who for line in e.lines)]
    return f"{' and '.join(who) or 'they'} talked"


def _drifted(teller: Teller, e: Drifted, stamp: Stamp) -> str:
    if crossed := _crossed(teller, e):
        first, *others = crossed
        return ", and ".join([first, *(text.removeprefix(f"{teller.name(stamp.actor)} ") for text in others)])
    less = [teller.name(r.v) for r in e.relations if r.closeness_delta]
    did = f"has less time for {join_names(less)}" if less else "was at home with their own"
    return f"{teller.name(stamp.actor)} {did}"


def _crossed(teller: Teller, e: Drifted) -> list[str]:
    """Ties that became another kind, in one sentence for all that changed alike."""
    alike: dict[tuple[str, str, str], list[str]] = {}
    for r in e.relations:
        alike.setdefault((teller.name(r.u), *tie_kinds(r)), []).append(teller.name(r.v))
    return [crossing(u, join_names(v), old, new) for (u, old, new), v in alike.items() if old != new]


def _helped(teller: Teller, e: HelpRound, stamp: Stamp) -> str:
    asked = join_names([f"{teller.name(x.asked)} by {teller.name(x.asker)}" for x in e.trials])
    helped = sum(x.trial.grant.accepted for x in e.trials)
    return f"Asked for help: {asked}; {helped} of {len(e.trials)} gave some"


STORIES: dict[type[Event], Story] = {
    Opened: Story(
        sentence=_opened,
        untold=IN_ITS_TALK,
        choice=_chose_talk,
        result=True,
        talk=lambda e: e.id,
        stages=lambda e, at: (ActStage(at.actor, "talking"), ActStage(e.other, "talking")),
        aftermath=lambda e: "talks",
    ),
    Declined: Story(
        sentence=_declined,
        weigh=_weigh_declined,
        sheet=lambda teller, e, clock: [RuleBars(e.why)],
        choice=_chose_to_decline,
        counts=lambda e: [("declined", 1), ("refusals", int(e.how == "refuse"))],
        aftermath=lambda e: "talks",
    ),
    Exchanged: Story(
        sentence=_exchanged,
        untold=IN_ITS_TALK,
        talk=lambda e: e.talk,
        speech=_speech,
        absent=_absent,
        moods=lambda e, at: [MoodChange(s.who, s.delta, s.after, s.why, s.sort) for s in e.shifts],
        ties=lambda e: ties_from_feelings(e.feelings),
        counts=lambda e: [("exchanges", 1)],
        link=_link,
    ),
    Closed: Story(
        sentence=lambda teller, e, at: f"{join_names([teller.name(who) for who in e.who])} talked about {e.gist}",
        untold=IN_ITS_TALK,
        talk=lambda e: e.talk,
        ties=lambda e: ties_from_relations(e.relations),
        counts=lambda e: [("talks", 1)],
        stages=lambda e, at: [ActStage(who, "talked") for who in e.who],
        link=lambda teller, e, at: f"{' and '.join(map(teller.name, e.who))} parted",
    ),
    Drifted: Story(
        sentence=_drifted,
        weigh=lambda teller, e, at: MarkAndWeight(TIE, teller.notable["tie.cool"]) if _crossed(teller, e) else None,
        about=lambda e: (r.v for r in e.relations if r.closeness_delta),
        ties=lambda e: ties_from_relations(e.relations),
    ),
    HelpRound: Story(
        sentence=_helped,
        untold="the talks in which it was asked tell it",
        about=lambda e: (who for x in e.trials for who in (x.asked, x.asker)),
    ),
}
