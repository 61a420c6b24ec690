"""Choosing a line and wording it (docs/mechanisms.md, Talk).

A line fits if all its criteria hold; it scores by how specific it is and by the speaker's voice, and loses by recent
use. Slots are small grammars; those the engine fills are facts and never invented here. Everything independent of the
speaker is computed beforehand, and the lines of a move are indexed on shelves by criterion, so that a search costs in
proportion to the fitting lines, not to the book: there are many lines, and talks wait for them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import repeat
from typing import NamedTuple

from sandbox.core.chance import Stream
from sandbox.core.questions import Concern, FromBook, QuestionSpec, is_showable, text_fault
from sandbox.core.text import upper
from sandbox.people.played import SPOKEN
from sandbox.people.wording import add_opening, close_aside, punctuate_opening
from sandbox.talk.lines import (
    CANNOT,
    CIVIL,
    FILLED,
    INSTEAD,
    POSTED,
    PRESSED,
    REPORTS,
    SLOT,
    STANCES,
    BookLine,
    Bucket,
    Criteria,
    LineBook,
    ReadyLine,
    Variant,
    base_scores,
    criteria,
    criteria_hold,
)
from sandbox.talk.saying import Said, Say
from sandbox.talk.sentiment import sentiment

_TWO_STOPS = re.compile(r"(?<!\.)\.\.(?!\.)")  # a slot's full stop and its line's
_SENTENCE = re.compile(r"[.!?…] [\"']?[a-z]")
_ON = re.compile(r" [^\W\d_]")  # the sentence continues
NEAR_BEST = 1.6  # variants within this of the best score can be chosen
TEMPERATURE = 0.45  # of the softmax among them
SAID_BEFORE, SAID_HALF = 14.0, 900.0  # score lost for having been said, and minutes in which that halves
ROUSED = 0.65  # least arousal to exclaim
WEAR, SPENT = 0.9, 16.0  # score lost per hearing, and once it has been heard too often
SELDOM, OFTEN, ONCE = 3, 6, 1  # that limit: usual moves; greetings and goodbyes; posts, which the whole town reads
TURN = 0.3  # chance to announce a change of subject
SUBJECTS, VOICED = ("topic", "matter"), 1.3  # slots that hold phrases of any kind; score of a line for one's voice
FITTING = {  # score of a matching criterion
    "who": 7.0,
    "asked": 8.0,
    "follows": 7.0,
    "after": 5.0,
    "do": 5.0,
    "age": 5.0,
    "left": 2.0,
    "went": 2.0,
    "mood": 1.4,
    "tie": 2.0,
    "claim": 2.0,
    "with": 1.2,
    "end": 0.0,
    "is": 0.0,
}
FITS = 0.55  # score of any other
COOLING, TONE = 2.0, 7.0  # score lost within the cooldown of any variant; weight of sentiment times warmth
MANNERS = 0.15  # share of mood shown in greetings and goodbyes
PLEASED = 0.3  # usual pleasure in talk
GREETED = 7 * 24 * 60  # minutes in which nobody repeats a greeting
TOWARDS = {"close": 0.15, "friendly": 0.08, "sour": -0.35}  # added warmth by tie
IMPRESSION_WARMTH = 1.2  # weight of impressions in warmth
SUBJECT, NAMED = frozenset(("matter", "cause", "topic", "recall")), 1.2  # score of naming the subject
_NEVER = repeat(0.0)


def prepare_line(line: BookLine, deep: dict[str, set[str]]) -> ReadyLine:
    """A line prepared for its scores. deep: grammar slot -> engine-filled slots it always needs."""
    base = sum([FITTING.get(key, FITS) for key in line.when]) + line.weight + (VOICED if line.registers else 0.0)
    keys = line.keys()
    needs = tuple([_needs(text, deep) for text in line.say])
    named = [["recall" in x for x in needs], [not SUBJECT.isdisjoint(x) for x in needs]]
    return ReadyLine(
        line.id,
        line.cooldown,
        line.cooldown if "who" in line.when else GREETED if line.move == "greet" else 0,
        frozenset().union(*needs),
        tuple(zip(keys, line.say, strict=True)),
        keys,
        needs,
        tuple([sentiment(SLOT.sub("", text)) for text in line.say]),
        base_scores(base, NAMED, named, line.wit),
        base_scores(base - COOLING, NAMED, named, line.wit),
    )


def _needs(text: str, deep: dict[str, set[str]]) -> frozenset[str]:
    """The engine-filled slots that a variant needs, itself or in its grammar slots."""
    needs: set[str] = set()
    for name in SLOT.findall(text):
        if name in FILLED:
            needs.add(name)
        needs.update(deep.get(name, ()))
    return frozenset(needs)


def warmth(q: Say, move: str) -> float:
    """How much warmer than usual somebody sounds, in [-1, 1]: by pleasure (mostly hidden by manners in greetings and
    goodbyes), impressions of the other, and the tie.
    """
    if not any(q.pad):
        return 0.0
    shown = MANNERS if move in CIVIL else 1.0
    towards = TOWARDS.get(q.context.get("tie", ""), 0.0)
    return max(-1.0, min(1.0, shown * (q.pad[0] - PLEASED) + IMPRESSION_WARMTH * q.left + towards))


class SlotFiller(NamedTuple):
    """One way to fill a slot. needs: the engine-filled slots it requires."""

    text: str
    when: Criteria
    needs: tuple[str, ...]


def _way(v: Variant) -> SlotFiller:
    return SlotFiller(v.say, criteria(v.when), tuple(name for name in SLOT.findall(v.say) if name in FILLED))


_last: list[tuple[LineBook, Speaker]] = []  # the last one prepared; the minds of a process mostly share one book


def speaker_for(book: LineBook) -> Speaker:
    """The speaker for a book, shared by all minds that use the same one."""
    if not _last or _last[0][0] != book:
        _last[:] = [(book, Speaker(book))]
    return _last[0][1]


class Speaker:
    """The line book, indexed by move. Speaking does not change it."""

    def __init__(self, book: LineBook) -> None:
        self._slots = book.slots
        self._ways = {name: [_way(v) for v in variants] for name, variants in book.slots.items()}
        self._buckets: dict[str, Bucket] = {}
        self._ready: dict[int, ReadyLine] = {}  # by the identity of the line: two may have one id
        self._asks = {line.id: line.asks for line in book.lines if line.asks}
        self._lines = defaultdict[str, list[BookLine]](list)  # by move
        for line in book.lines:
            self._lines[line.move].append(line)
        self._needed = {name: self._deep(name, ()) for name in book.slots}

    def _bucket(self, move: str) -> Bucket:
        """The lines of a move, shelved when it is first made; many moves of a book are rare."""
        if move not in self._buckets:
            bucket = self._buckets[move] = Bucket()
            for line in self._lines[move]:
                bucket.add(line)
        return self._buckets[move]

    def _deep(self, slot: str, above: tuple[str, ...]) -> set[str]:
        """The engine-filled slots that every way of filling a grammar slot needs."""
        ways = []
        for v in self._slots[slot]:
            needs: set[str] = set()
            for name in SLOT.findall(v.say):
                if name in FILLED:
                    needs.add(name)
                elif name in self._slots and name not in above:
                    needs |= self._deep(name, (*above, slot))
            ways.append(needs)
        return set.intersection(*ways) if ways else set()

    def say(self, q: Say, chance: Stream) -> Said:
        """Word the turn: a line for each move, joined. Raises KeyError for a move without lines."""
        parts, used = [], []
        for move in q.moves:
            try:
                key, line = self._choose(q, move, chance)
            except KeyError:
                if move != "greet" or len(q.moves) == 1:
                    raise
                continue  # all greetings were used this week
            used.append(key)
            parts.append(self._realise(line, q, chance, {}))
        if (
            q.context.get("turns") == "true"
            and "turn" in self._ways
            and chance.unit() < TURN
            and not has_habit(parts[-1], q)
        ):
            parts[-1] = add_opening(parts[-1], self._variant(self._ways["turn"], q, chance))
        else:
            parts[-1] = add_habit(parts[-1], q, chance)
        text = " ".join(parts)
        if len(text) > SPOKEN:  # too long: drop the greeting
            text, used = parts[-1], used[-1:]
        if q.moves[-1] in ("greet", "small_talk", "opinion", "bye") and q.catchphrase and chance.unit() < 0.02:
            text = f"{text} {q.catchphrase}"
        return Said(_form(text, q), tuple(used))

    def _choose(self, q: Say, move: str, chance: Stream) -> tuple[str, str]:
        """Key and text of one of the best variants, by softmax; of INSTEAD if a world lacks lines, else KeyError."""
        found, scores = self._weighed(q, move)
        top = max(scores, default=CANNOT)
        if top == CANNOT and move in INSTEAD:
            return self._choose(q, INSTEAD[move], chance)
        if top == CANNOT:
            raise KeyError(f"no line for {move} with {sorted(q.slots)}")
        near = [(s, c) for s, c in zip(scores, found, strict=True) if s >= top - NEAR_BEST]
        return chance.softmax([c for _, c in near], [s for s, _ in near], TEMPERATURE)

    def _weighed(self, q: Say, move: str) -> tuple[list[tuple[str, str]], list[float]]:
        """All variants of the fitting lines, in book order, with their scores (CANNOT if a slot is missing)."""
        given = {name for name, words in q.slots.items() if words}
        leads = q.turn % 2 == 0  # the leader names the matter
        must = given & {"rumour"} if move in REPORTS else given & {"more"} if move in STANCES else frozenset()
        avoid, unsaid = q.avoid, q.avoid.keys().isdisjoint
        found: list[tuple[str, str]] = []
        worth: list[float] = []
        heard: list[float] = []
        tones: list[float] = []
        said: list[tuple[int, int]] = []  # index in found, and minutes since said
        resting: list[int] = []
        facts = {**q.context, "voice": q.voice, "who": q.who, "asked": self._asks.get(q.answers.rpartition("#")[0], "")}
        for line in self._bucket(move).fitting(facts, q.traits):
            offer = self._ready.get(id(line))
            if offer is None:  # half of a day's lines never fit
                offer = self._ready[id(line)] = prepare_line(line, self._needed)
            scores = offer.scores[q.wit]
            if not unsaid(offer.keys):
                since = [
                    (i, (q.now - avoid[key]) // 60) for i, key in enumerate(offer.keys, len(found)) if key in avoid
                ]
                said += since
                resting += [i for i, minutes in since if minutes < offer.rests]
                if min(minutes for _, minutes in since) < offer.cooldown:
                    scores = offer.cooled[q.wit]
            if not must and offer.wants <= given:
                worth += scores[leads]
            else:
                both = zip(scores[leads], offer.needs, strict=True)
                worth += [x if must <= needs <= given else CANNOT for x, needs in both]
            found += offer.choices
            tones += offer.tones
            heard += map(q.heard.get(offer.line, {}).get, offer.keys, _NEVER)
        often = (OFTEN if move in CIVIL else ONCE if move in POSTED or q.PUBLIC else SELDOM) - 0.5
        warm = TONE * warmth(q, move)
        fits = [
            x + warm * tone - (WEAR * n if n <= often else WEAR * n + SPENT)
            for x, tone, n in zip(worth, tones, heard, strict=True)
        ]
        for i, minutes in said:
            fits[i] -= SAID_BEFORE * float(0.5 ** (minutes / SAID_HALF))
        for i in resting:
            fits[i] = CANNOT
        return found, fits

    def _realise(self, text: str, q: Say, chance: Stream, chosen: dict[str, str]) -> str:
        """A text with its slots filled. chosen: slot -> what it has been filled with in this line."""

        def fill(match: re.Match[str]) -> str:
            name = match[1]
            if name not in chosen:
                own = habitual_words(name, q, chance)
                if own:
                    chosen[name] = own
                elif name in self._slots:
                    chosen[name] = self._realise(self._variant(self._ways[name], q, chance), q, chance, chosen)
                else:
                    chosen[name] = q.slots.get(name, "")
            goes_on = name in SUBJECTS and _ON.match(match.string, match.end())
            return close_aside(chosen[name]) if goes_on else chosen[name]

        return SLOT.sub(fill, text)

    @staticmethod
    def _variant(ways: list[SlotFiller], q: Say, chance: Stream) -> str:
        fitting: list[str] = []
        for way in ways:
            if way.when and not criteria_hold(way.when, q.context, q.traits):
                continue
            if way.needs and not all(map(q.slots.get, way.needs)):
                continue
            fitting += [way.text] * (3 if way.when else 1)
        return chance.choice(fitting) if fitting else ""


def _form(text: str, q: Say) -> str:
    """The final form: capitals and single spaces; a roused speaker exclaims, a low and calm one trails off."""
    text = " ".join(text.split())
    text = text.replace(" ,", ",").replace(",,", ",").replace(",.", ".")
    text = _TWO_STOPS.sub(".", text)
    text = _SENTENCE.sub(lambda m: m[0][:-1] + m[0][-1].upper(), text)
    if "a" <= text[:1] <= "z":
        text = upper(text)
    p, a, _ = q.pad
    if text.endswith(".") and not text.endswith(".."):
        if a > ROUSED:
            text = text[:-1] + "!"
        elif p < -0.35 and a < 0.1:
            text = text[:-1] + "…"
    return text


# ---- habits of speech: pet words, oaths, openings, endings and forms of address. They replace the general grammars of
# their slots, and now and then are added to the edge of other lines; not in farewells or grave lines, where they jar.


OWN = 0.75  # chance that an own word fills its slot
START, CALL, END, ASIDE = 0.34, 0.1, 0.08, 0.14  # chances of an opening, address, tag and aside
UNADORNED = CIVIL | {"sorry_for", "turn_aside", "dodge", "cold_reply"}  # moves that get no opening
STATEMENTS = frozenset(
    ("opinion", "agree", "disagree", "share_news", "gossip", "react_gossip", "vent", "tell_plans", "tell_on")
)
GRAVE = frozenset(PRESSED) | {"comfort", "reassure", "snap", "cold_reply", "answer_low"}
IDLE = frozenset(("small_talk", "small_talk_back", "answer_fine", "answer_well", "tell_plans"))
HARSH = frozenset(("angry", "afraid", "contempt"))
_STATES = re.compile(  # a statement long enough to take an opening
    r"(?:I|It|There|That|This|My|The|A|We|They|Nobody|Somebody|Everybody)\b[^ ]*(?: [^ .!?]+){3}"
)
_LAST = re.compile(r"[.!?:;] ")


def habitual_words(slot: str, q: Say, chance: Stream) -> str:
    """Somebody's own words for a slot, with punctuation; "" to leave it to the grammar: by chance, and for a slot
    that is no habit's, a habit they have not, or an address where `_sour`. An "opener" is a greeting; a "filler" is an
    opening (`speech.starts`).
    """
    speech = q.speech
    habits = {
        "opener": speech.openers,
        "filler": speech.starts,
        "address": () if _sour(q) else speech.addresses,
        "tag": speech.tags,
        "oath": speech.oaths,
    }.get(slot, ())
    if not habits or chance.unit() >= OWN:
        return ""
    found = chance.choice(habits)
    return punctuate_opening(found) if slot == "filler" else f", {found}" if slot in ("address", "tag") else found


def _sour(q: Say) -> bool:
    """Whether mood or tie forbids calling the other by a pet name."""
    return q.context.get("tie") == "sour" or q.context.get("mood") in HARSH


def add_habit(text: str, q: Say, chance: Stream) -> str:
    """A line with one of the speaker's habits added, by chance, if it has none yet and can take one."""
    speech, move = q.speech, q.moves[-1]
    x = chance.unit()
    if has_habit(text, q):
        return text
    if move in IDLE and speech.asides and x > 1.0 - ASIDE and "?" not in text:
        return f"{text} {chance.choice(speech.asides)}"
    if x < START:
        bears = speech.starts and move not in UNADORNED and "?" not in text and _STATES.match(text)
        return add_opening(text, chance.choice(speech.starts)) if bears else text
    if x < START + CALL:
        if _sour(q) or move in GRAVE or not speech.addresses or q.slots.get("name", "") in text:
            return text
        return _ended(text, chance.choice(speech.addresses), ".!?")
    if x < START + CALL + END and speech.tags and move in STATEMENTS and "," not in _LAST.split(text[:-1])[-1]:
        return _ended(text, chance.choice(speech.tags), ".")
    return text


