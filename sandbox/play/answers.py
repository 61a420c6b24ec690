"""Answers to the town's questions that the player has already given, so that no mind is asked."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox.core.domain import Answers
from sandbox.core.protocols import Question
from sandbox.people.played import is_played, pressure_behind, put_in, wish_for
from sandbox.play.acts import can_still_say
from sandbox.play.beginnings import line_of
from sandbox.play.model import HasPlay
from sandbox.talk.question_replies import Accept, Accepted, Respond, Responded
from sandbox.talk.question_wishes import Approach, Approached, Chosen, Exchange
from sandbox.talk.saying import Said, Say


def player_approach(w: HasPlay, q: Approach) -> Approached | None:
    """They speak only to the person they mean to."""
    if not is_played(w, q.who):
        return None
    wish = wish_for(w, q.other.who) if q.other is not None else None
    return Approached(wish is not None and can_still_say(w, q.who, wish))


def player_exchange(w: HasPlay, q: Exchange) -> Chosen | None:
    """They speak about what they mean to."""
    wish = wish_for(w, q.other.who) if q.other is not None and is_played(w, q.who) else None
    return Chosen(wish.do, (), "", pressure_behind(wish.do, wish.aim)) if wish is not None else None


def player_acceptance(w: HasPlay, q: Accept) -> Accepted | None:
    """They listen to everybody, since they can leave at any time."""
    return Accepted("accept") if is_played(w, q.who) else None


def player_response(w: HasPlay, q: Respond) -> Responded | None:
    """The answer that the player chose; without one they dodge."""
    if not is_played(w, q.who):
        return None
    how = w.played.how if put_in(w, w.people.residents[q.who].talk) is not None else ""
    if how == "lie" and not q.lie:
        how = "dodge"  # there is nothing left to hide
    return Responded(how or "dodge")


def player_words(w: HasPlay, q: Say) -> Said | None:
    """The player's own words, if any; what is put to the player is said in its fixed words."""
    if (put := w.played.put) is not None and q.who == put.other and q.other == w.played.who and not q.turn % 2:
        return Said(put.says, put.variants) if put_in(w, put.talk) is not None else None
    if not is_played(w, q.who):
        return None
    wish, put = wish_for(w, q.other), put_in(w, w.people.residents[q.who].talk)
    replies = q.turn % 2 == 1
    words = w.played.words if put is not None and replies else ""
    if wish is not None and not replies:
        words = line_of(w, wish)
    return Said(words) if words else None


ANSWERS: Mapping[type[Question], Answers] = {
    Approach: player_approach, Exchange: player_exchange, Accept: player_acceptance, Respond: player_response,
    Say: player_words,
}  # fmt: skip
