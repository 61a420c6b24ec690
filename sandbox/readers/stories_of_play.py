"""Stories of the person who is played: who it is, what the player had them do, and what was asked of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.text import percents, spelt, upper
from sandbox.engine.world import World
from sandbox.people.handbook import Handbook
from sandbox.people.played import CameToHead, PutTo
from sandbox.play.acts import REASONS, TalkOffer
from sandbox.play.model import (
    Aside,
    Bidden,
    Handed,
    Headed,
    Leaned,
    PlayBegan,
    PlayEnded,
    Replied,
    Saving,
    SawAll,
    Settled,
    Stance,
    StanceTaken,
    Swayed,
    TookLeave,
    TookPhone,
    Wished,
    WishOver,
)
from sandbox.play.reading import STANCES
from sandbox.play.turning import StanceChoice
from sandbox.readers import pressures
from sandbox.readers.facts import Intent
from sandbox.readers.pressures import Matter, matter_sentence
from sandbox.readers.story import Block, Story, Teller, WrappedText, does, ties_from_feelings
from sandbox.talk.model import ScoredRule

TITLES: dict[Stance, str] = {stance: words for words, stance in STANCES.items()}  # stance -> the word one types


def turning_point_headline(handbook: Handbook, e: CameToHead, me: str, m: Matter | None, past: bool = False) -> str:
    """What has come to a head, as a sentence without full stop. me: whose turning point it is; m: its matter, None if
    unknown. past: in the past tense, as it may be over.
    """
    name, other = handbook.name(me), handbook.name(e.whom) if e.whom else "everybody"
    what = m.gist if m is not None else ""
    if e.what in ("broken", "losing") and e.says:
        may = "might" if past else "may"
        return upper(e.says) if e.what == "broken" else f"{name} {may} lose what is theirs: {e.says}"
    if e.what == "found":
        return f"What {name} kept from {other} {'was' if past else 'is'} out" + (f": {what}" if what else "")
    if e.what == "betrayed":
        knows, has = ("came", "had") if past else ("has come", "has")
        return f"{name} {knows} to know what {other} {has} done" + (f": {what}" if what else "")
    if e.what == "due":
        hour, two = f"The hour {'was' if past else 'is'} near", f", between {name} and {other}" if e.whom else ""
        return f"{hour}{two}: {what}" if what.startswith("to ") else f"{hour} for {what or 'what is open'}{two}"
    between = f" between {name} and {other}" if e.whom else f" for {name}"
    verb = "It broke open" if e.stage >= 3 else "It came to a head"
    if not past:
        verb = "It has broken open" if e.stage >= 3 else "It has come to a head"
    return f"{verb}{between}" + (f": {what}" if what else "")


def turning_point_words(
    handbook: Handbook, clock: Clock, e: CameToHead, me: str, m: Matter | None, due: int = -1
) -> str:
    """A turning point in two or three sentences: headline, what it is, its hour and its cause. due: -1 for no hour."""
    out = [turning_point_headline(handbook, e, me, m)]
    if m is not None and e.what not in ("found", "broken"):
        out.append(matter_sentence(handbook, m, m.stakes))
    if due >= 0 and e.what == "due":
        out.append(f"It is due at {clock.hhmm(due)}")
    why = e.why or (m.cause if m is not None else "")
    if why:
        out.append(f"It came of this: {why.rstrip('.')}")
    return " ".join(f"{text.rstrip('.')}." for text in out)


def waiting_point_words(w: World, e: CameToHead) -> str:
    """The turning point that waits for the person who is played now, in sentences."""
    p = w.pressures.open.get(e.matter)
    m = pressures.world_matters(w).get(e.matter)
    return turning_point_words(w.handbook, w.clock, e, w.played.who, m, p.due if p is not None else -1)


def stance_words(handbook: Handbook, choice: StanceChoice) -> str:
    """What one does by taking a stance, and with whom, to follow its name."""
    if choice.offer is None:
        return "" if choice.why_not else "do nothing, and go on"
    return f"go to {handbook.name(choice.whom)}, to {choice.offer.says}"


def reasons_with_signs(rules: Iterable[ScoredRule]) -> str:
    """The names of rules, with a plus if they speak for it, a minus if against."""
    return ", ".join(f"{'+' if rule.value >= 0 else '-'}{rule.name}" for rule in rules)


def forecast(offer: TalkOffer) -> str:
    """How an offer is likely to be received, and why, on one line."""
    why = f" ({reasons_with_signs(offer.why[:REASONS])})" if offer.why else ""
    if offer.chances is None:
        return f"you hardly know them: who can tell?{why}"
    return ", ".join(f"{how} {percent} %" for how, percent in outcome_percents(offer.chances)) + why


def outcome_percents(chances: Mapping[str, float]) -> list[tuple[str, int]]:
    """The chance of each outcome in whole per cent, the likeliest first; those below one are left out."""
    found = percents(chances).items()
    return sorted((one for one in found if one[1]), key=lambda one: -chances[one[0]])


def minders(handbook: Handbook, choice: StanceChoice, about: str) -> Sequence[str]:
    """Up to three people who will resent a stance, and why, a clause each. about: whom the turning point concerns."""
    if choice.offer is None:
        return ()
    found = {m.who: m.why for m in choice.offer.minds}
    if choice.stance == "expose" and about and about != choice.whom:
        found = {about: "it is told of them", **{k: v for k, v in found.items() if k != about}}
    return [f"{handbook.name(who)}: {why}" for who, why in found.items()][:3]


MARK = "&"  # mark of timeline rows: something from outside
SAID = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "says what is not so"}
HANDED_OVER = {"give": "gave", "lend": "lent", "pay": "paid back to"}
INPUT = "it is what you had them do; what comes of it is told"


def _wished(teller: Teller, e: Wished, stamp: Stamp) -> str:
    return f"{teller.name(stamp.actor)} means to see {teller.name(e.whom)} {e.says}"


def _bidden(teller: Teller, e: Bidden, stamp: Stamp) -> str:
    book = teller.handbook
    if e.block.whom:
        return f"{teller.name(stamp.actor)} means {e.block.why}"
    return f"{teller.name(stamp.actor)} means to {book.infinitive(e.block.do)} {book.at(e.block.where)}"


def _words(teller: Teller, e: Wished | Replied, clock: Clock) -> Sequence[Block]:
    return [WrappedText(f"in their own words: {e.words}")] if e.words else []


def _put(teller: Teller, e: PutTo, stamp: Stamp) -> str:
    exchange = teller.handbook.drama.exchanges.get(e.do)
    says = exchange.says if exchange is not None else "for something"
    return f"{teller.name(e.other)} has come to {teller.name(stamp.actor)} {says}, and waits for an answer"


def _head(teller: Teller, e: CameToHead, stamp: Stamp) -> str:
    return turning_point_headline(teller.handbook, e, stamp.actor, teller.matters.get(e.matter))


def _came_to_head(teller: Teller, e: CameToHead, clock: Clock) -> Sequence[Block]:
    m = teller.matters.get(e.matter)
    why = e.why or (m.cause if m is not None else "")
    return [WrappedText(f"because {why}", "dim")] if why else []


def _stance(teller: Teller, e: StanceTaken, stamp: Stamp) -> str:
    name = teller.name(stamp.actor)
    if e.wish is None:
        return f"{name} lets it be" + (f" with {teller.name(e.whom)}" if e.whom else "")
    how = "means to speak up" if e.stance == "speak" else "means to bring it out"
    return f"{name} {how}: to see {teller.name(e.wish.whom)} {e.wish.says}"


def _handed(teller: Teller, e: Handed, stamp: Stamp) -> str:
    me, other, sum_ = teller.name(stamp.actor), teller.name(e.whom), spelt(e.coins)
    if not e.taken:
        return f"{me} held out {sum_} to {other}, who would not take it"
    return f"{me} {HANDED_OVER.get(e.how, 'gave')} {other} {sum_}"


def _swayed(teller: Teller, e: Swayed, stamp: Stamp) -> str:
    side = "for" if e.after > e.before else "against"
    return f"{teller.name(e.by)} has brought {teller.name(stamp.actor)} round a little, {side} {e.opinion}"


_row = partial(Story, mark=MARK)
_input = partial(Story, untold=INPUT)
_hands = partial(_row, weight="play.began", intent=lambda e: Intent(hands="player"))

STORIES: dict[type[Event], Story] = {
    PlayBegan: _hands(sentence=lambda teller, e, at: f"You are {teller.name(at.actor)} from now on"),
    Settled: _hands(sentence=lambda teller, e, at: f"You are {teller.name(at.actor)} from now on, and new in town"),
    PlayEnded: _hands(sentence=does("is left to the town again")),
    Aside: _input(
        sentence=lambda teller, e, at: (
            f"{teller.name(at.actor)} does as they like for a while"
            if e.on
            else f"{teller.name(at.actor)} is in your hands again"
        ),
        intent=lambda e: Intent(hands="own" if e.on else "player"),
    ),
    Headed: _input(sentence=does("is sent on their way")),
    Bidden: _input(sentence=_bidden),
    Wished: _row(
        sentence=_wished, weight="play.wished", about=lambda e: (e.whom,), sheet=_words, intent=lambda e: Intent(e)
    ),
    Handed: _row(
        sentence=_handed, weight="play.handed", about=lambda e: (e.whom,), ties=lambda e: ties_from_feelings(e.feelings)
    ),
    Leaned: _row(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} is {'for' if e.yes else 'against'} {e.opinion}",
        weight="play.leaned",
    ),
    Saving: _input(sentence=does("counts coins out")),
    TookPhone: _input(sentence=does("takes out their phone")),
    Swayed: _row(sentence=_swayed, weight="play.swayed", about=lambda e: (e.by,)),
    WishOver: _row(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} gives it up: {e.why}",
        weight="play.vain",
        about=lambda e: (e.whom,),
        intent=lambda e: Intent(vain=e.whom),
    ),
    PutTo: _row(
        sentence=_put,
        weight="play.put",
        about=lambda e: (e.other,),
        matter=lambda e: e.aim,
        talk=lambda e: e.talk,
        sheet=lambda teller, e, clock: [WrappedText(f"{teller.name(e.other)}: {e.says}")],
    ),
    Replied: _input(
        sentence=lambda teller, e, at: f"{teller.name(at.actor)} {SAID.get(e.how, 'says nothing')}", sheet=_words
    ),
    TookLeave: _input(sentence=does("takes leave"), intent=lambda e: Intent()),
    SawAll: _input(
        sentence=lambda teller, e, at: (
            f"Whoever plays {teller.name(at.actor)} is shown all that is so"
            if e.on
            else f"Whoever plays {teller.name(at.actor)} is shown what they know, and no more"
        )
    ),
    CameToHead: _row(
        sentence=_head, weight="play.head", about=lambda e: (e.whom,), matter=lambda e: e.matter, sheet=_came_to_head
    ),
    StanceTaken: _row(
        sentence=_stance,
        weight="play.stance",
        about=lambda e: (e.whom, e.wish.whom if e.wish is not None else ""),
        matter=lambda e: e.matter,
        sheet=lambda teller, e, clock: _words(teller, e.wish, clock) if e.wish is not None else [],
        intent=lambda e: Intent(e.wish) if e.wish is not None else None,
    ),
}
