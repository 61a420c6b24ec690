"""Stories of pressures: how one began, developed and ended, who went looking for whom, what came from outside (sparks)
and what was decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.text import join_names
from sandbox.drama.outcomes import BY as DECIDED
from sandbox.drama.outcomes import Decided, DecisionPart
from sandbox.drama.taking_sides import SHOWDOWN
from sandbox.people.beliefs import CLUE, INFERRED
from sandbox.people.pressure_deck import AWAY, DramaDeck
from sandbox.people.pressure_model import Began, Ended, Sought, Sparked, Stirred, Turned
from sandbox.phones.model import Read
from sandbox.readers.facts import EndedMatter, NewThing, Outside
from sandbox.readers.pressures import (
    MATTER,
    SOMEBODY,
    STAGES,
    Matter,
    deed_sentence,
    format_matter,
    matter_sentence,
    wanted_sentence,
)
from sandbox.readers.story import (
    Block,
    MarkAndWeight,
    SideBySide,
    SingleLine,
    Story,
    Teller,
    TonedText,
    WrappedText,
    delta_text,
    stage,
    ties_from_feelings,
)
from sandbox.talk.model import Declined
from sandbox.talk.pressure_aims import DEBT
from sandbox.town.plan import CONTEST

# Marks of timeline rows: hard words about a pressure, something given away, love returned, a decision.
HARD, TOLD, LOVE, OUTCOME = "!", "?", "♥", "%"
SHOWN_BY = ("shows", CLUE, INFERRED)  # `how` of a stir by which somebody finds out for themselves
LATE = ("late", "missed")  # `how` of a stir when the hour of a pressure has passed
SMALL = 0.45  # intensity below which a pressure began as something small: a borrowed umbrella
# (exchange, kind) -> what was given away, for pressures that change when more people know of them.
SPREADS = {
    ("leak", "secret"): "what {holder} keeps from {about}",
    ("leak", "crush"): "how {holder} feels about {about}",
    ("confide", "secret"): "what {about} must not know",
    ("confide", "crush"): "how it is with {about}",
}
RULES = 4  # reasons listed for each who took part in a decision, the weightiest
SHOWN = 5  # contestants listed at most, the best placed
ORDINALS = {1: "first", 2: "second", 3: "third"}


def matter_blocks(teller: Teller, id: str, over: bool = False, told: bool = False) -> list[Block]:
    """What a pressure is in full, and its cause; empty if it is unknown.

    over: use the past tense, as it may have ended; told: leave out what it is, since the event's sentence says so.
    """
    m = teller.matters.get(id)
    if m is None:
        return []
    text = (wanted_sentence if over else matter_sentence)(teller.handbook, m, m.stakes)
    return [*([] if told or not text else [WrappedText(text)]), WrappedText(f"because {m.cause}", "dim")]


def _turned(teller: Teller, feelings: Sequence[Turned]) -> SideBySide:
    return SideBySide(
        tuple((TonedText(f"{teller.name(f.u)} likes {teller.name(f.v)}"), delta_text(f.delta)) for f in feelings)
    )


# ---- how it begins


def _matter(e: Began, stamp: Stamp) -> Matter:
    return Matter(e.id, e.kind, stamp.actor, e.about, e.stakes, e.cause, e.thread, stamp.seq, e.intensity)


def _began(teller: Teller, e: Began, stamp: Stamp) -> str:
    return matter_sentence(teller.handbook, _matter(e, stamp))


def _weigh_beginning(teller: Teller, e: Began, stamp: Stamp) -> MarkAndWeight | None:
    """What the town begins with makes no row."""
    return MarkAndWeight(MATTER, teller.notable["pressure.began"]) if stamp.causes else None


def _beginning(teller: Teller, e: Began, clock: Clock) -> Sequence[Block]:
    m = teller.matters.get(e.id)
    if m is None:
        return []
    owed = f"{e.amount:,} owed" if e.amount and e.kind == DEBT else ""
    return [*matter_blocks(teller, e.id, told=m.gist == m.stakes), _stands(e, clock, owed)]


def _stands(e: Began | Stirred, clock: Clock, owed: str = "", by: str = "") -> SideBySide:
    """The stage, intensity and due time of a pressure after an event. by: the change of intensity as text."""
    due = f"by {clock.words(e.due)}" if e.due >= 0 else ""
    stage = (TonedText("it ", "text"), TonedText(STAGES[e.stage], "text"), TonedText(f": {e.intensity:.2f}{by}"))
    return SideBySide((stage, *((TonedText(x),) for x in (owed, due) if x)))


# ---- how it goes on


def _stirred(teller: Teller, e: Stirred, stamp: Stamp) -> str:
    handbook, m, name, to = teller.handbook, teller.matters.get(e.id), teller.name(stamp.actor), teller.name(e.to)
    if e.answer:
        told = _told(teller, stamp.actor, e, m) if e.to in e.told else ""
        unheard = e.answer == "dodge" and teller.came_of(stamp, Declined) is not None  # old saves lack AWAY
        text = told or deed_sentence(handbook, stamp.actor, e.how, e.to, m, AWAY if unheard else e.answer)
        return f"{text}, and it came to hard words" if e.turn else text
    if e.how == "shows":
        kind = handbook.drama.kinds.get(m.kind) if m else None
        showed = format_matter(handbook, m, kind.shows) if m and kind else f"Something is up with {name}"
        return f"{showed}; {to} noticed"
    if e.says and e.how not in LATE:
        found = "has put two and two together" if e.how == INFERRED else "has come upon something"
        return f"{name} {found}: {e.says}"
    if m is None:
        return f"Something weighs on {name}"
    if e.how == "heard" and (read := teller.came_of(stamp, Read)) is not None:
        where = "in a message" if read.kind == "message" else "on the feed"
        return f"{to} has read it {where}: {matter_sentence(handbook, m)}"
    if e.how == "heard":
        return f"{name} has told {to} something that goes round: {matter_sentence(handbook, m)}"
    if e.how == "courage":
        return f"{name} has found a beginning: {m.gist}"
    if e.how == "again":
        return f"{matter_sentence(handbook, m)}, and now more than before"
    return f"The hour has passed: {e.says}: {m.gist}" if e.says else f"{name} has let the hour go by: {m.gist}"


def _told(teller: Teller, who: str, e: Stirred, m: Matter | None) -> str:
    """What somebody gave away to another, as a sentence; "" if it changes nothing that they know."""
    words = SPREADS.get((e.how, m.kind)) if m is not None else None
    if m is None or words is None:
        return ""
    whom = "them" if e.to == m.about else teller.name(m.about) if m.about else SOMEBODY
    what = words.format(holder=teller.name(m.holder), about=whom)
    return f"{teller.name(who)} has told {teller.name(e.to)} {what}: {m.gist}"


def _weigh_stir(teller: Teller, e: Stirred, stamp: Stamp) -> MarkAndWeight | None:
    """A row only if it has consequences; otherwise the row of the talk covers it."""
    mark, key = _kind_of_stir(e, teller.matters.get(e.id))
    return MarkAndWeight(mark, teller.notable[key], over=e.how in LATE, deed=True) if key else None


def _kind_of_stir(e: Stirred, m: Matter | None) -> tuple[str, str]:
    """The mark and the weight's key in notable.yaml; ("", "") for no row."""
    if e.turn:
        return HARD, "pressure.broke"
    if e.hostile:
        return HARD, "pressure.faced"
    if e.how == "declare":
        return LOVE, "pressure.declared"
    if e.to in e.told and m is not None and (e.how, m.kind) in SPREADS:
        return TOLD, "pressure.told_on"
    if e.how in LATE:
        return MATTER, "pressure.late"
    return (TOLD if e.says else MATTER, f"pressure.{e.how}") if e.how in SHOWN_BY else ("", "")


