"""News of a life: what has changed for somebody of late, for better or worse, and who has not heard it from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sandbox.core.clock import DAY, HOUR
from sandbox.people import beliefs
from sandbox.people.beliefs import ROW
from sandbox.people.claim_handlers import claim_words, gone, knows, new_claims
from sandbox.people.claim_model import StandingClaim
from sandbox.people.claim_worth import worth_to
from sandbox.people.mark_habits import new_marks
from sandbox.people.mood import MoodMark
from sandbox.people.pressure_deck import HUSHED
from sandbox.people.wording import as_told, lower_first_word, mentions_person
from sandbox.talk.model import HasTalk

NEW = 4 * DAY  # how long a change counts as news
SPREADS = 2 * HOUR  # after which a change of a life is known outside the house
TOLD_TO = 4  # most people somebody tells it themselves; then it has spread
_AND_I = re.compile(r"^I and (\w+)")


class News(NamedTuple):
    """News about somebody. id: of the outcome, whether it left a claim, mark or fact; says: a sentence about them by
    name; good: for them; t: its second, -1 = unknown.
    """

    id: str
    says: str
    good: bool
    t: int


def news_to_tell(w: HasTalk, me: str, other: str, t: int) -> Iterator[News]:
    """Somebody's own news they may tell `other`: recent marks and claims made in play; nothing hidden, nothing `other`
    has a part in, and nothing already told to enough people.
    """
    for news in _mine(w, me, other, t):
        if sum([have_spoken(w, me, x, news.id) for x in w.cast]) < TOLD_TO:
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
    may be unknown. What has only just happened is known at home alone.
    """
    spread = t - (0 if w.cast[me].household == w.cast[other].household else SPREADS)
    yield from (x for x in _claims(w, other, me, me, t) if x.t <= spread)
    for m in new_marks(w, other, t, NEW):
        kind = w.claim_deck.kinds.get(m.kind)
        known = kind is not None and kind.hard and not kind.private and m.t <= spread
        if known and m.whom != me and not gone(w, other, m):
            yield News(f"#{m.seq}", m.why, _pleases(m), m.t)
    for b in w.beliefs.held.get(me, {}).values():
        if b.a != other or me in (b.a, b.b) or t - b.since >= NEW:
            continue
        fact = w.beliefs.facts[b.fact]
        ended = fact.how not in ("", ROW, beliefs.CLUE, beliefs.TRUTH) and fact.kind not in HUSHED
        known = ended and beliefs.strength_at(b, t, w.belief_parameters) >= beliefs.HELD
        if known and (says := beliefs.fact_sentence(w, fact, b.slots)):
            yield News(b.fact, says, fact.good, -1)


def _claims(w: HasTalk, who: str, speaks: str, apart: str, t: int) -> Iterator[News]:
    """News from somebody's new claims that `speaks` knows of and `apart` has no part in."""
    for claim in new_claims(w, who, t, NEW):
        kind = w.claim_deck.kinds[claim.kind]
        if kind.hard and not (kind.private or claim.within) and apart not in claim.people and knows(w, speaks, claim):
            good = worth_to(w, claim, "a" if claim.a == who else "b") >= 0.0
            if not (good and _hurt_with(w, who, claim)):
                yield News(f"#{claim.seq}", claim_words(w.handbook, kind.made, claim), good, claim.t)


def _hurt_with(w: HasTalk, who: str, claim: StandingClaim) -> bool:
    """Whether a loss came with a claim, as a new room with the loss of the old; then the loss is the news."""
    return any(not _pleases(m) and abs(m.t - claim.t) < HOUR for m in w.people.residents[who].mood.marks)


def _pleases(mark: MoodMark) -> bool:
    """Whether a mark is of something good; judged by dominance if pleasure could not change further."""
    return mark.p > 0.0 or (mark.p == 0.0 and mark.d > 0.0)


def untold_news(w: HasTalk, me: str, other: str, t: int, own: bool) -> list[News]:
    """The news, one's own or the other's, that can be worded and that the two have not spoken about, latest first."""
    found = news_to_tell(w, me, other, t) if own else news_to_ask(w, me, other, t)
    whole = [x for x in found if not have_spoken(w, me, other, x.id) and news_text(w, x, me, other)]
    return sorted(whole, key=lambda x: -x.t)


def have_spoken(w: HasTalk, me: str, other: str, id: str) -> bool:
    """Whether two have spoken about a pressure or an outcome."""
    return id in w.talk.spoken_of.get(f"{me} {other}", ())


def news_text(w: HasTalk, news: News, me: str, other: str) -> str:
    """News in the words of `me` to `other`, whoever it is about; "" if it cannot be worded."""
    text = _AND_I.sub(r"\1 and I", as_told(news.says, w.handbook.name(me), w.handbook.name(other)))
    return "" if text == news.says else text if text.startswith("I ") else lower_first_word(text)
