"""People's own affairs as subjects of ordinary talk: what troubles them, their news, and what one knows of the other's.
Never with the one it is directed against; for that see talk/pressure_aims.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.people import beliefs
from sandbox.people.beliefs import ROW
from sandbox.people.claim_handlers import claim_words, gone, knows, new_claims
from sandbox.people.claim_model import StandingClaim
from sandbox.people.guest_model import in_town
from sandbox.people.mark_habits import new_marks
from sandbox.people.mood import MoodMark
from sandbox.people.pressure_deck import HUSHED, gist
from sandbox.people.pressure_model import ActivePressure
from sandbox.people.pressure_rules import of
from sandbox.people.wording import as_told, lower_first_word, mentions_person, object_told, since_phrase
from sandbox.talk.model import HasTalk
from sandbox.talk.phrase_kinds import PERSON, kind_of

# Kinds of pressure that their holder vents, or worries, about to others.
OPENLY = {
    "vent": frozenset(("grudge", "rivalry", "suspicion")),
    "worry": frozenset(("worry", "debt", "promise", "ambition", "suspicion")),
}
ASKED = frozenset(("debt", "promise", "rivalry", "ambition", "worry", "grudge"))  # a knowing friend asks about these
_AND_I = re.compile(r"^I and (\w+)")
NEW = 4 * DAY  # how long a change counts as news
TOLD_TO = 4  # most people somebody tells it themselves; then it has spread
SPOKEN_OF = 40  # most subjects remembered as spoken of, per pair


class News(NamedTuple):
    """News about somebody. id: of the outcome, whether it left a claim, mark or fact; says: a sentence about them by
    name; good: for them; t: its second, -1 = unknown.
    """

    id: str
    says: str
    good: bool
    t: int


def open_concerns(w: HasTalk, who: str, other: str) -> list[str]:
    """Somebody's concerns that they can discuss with `other`: not those in which `other` has a part, nor at home a
    person who may be `other`.
    """
    p, near = w.cast[who], w.cast[who].household == w.cast[other].household
    theirs = {c.id for c in w.cast_pressures.values() if other in (c.holder, c.about)}
    return [x for x in p.concerns if p.matters.get(x, "") not in theirs and not (near and kind_of(x) == PERSON)]


def tellable_pressures(w: HasTalk, lead: str, me: str, other: str) -> list[ActivePressure]:
    """Somebody's pressures that they can mention to `other`, whom they are not about."""
    return [
        p
        for p in of(w.pressures, me)
        if p.holder == me
        and p.kind in OPENLY[lead]
        and other != p.about
        and _said(p)
        and (not p.about or in_town(w, p.about))
    ]


def known_of(w: HasTalk, me: str, other: str) -> list[ActivePressure]:
    """The other's pressures that `me` knows of and that are not about `me`."""
    return [
        p
        for p in of(w.pressures, other)
        if p.holder == other and p.kind in ASKED and me != p.about and me in p.known_by and _said(p)
    ]


def _said(p: ActivePressure) -> bool:
    """Whether the stakes can be spoken of: not if they are a deed ("to ...")."""
    return not p.stakes.startswith("to ")


def can_name(w: HasTalk, p: ActivePressure, me: str, other: str) -> bool:
    """Whether the stakes can be worded between the two, as "I" and "you"."""
    both = w.handbook.name(me), w.handbook.name(other)
    text = object_told(gist(p.stakes), *both)
    return not any(mentions_person(text, name) for name in both)


def news_to_tell(w: HasTalk, me: str, other: str, t: int) -> Iterator[News]:
    """Somebody's own news they may tell `other`: recent marks and claims made in play; nothing hidden, nothing `other`
    has a part in, and nothing already told to enough people.
    """
    for news in _mine(w, me, other, t):
        if sum(have_spoken(w, me, x, news.id) for x in w.cast) < TOLD_TO:
            yield news


def _mine(w: HasTalk, me: str, other: str, t: int) -> Iterator[News]:
    """Somebody's own news for `other`, however many have heard it."""
    your_name = w.handbook.name(other)
    for m in new_marks(w, me, t, NEW):
        if m.whom != other and not mentions_person(m.why, your_name) and not gone(w, me, m):
            yield News(f"#{m.seq}", m.why, _pleases(m), m.t)
    yield from _claims(w, me, me, other, t)


def news_to_ask(w: HasTalk, me: str, other: str, t: int) -> Iterator[News]:
    """The other's news that `me` knows and has no part in: new claims, and matters that ended, unless hidden. Its date
    may be unknown.
    """
    yield from _claims(w, other, me, me, t)
    for b in beliefs.current_beliefs(w.beliefs, me, t, w.belief_parameters):
        fact = w.beliefs.facts[b.fact]
        ended = fact.how not in ("", ROW, beliefs.CLUE, beliefs.TRUTH) and fact.kind not in HUSHED
        if ended and b.a == other and me not in (b.a, b.b) and t - b.since < NEW:
            says = beliefs.fact_sentence(w, fact, b.slots)
            if says:
                yield News(b.fact, says, fact.good, -1)


def _claims(w: HasTalk, who: str, speaks: str, apart: str, t: int) -> Iterator[News]:
    """News from somebody's new claims that `speaks` knows of and `apart` has no part in."""
    for claim in new_claims(w, who, t, NEW):
        kind = w.claim_deck.kinds[claim.kind]
        if kind.hard and not (kind.private or claim.within) and apart not in claim.people and knows(w, speaks, claim):
            yield News(f"#{claim.seq}", claim_words(w.handbook, kind.made, claim), _glad(w, who, claim), claim.t)


def _glad(w: HasTalk, who: str, claim: StandingClaim) -> bool:
    """Whether a claim is good news: no painful mark came with it, as a new room can mean the loss of the old."""
    return all(_pleases(m) or abs(m.t - claim.t) >= HOUR for m in w.people.residents[who].mood.marks)


def _pleases(mark: MoodMark) -> bool:
    """Whether a mark is of something good; judged by dominance if pleasure could not change further."""
    return mark.p > 0.0 or (mark.p == 0.0 and mark.d > 0.0)


def untold_news(w: HasTalk, found: Iterator[News], me: str, other: str) -> list[News]:
    """The news that can be worded and that the two have not spoken about, latest first."""
    whole = [x for x in found if not have_spoken(w, me, other, x.id) and news_text(w, x, me, other)]
    return sorted(whole, key=lambda x: -x.t)


def have_spoken(w: HasTalk, me: str, other: str, id: str) -> bool:
    """Whether two have spoken about a pressure or an outcome."""
    return id in w.talk.spoken_of.get(f"{me} {other}", ())


def news_text(w: HasTalk, news: News, me: str, other: str) -> str:
    """News in the words of `me` to `other`, whoever it is about; "" if it cannot be worded."""
    text = _AND_I.sub(r"\1 and I", as_told(news.says, w.handbook.name(me), w.handbook.name(other)))
    return "" if text == news.says else text if text.startswith("I ") else lower_first_word(text)


def since_when(w: HasTalk, news: News, t: int) -> str:
    """The phrase after "since"; "" if unknown."""
    return since_phrase(w.clock, news.t, t) if news.t >= 0 else ""