def _stir(teller: Teller, e: Stirred, clock: Clock) -> Sequence[Block]:
    if e.id not in teller.matters:
        return []
    know = f"{join_names([teller.name(who) for who in e.told])} know{'s' * (len(e.told) == 1)} of it since"
    return [
        *matter_blocks(teller, e.id),
        _stands(e, clock, by=f" ({e.delta:+z.2f})" if e.delta else ""),
        *([WrappedText(know)] if e.told else []),
        _turned(teller, e.feelings),
    ]


# ---- how it ends


def _ended(teller: Teller, e: Ended, stamp: Stamp) -> str:
    handbook = teller.handbook
    m = teller.matters.get(e.id) or _unmet(handbook.drama, stamp.actor, e)
    kind = handbook.drama.kinds.get(m.kind) if m else None
    ending = kind.ends.get(e.how) if kind else None
    if m is None or ending is None:
        if e.to:
            return deed_sentence(handbook, stamp.actor, e.by, e.to, m, e.answer)
        return f"A matter of {teller.name(stamp.actor)}'s is over"
    text = format_matter(handbook, m, ending.says)
    return f"{text}: {m.gist}" if (e.turn or e.why) and m.gist else text


def _unmet(drama: DramaDeck, who: str, e: Ended) -> Matter | None:
    """The matter that ended, guessed from its end alone if its beginning was not read; None if that is ambiguous.

    Most endings belong to one kind only, and what was done, or not done in time, shows who held the matter.
    """
    kinds = [name for name, kind in drama.kinds.items() if e.how in kind.ends]
    if len(kinds) != 1 or not e.to:
        return None
    ways = drama.kinds[kinds[0]].ways
    parts = {(way.by, way.to) for way in ways if way.do == e.by and e.how in way.endings}
    parts = parts if e.by in drama.exchanges else {("holder", "about")}
    if parts == {("holder", "about")}:
        holder, about = who, e.to
    elif parts == {("about", "holder")}:
        holder, about = e.to, who
    else:
        return None
    stakes = next((f.why for f in e.feelings if f.u == who or e.by not in drama.exchanges), "")
    return Matter(e.id, kinds[0], holder, about, stakes, "", "")


