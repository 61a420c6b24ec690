"""A talk, a showdown or a decision as a script: who says or does what, in order, and the outcome.

All words are from the log. Whoever stages it decides on pace and picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from sandbox.core.events import Record, Stamp
from sandbox.core.text import join_names, upper
from sandbox.drama.outcomes import Decided
from sandbox.drama.taking_sides import ABOUT, PEACE, Showdown
from sandbox.people.claim_model import Made
from sandbox.people.model import Felt
from sandbox.people.mood import Pad
from sandbox.people.mood_words import colour
from sandbox.people.pressure_model import Ended
from sandbox.readers.all_stories import event_moods, event_sentence, kinds_where
from sandbox.readers.phrases import before, intent_words
from sandbox.readers.stories_of_pressures import ORDINALS
from sandbox.readers.story import Teller
from sandbox.readers.talks import TalkLine, TalkStory
from sandbox.talk.model import ScoredRule
from sandbox.town.plan import CONTEST, VOTE

TONE = 0.3  # valence of words: from -TONE down they are said in anger, from TONE up with joy
PLACES = 6  # places of a contest that are announced
REASONS = 2  # reasons given, at most
FOR, AGAINST, PEACEFUL = "for", "against", "for peace"
# Kinds of event read from the log for the outcome and the moods after it.
CAME_OF = (*kinds_where(lambda story: story.begins or story.ends), Made.KIND, Felt.KIND)


class Beat(NamedTuple):
    """One thing said or done. who: by whom; to: to whom ("" = everybody). text: the words; spoken: False if they
    describe an act. note: what it means, in a few words. moods: person -> colour of their mood after it; tone: colour
    of the words, where moods are unknown. side: whose side it puts the person on ("" = none).
    """

    who: str
    to: str
    text: str
    spoken: bool = True
    note: str = ""
    moods: Mapping[str, str] = {}
    tone: str = ""
    side: str = ""


class SceneScript(NamedTuple):
    """A whole script. title: the people or the occasion; about: what is at stake, a clause; where: an address; t: its
    first second. who: those who speak or decide, in order; there: onlookers. moods, after: person -> colour of their
    mood at the beginning and at the end. outcome: sentences.
    """

    title: str
    about: str
    where: str
    t: int
    who: tuple[str, ...]
    there: tuple[str, ...]
    moods: Mapping[str, str]
    beats: tuple[Beat, ...]
    outcome: tuple[str, ...]
    after: Mapping[str, str] = {}


def consequences_of(records: Iterable[Record], seqs: Iterable[int]) -> list[Record]:
    """The records that came of these events, directly or through others. Records must be in order."""
    known, out = set(seqs), []
    for record in records:
        if not known.isdisjoint(record.stamp.causes):
            known.add(record.stamp.seq)
            out.append(record)
    return out


def sentences(records: Iterable[Record], teller: Teller) -> tuple[str, ...]:
    """Records as sentences, without moods, each sentence once."""
    return tuple(
        dict.fromkeys(upper(event_sentence(record, teller)) for record in records if not [*event_moods(record)])
    )


def mood_colours(records: Iterable[Record]) -> tuple[dict[str, str], dict[str, str]]:
    """The colours of people's moods before the first of these records and after the last."""
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for m in (m for record in records for m in event_moods(record)):
        first.setdefault(m.who, colour(before(m.after, m.delta)))
        last[m.who] = colour(Pad(*m.after))
    return first, last


class SettledScene(NamedTuple):
    """A showdown, or the decision of an occasion, with its stamp."""

    stamp: Stamp
    event: Showdown | Decided


def settled(record: Record, causes: Iterable[Record]) -> SettledScene | None:
    """The showdown or decision that an event is, or that ended a pressure, else None. causes: of the event."""
    found = [record, *causes] if isinstance(record.event, Ended) else [record]
    return next((SettledScene(at, e) for at, e in found if isinstance(e, Showdown | Decided)), None)


def of_settled(
    found: SettledScene, teller: Teller, places: Mapping[str, str], records: Sequence[Record]
) -> SceneScript:
    """The script of a showdown or decision. places: occasion of that day -> address; records: what came of it."""
    at, e = found
    if isinstance(e, Showdown):
        return of_showdown(e, at, teller, records)
    return of_decision(e, at, places.get(e.occasion, ""), teller, records)


# ---- a talk


def of_talk(story: TalkStory, teller: Teller, there: Iterable[str], records: Sequence[Record]) -> SceneScript:
    """The script of a talk, finished or not. there: onlookers; records: what came of it."""
    matter = next((teller.matters[deed.matter] for deed in story.deeds if deed.matter in teller.matters), None)
    a, b = (teller.name(who) for who in story.who)
    about = (
        matter.gist
        if matter is not None and matter.gist
        else f"{a} wanted {intent_words(teller.handbook, story.intent)}"
    )
    after = {who: colour(new) for who, (_, new) in story.moved.items()}
    return SceneScript(
        f"{a} and {b}", about, story.place, story.since, story.who, tuple(there),
        {who: colour(old) for who, (old, _) in story.moved.items()},
        tuple(beat for _, lines in groupby(story.lines, key=lambda line: line.seq)
              for beat in _exchange(story, teller, list(lines))),
        _outcome(story, teller, records), after,
    )  # fmt: skip


