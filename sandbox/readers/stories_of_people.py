"""Stories of a person's own life (waking, planning, acting, seeing, feeling, needing, reflecting), of where people are,
and of who comes to town or leaves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sandbox.core.clock import DAY, Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.plain import count_of
from sandbox.core.text import join_names
from sandbox.people.guest_handlers import Came, Left, SetOff
from sandbox.people.handbook import Handbook
from sandbox.people.mark_habits import habit_words, mark_of
from sandbox.people.mark_model import Marked
from sandbox.people.model import Chose, Cut, Felt, Insight, Needed, Noticed, Planned, Recalled, Reflected, Woke
from sandbox.people.mood import DONE_TO, OWN, Pad
from sandbox.people.mood_words import MARKS
from sandbox.readers.facts import ActStage, MoodChange, TieShift
from sandbox.readers.phrases import before, mood_turn_sentence
from sandbox.readers.story import (
    Block,
    DecisionText,
    MarkAndWeight,
    SingleLine,
    Story,
    Teller,
    TonedText,
    WrappedText,
    does,
    stage,
)
from sandbox.readers.talks import weight_of_turn
from sandbox.town.model import Arrived, Placed, Stopped, Walked

WAKE, ASLEEP, CHANGED, THOUGHT = "'", "z", ">", ":"  # marks of timeline rows
MOST = 4  # things listed at most
SHOWN = "the map shows it"

# ---- plans and acts


def _planned(teller: Teller, e: Planned, stamp: Stamp) -> str:
    if _told(e):
        return f"{teller.name(stamp.actor)} changed plans: {e.why}"
    doings = _doings([b.do for b in e.blocks], teller.handbook)
    return f"{teller.name(stamp.actor)} planned {e.why or 'the day'}: {doings}"


def _told(e: Planned) -> bool:
    """Whether a change of plans is news: a plan to look for somebody is not, as an earlier event said so."""
    return bool(e.upset) and not any(b.whom for b in e.blocks)


def _plan(teller: Teller, e: Planned, clock: Clock) -> Sequence[Block]:
    handbook = teller.handbook
    return [
        SingleLine(
            (
                TonedText(f"  {clock.hhmm(b.start)} ", "dim"),
                TonedText(f"{handbook.doing(b.do)} {handbook.at(b.where)}"),
                TonedText(f", {b.why}" if b.why else "", "dim"),
            )
        )
        for b in e.blocks
    ]


def _chose_plan(teller: Teller, e: Planned) -> DecisionText:
    ahead = ", then ".join(dict.fromkeys(teller.handbook.doing(b.do) for b in e.blocks))
    return DecisionText(f"changed plans: {e.why}" if e.upset else "planned the day", [WrappedText(ahead, most=2)])


def _doings(dos: Sequence[str], handbook: Handbook) -> str:
    """Activities as a list in words, each once, at most MOST."""
    named = list(dict.fromkeys(handbook.doing(do) for do in dos))
    rest = ["more"] if len(named) > MOST else []
    return join_names([*named[:MOST], *rest]) or "nothing in particular"


def _cut(teller: Teller, e: Cut, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} settled what to do: {_doings([i.do for i in e.items], teller.handbook)}"


def _pieces(teller: Teller, e: Cut, clock: Clock) -> Sequence[Block]:
    return [SingleLine((TonedText(f"{teller.handbook.doing(i.do)}, {i.minutes} min"),)) for i in e.items]


def _chose(teller: Teller, e: Chose, stamp: Stamp) -> str:
    name, handbook = teller.name(stamp.actor), teller.handbook
    if e.block == "sleep":
        return f"{name} was asleep" if e.there else f"{name} went to bed"
    if e.there:
        return f"{name} began {handbook.doing(e.do)} {handbook.at(e.where)}"
    return f"{name} went to {handbook.infinitive(e.block)} {handbook.at(e.where)}"


def _weigh_act(teller: Teller, e: Chose, stamp: Stamp) -> MarkAndWeight | None:
    return MarkAndWeight(ASLEEP, teller.notable["day.bed"]) if e.block == "sleep" and not e.there else None


# ---- seeing and feeling


def _noticed(teller: Teller, e: Noticed, stamp: Stamp) -> str:
    seen = [f"{teller.name(s.who)} {teller.handbook.doing(s.do)}" for s in e.seen[:MOST]]
    return f"{teller.name(stamp.actor)} saw {join_names(seen)}"


def _felt(teller: Teller, e: Felt, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    text, _ = mood_turn_sentence(name, before(e.after, e.delta), Pad(*e.after), e.why, e.sort)
    was = "was " if e.sort in DONE_TO else ""
    return text or (f"{name} {was}{e.why}" if was or e.sort in OWN else f"It moved {name}: {e.why}")


def _weigh_feeling(teller: Teller, e: Felt, stamp: Stamp) -> MarkAndWeight | None:
    old, new = before(e.after, e.delta), Pad(*e.after)
    text, now = mood_turn_sentence(teller.name(stamp.actor), old, new, e.why, e.sort)
    if not text:
        return None
    weight = weight_of_turn(now, old, new, teller.notable)
    if e.sort in ("waking", "rumination"):  # nobody else can see the cause
        weight = min(weight, teller.notable["mood.brooding"])
    return MarkAndWeight(MARKS[now], weight)


def _recalled(teller: Teller, e: Recalled, stamp: Stamp) -> str:
    n = len(e.ids)
    return f"{'A memory' if n == 1 else f'{n} memories'} came to {teller.name(stamp.actor)}'s mind"


# ---- reflecting


def _reflected(teller: Teller, e: Reflected, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    return next((f"{name}, looking back: {i.text}" for i in _best(e)), f"{name} looked back on the day")


def _weigh_thought(teller: Teller, e: Reflected, stamp: Stamp) -> MarkAndWeight | None:
    return next((MarkAndWeight(THOUGHT, teller.notable.grown("thought", 0.0, i.poignancy)) for i in _best(e)), None)


def _best(e: Reflected) -> list[Insight]:
    """The most poignant insight, as a list of one; empty if there is none."""
    return sorted(e.insights, key=lambda i: -i.poignancy)[:1]


def _mood_of_thoughts(e: Reflected, stamp: Stamp) -> Iterable[MoodChange]:
    if not any(e.delta):
        return ()
    text = e.thought
    if not text:
        return (MoodChange(stamp.actor, e.delta, e.after, "looking back on the day", "reflection"),)
    return (MoodChange(stamp.actor, e.delta, e.after, f"looking back: {text}", "reflection", f'thinking "{text}"'),)


# ---- lasting marks


def _habit(teller: Teller, e: Marked, clock: Clock) -> Sequence[Block]:
    habit = habit_words(teller.handbook, e)
    days = count_of(e.half // DAY, "day")
    return [WrappedText(f"for {days}: {habit}", "dim")] if habit else []


# ---- guests


DEAR = 0.5  # strength of a feeling, for or against, from which a guest's coming concerns somebody
ROAD = "@"  # mark of timeline rows about guests


def _sheet(teller: Teller, e: Came, clock: Clock) -> Sequence[Block]:
    out = [WrappedText(e.persona.about)] if e.persona.about else []
    out.append(WrappedText(f"stays {teller.handbook.at(e.persona.home)}", "dim"))
    if e.until >= 0:
        out.append(WrappedText(f"until {clock.words(e.until)}", "dim"))
    return out


def _ties(e: Came) -> list[TieShift]:
    """The ties a guest brings from before, both ways."""
    me = e.persona.id
    mine = [TieShift(me, x.with_, "feeling", x.feeling, x.feeling, x.why) for x in e.persona.history]
    return [*mine, *(TieShift(x.with_, me, "feeling", x.feeling, x.feeling, x.why) for x in e.regards)]


STORIES: dict[type[Event], Story] = {
    Marked: Story(
        sentence=lambda teller, e, at: f"It stays with {teller.name(at.actor)}: {e.why}",
        sheet=_habit,
        about=lambda e: (e.whom,),
        result=True,
        moods=lambda e, at: (MoodChange(at.actor, e.delta, e.after, e.why, "mark", mark=mark_of(e, at)),),
        untold="the outcome has a row; what stays of it is shown with the person",
    ),
    Woke: Story(sentence=does("woke"), mark=WAKE, weight="day.woke", stages=stage("up")),
    Planned: Story(
        sentence=_planned,
        weigh=lambda teller, e, at: MarkAndWeight(CHANGED, teller.notable["plan.changed"]) if _told(e) else None,
        sheet=_plan,
        choice=_chose_plan,
        plan_day=lambda e: e.day,
        stages=lambda e, at: (ActStage(at.actor, "planned" if e.blocks else "unplanned"),),
        result=True,
        counts=lambda e: [("replans", 1)] if e.upset else (),
        aftermath=lambda e: "plans" if e.upset else "",
    ),
    Cut: Story(sentence=_cut, sheet=_pieces, untold="what somebody does next is shown with them"),
    Chose: Story(
        sentence=_chose,
        weigh=_weigh_act,
        doing=lambda e: e.block,
        stages=lambda e, at: (ActStage(at.actor, "begun" if e.there else "ahead", e.seconds, e.block == "sleep"),),
    ),
    Noticed: Story(
        sentence=_noticed,
        others=lambda e: (s.who for s in e.seen),
        link=does("saw it"),
        counts=lambda e: [("sights", len(e.seen))],
        untold="what comes of it is told: a feeling, a talk, news that goes round",
    ),
    Felt: Story(
        sentence=_felt,
        weigh=_weigh_feeling,
        about=lambda e: (e.about,),
        result=True,
        moods=lambda e, at: (MoodChange(at.actor, e.delta, e.after, e.why, e.sort),),
        link=does("felt it"),
    ),
    Needed: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)}, {e.why}",
        untold="where they go is to be seen, and how they feel has a row",
    ),
    Recalled: Story(sentence=_recalled, untold="nobody sees it; it is told with what was decided by it"),
    Reflected: Story(
        sentence=_reflected,
        weigh=_weigh_thought,
        about=lambda e: (i.about for i in _best(e)),
        others=lambda e: (x.about for x in (*e.insights, *e.moments, *e.notes)),
        sheet=lambda teller, e, clock: [
            WrappedText(x)
            for x in (*(i.text for i in (*e.insights, *e.moments)), *(f"means to {n.text}" for n in e.notes))
        ],
        moods=_mood_of_thoughts,
        link=does("thought it over"),
        counts=lambda e: [("reflections", 1)],
    ),
    Placed: Story(sentence=does("was there"), untold=SHOWN, stages=stage("moved")),
    Walked: Story(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} set out for {teller.handbook.place(e.to)}",
        untold=SHOWN,
        counts=lambda e: [("walks", 1)],
        stages=stage("walking"),
    ),
    Arrived: Story(sentence=does("arrived"), untold=SHOWN, stages=stage("arrived")),
    Stopped: Story(sentence=does("stopped on the way"), untold=SHOWN, stages=stage("stopped")),
    Came: Story(
        sentence=lambda teller, e, at: f"{e.persona.name} has come to town" + (f" {e.why}" if e.why else ""),
        mark=ROAD,
        weight="guest.came",
        sheet=_sheet,
        result=True,
        claims=lambda e: e.claims,
        guest=lambda e: e.persona,
        ties=_ties,
        about=lambda e: (x.with_ for x in e.regards if abs(x.feeling) >= DEAR),
        counts=lambda e: [("guests", 1)],
    ),
    SetOff: Story(sentence=does("set out to leave town"), untold=SHOWN),
    Left: Story(sentence=does("has left town"), mark=ROAD, weight="guest.left"),
}