def _weigh_end(teller: Teller, e: Ended, stamp: Stamp) -> MarkAndWeight:
    how = "faded" if e.good else e.how  # without a turn: a good end was mentioned before
    mark, weight = MATTER, teller.notable.get(f"pressure.{how}", "pressure.faded")
    if e.turn:
        mark = LOVE if e.how == "together" else HARD if e.hostile and not e.good else MATTER
        weight = teller.notable.get(f"pressure.{e.how}", "pressure.good" if e.good else "pressure.bad")
        m = teller.matters.get(e.id)
        if e.by in (DECIDED, SHOWDOWN) or (m is not None and m.size < SMALL):  # the decision has a row of its own
            weight = max(0.1, weight - teller.notable["pressure.small"])
    return MarkAndWeight(mark, weight, why=e.why, over=True, deed=True)


def _end(teller: Teller, e: Ended, clock: Clock) -> Sequence[Block]:
    if e.id not in teller.matters:
        return []
    return [*matter_blocks(teller, e.id, over=True), _turned(teller, e.feelings)]


# ---- searches, sparks and decisions


def _sought(teller: Teller, e: Sought, stamp: Stamp) -> str:
    m = teller.matters.get(e.id)
    return f"{teller.name(stamp.actor)} goes {e.why}" + (f": {m.gist}" if m else "")


def _thing(drama: DramaDeck, e: Sparked, stamp: Stamp) -> NewThing | None:
    spark = drama.sparks.get(e.id)
    role = next((role for role in spark.roles if role in e.roles), "") if spark is not None else ""
    if spark is None or not spark.thing or not role:
        return None
    return NewThing(spark.thing, e.roles[role], tuple(e.roles.values()))


def _parts(teller: Teller, e: Decided, clock: Clock) -> Sequence[Block]:
    """Everybody who took part, with their reasons; of a contest the best placed."""
    out: list[Block] = []
    shown = e.parts[:SHOWN] if e.how == CONTEST else e.parts
    for place, part in enumerate(shown, 1):
        side, ordinal = "for" if part.yes else "against", ORDINALS.get(place, f"{place}th")
        how = f"came {ordinal}" if e.how == CONTEST else f"voted {side} {e.about}"
        name = TonedText(teller.name(part.who), "text", bold=True)
        out.append(SingleLine((name, TonedText(" ", "text"), TonedText(how, "warm" if part.yes else "cool"))))
        out.append(WrappedText(_reasons(part), most=3))
    rest = len(e.parts) - len(shown)
    if rest:
        out.append(SingleLine((TonedText(f"and {rest} more", "dim"),)))
    return out


def _reasons(part: DecisionPart) -> str:
    """The weightiest reasons: "the wheel is nine cogs from turning -0.95; likes Mara and others -0.20"."""
    best = sorted(part.why, key=lambda rule: -abs(rule.value))[:RULES]
    return "; ".join(f"{rule.name} {rule.value:+z.2f}" for rule in best)


of_matter = partial(Story, result=True, matter=lambda e: e.id)  # of an event that belongs to the pressure `id`
_of_deed = partial(of_matter, about=lambda e: (e.to,), ties=lambda e: ties_from_feelings(e.feelings))

STORIES: dict[type[Event], Story] = {
    Began: of_matter(
        sentence=_began, weigh=_weigh_beginning, about=lambda e: (e.about,), sheet=_beginning, begins=_matter
    ),
    Stirred: _of_deed(sentence=_stirred, weigh=_weigh_stir, sheet=_stir),
    Ended: _of_deed(sentence=_ended, weigh=_weigh_end, sheet=_end, ends=lambda e: EndedMatter(e.id, e.why)),
    Sought: of_matter(
        sentence=_sought,
        mark=MATTER,
        weight="pressure.seeks",
        about=lambda e: (e.whom,),
        sheet=lambda teller, e, clock: matter_blocks(teller, e.id),
        stages=stage("dropped"),
    ),
    Sparked: Story(
        sentence=lambda teller, e, at: e.says.removesuffix("."),
        mark=MATTER,
        weight="pressure.spark",
        about=lambda e: e.roles.values(),
        result=True,
        thing=_thing,
        outside=lambda e, at: Outside(e.roles.values()),
    ),
    Decided: Story(
        sentence=lambda teller, e, at: e.says.removesuffix("."),
        weigh=lambda teller, e, at: MarkAndWeight(OUTCOME, teller.notable[f"outcome.{e.how}"]),
        about=lambda e: (p.who for p in e.parts),
        sheet=_parts,
        result=True,
        ties=lambda e: ties_from_feelings(e.feelings),
        aftermath=lambda e: "happened",
    ),
}
