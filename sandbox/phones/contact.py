"""Contact on the feed: who is written to, named, answered or voted for, and sees it, comes closer to who did it and
feels otherwise about them, by the rule that talk follows (people/ties.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.events import r6
from sandbox.people.pressure_model import Turned
from sandbox.people.ties import REMEMBERED, change_feeling, closer, like_reciprocity, liked_at, tie_evidence
from sandbox.phones.model import CardResponse, HasPhones, Written
from sandbox.talk.content import tie_of
from sandbox.talk.model import Relation

LIKE, DISLIKE, WORDS = 0.02, -0.04, 0.04  # what each does to a feeling; words times how they sound


def relation_after_reading(
    w: HasPhones, me: str, x: Written, t: int, new: bool, turned: Sequence[Turned] = ()
) -> Relation | None:
    """How somebody's tie comes out of reading what another has written to them, or of them; None if it was neither.
    new: they have come to know something by it. turned: how their feelings have turned by what they read.
    """
    if x.kind != "message" and me not in (x.whom, x.a, x.b):
        return None
    name = w.handbook.name(x.author)
    why = f"had a message from {name}" if x.kind == "message" else f"was written of by {name}"
    affect = x.valence if x.kind == "message" else 0.0
    now = next((f.feeling for f in reversed(turned) if (f.u, f.v) == (me, x.author)), None)
    return _came_out(w, me, x.author, t, why, affect=affect, change=WORDS * x.valence, new=new, now=now)


def relations_after_votes(w: HasPhones, me: str, contacts: Sequence[CardResponse], t: int) -> tuple[Relation, ...]:
    """How somebody's ties come out of what others of the town have made of what they wrote, one for each of these."""
    return tuple(
        _voted(w, me, by, [c for c in contacts if c.by == by], t) for by in dict.fromkeys(c.by for c in contacts)
    )


def _voted(w: HasPhones, me: str, by: str, contacts: list[CardResponse], t: int) -> Relation:
    likes, dislikes = (sum(c.what == what for c in contacts) for what in ("like", "dislike"))
    change = LIKE * likes + DISLIKE * dislikes + WORDS * sum(c.tone for c in contacts)
    did = " and ".join(
        word
        for word, n in (("liked", likes), ("disliked", dislikes), ("answered", len(contacts) - likes - dislikes))
        if n
    )
    why = f"{w.handbook.name(by)} {did} what was posted"
    return _came_out(w, me, by, t, why, likes=likes, dislikes=dislikes, change=change)


def _came_out(
    w: HasPhones, me: str, other: str, t: int, why: str,
    *, likes: int = 0, dislikes: int = 0, affect: float = 0.0, change: float = 0.0, new: bool = False,
    now: float | None = None,
) -> Relation:  # fmt: skip
    tie, p, day = tie_of(w, me, other), w.tie_parameters, w.clock.day(t)
    liked = r6(liked_at(tie, day) + (1.0 - REMEMBERED) * likes)
    back = like_reciprocity(liked, liked_at(tie_of(w, other, me), day))
    approval = (likes - dislikes) / (likes + dislikes) if likes or dislikes else 0.0
    after, gained, today = closer(tie, day, tie_evidence(float(new), approval, affect, back), p)
    before = tie.feeling if now is None else now
    feeling, delta = change_feeling(before, change * (1.0 - before if change > 0.0 else 1.0 + before), p)
    return Relation(me, other, delta, feeling, gained, after, today, why, liked)
