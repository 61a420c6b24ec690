"""What a mood is described from: its labels, what moved it, and what comes to mind (spec/emotion.md)."""

from __future__ import annotations

from sandbox.people.anchors import SHIPPED, Anchors, Set
from sandbox.people.memory import retrieve
from sandbox.people.model import HasPeople
from sandbox.people.mood import OLDER, Cause, ledger, mood_at
from sandbox.people.questions import DescribeMood
from sandbox.people.words import WORTH, along

CAUSES, MEMORIES, LATEST = 2, 1, 400


def describe(w: HasPeople, who: str, t: float, anchors: Anchors = SHIPPED, of: Set = "categories") -> DescribeMood:
    """The question how somebody feels at second t. Of memories, a deed or sight that has to do with the people behind
    it; none if they have not been read from the log. None is touched. Where nobody has moods nothing is described.
    """
    if not w.mood_parameters.on:
        return DescribeMood(who=who, persona=w.cast[who])
    resident, half_life = w.people.residents[who], w.mood_parameters.half_life
    mood = mood_at(resident.mood, t, half_life)
    causes = [c for c in ledger(resident.mood, t, half_life) if c.why != OLDER and along(mood, c) >= WORTH]
    causes.sort(key=lambda c: -along(mood, c))
    told: dict[str, Cause] = {}  # each reason once
    for c in causes:
        told.setdefault(c.why, c)
    causes = [*told.values()][:CAUSES]
    stream = w.memories.streams[who]
    latest = stream.nodes[-LATEST:]
    seqs = {c.seq for c in causes}
    people = {p for m in latest if m.seq in seqs for p in m.about}
    telling = [m for m in latest if m.topic and m.kind == "event" and m.seq not in seqs and people & {*m.about}]
    found = retrieve(stream, " ".join(c.why for c in causes), int(t), mood, w.memory_parameters, MEMORIES, telling)
    return DescribeMood(
        who=who,
        persona=w.cast[who],
        labels=anchors.labels(mood, of),
        mood=mood,
        causes=tuple(c.why for c in causes),
        memories=tuple(m.text for m in found),
    )