def has_habit(text: str, q: Say) -> bool:
    """Whether a text already contains one of the speaker's habits."""
    said, speech = text.lower(), q.speech
    return any(x.lower() in said for x in (*speech.starts, *speech.addresses, *speech.tags, *speech.oaths))


def _ended(text: str, end: str, marks: str) -> str:
    """A text with an ending inserted before its final mark, if that is one of `marks`."""
    return f"{text[:-1]}, {end}{text[-1]}" if text and text[-1] in marks and not text.endswith("..") else text


# ---- the question


def words_fault(q: Say, a: Said) -> str:
    """Why an answer is no words that can be shown; "" if it is."""
    return text_fault(a.text, SPOKEN) or ("" if all(map(is_showable, a.variants)) else "variants without a name")


_SLOTS = {"name": "Bo", "act": "kneading dough", "place": "the bakery"}
SAY = QuestionSpec(
    question=Say, answer=Said, name="Say", rule=FromBook(lambda book: speaker_for(book).say), fault=words_fault,
    samples=(Say("ann", moves=("greet", "small_talk"), slots=_SLOTS, other="bo"),),
    concerns=lambda q: Concern(q.other, words=q.slots.get("topic", "")), taken=True, asks="say", asked=True,
)  # fmt: skip
QUESTIONS = (SAY,)