def _exchange(story: TalkStory, teller: Teller, lines: Sequence[TalkLine]) -> list[Beat]:
    """The beats of one exchange. A line moves the mood of the listener; the last one also that of the speaker."""
    seq = lines[0].seq
    shifts = {shift.who: colour(Pad(*shift.after)) for at, shift in story.shifts if at == seq}
    deed = next((deed for deed in story.deeds if deed.seq == seq), None)
    exchange = teller.handbook.drama.exchanges.get(deed.do) if deed is not None else None
    out = []
    for n, line in enumerate(lines):
        other = story.other(line.who)
        note = line.move.replace("_", " ")
        if deed is not None and exchange is not None:
            mine = line.who == deed.who
            note = exchange.did.format(to=teller.name(deed.who if not mine else other))
            note = note if mine else exchange.took.get(deed.answer, line.move.replace("_", " "))
        last = n == len(lines) - 1
        moods = {who: mood for who, mood in shifts.items() if last or who == other}
        out.append(Beat(line.who, other, line.text, note=note, moods=moods))
    return out


def _outcome(story: TalkStory, teller: Teller, records: Sequence[Record]) -> tuple[str, ...]:
    changes = tuple(change.text for change in story.changes)
    a, b = (teller.name(who) for who in story.who)
    if story.ended < 0:
        nothing: tuple[str, ...] = (f"{a} and {b} are still talking",)
    else:
        nothing = (f"It left things as they were between {a} and {b}",)
    return tuple(dict.fromkeys((*sentences(records, teller), *changes))) or nothing


# ---- a showdown


def of_showdown(e: Showdown, stamp: Stamp, teller: Teller, records: Sequence[Record]) -> SceneScript:
    """The script of two people who have it out before everybody. records: what came of it."""
    first, last = mood_colours(records)
    beats = []
    for n, turn in enumerate(e.turns):
        who, valence = turn.line.who, turn.line.valence
        tone = "angry" if valence <= -TONE else "joy" if valence >= TONE else ""
        side, note = "", ("calls to account" if not n else turn.line.move.replace("_", " "))
        if who not in e.two:
            friend = teller.name(e.two[turn.side == ABOUT])
            side = PEACEFUL if turn.side == PEACE else f"for {friend}"
            note = "asks for peace" if turn.side == PEACE else f"stands by {friend}"
        why = main_reasons(turn.why, -1.0 if turn.side == ABOUT and side else 1.0)
        beats.append(Beat(who, turn.to, turn.line.text, note=f"{note}: {why}" if why else note, tone=tone, side=side))
    return SceneScript(
        join_names([teller.name(who) for who in (stamp.actor, *(x for x in e.two if x != stamp.actor))]), e.about,
        e.where, stamp.t, e.speakers, e.there, first, tuple(beats),
        tuple(dict.fromkeys((f"In the end {e.says}", *sentences(records, teller)))), last,
    )  # fmt: skip


# ---- a vote or a contest


def of_decision(e: Decided, stamp: Stamp, where: str, teller: Teller, records: Sequence[Record]) -> SceneScript:
    """The script of a vote (by voter) or of a contest (last place first). where: an address; records: the results."""
    first, last = mood_colours(records)
    beats = [_vote(e, n, teller) for n in range(len(e.parts))] if e.how == VOTE else []
    if e.how == CONTEST:
        placed = list(enumerate(e.parts[:PLACES], 1))
        beats = [
            Beat(p.who, "", f"{teller.name(p.who)} comes {ORDINALS.get(n, f'{n}th')}", False, main_reasons(p.why))
            for n, p in reversed(placed)
        ]
    took = tuple(p.who for p in e.parts)
    return SceneScript(
        e.title, e.about, where, stamp.t, took, tuple(who for who in e.there if who not in took), first, tuple(beats),
        tuple(dict.fromkeys((upper(e.says.removesuffix(".")), *sentences(records, teller)))), last,
    )  # fmt: skip


def _vote(e: Decided, n: int, teller: Teller) -> Beat:
    part = e.parts[n]
    way = FOR if part.yes else AGAINST
    text = f"{teller.name(part.who)} votes {way} {e.about}"
    return Beat(part.who, "", text, False, main_reasons(part.why, 1.0 if part.yes else -1.0), side=way)


def main_reasons(rules: Iterable[ScoredRule], sign: float = 1.0) -> str:
    """The weightiest rules in favour, in words. sign: -1 if values below 0 are in favour."""
    most = sorted((rule for rule in rules if sign * rule.value > 0), key=lambda rule: -abs(rule.value))
    return "; ".join(rule.name for rule in most[:REASONS])
