"""The line book as data: the contents of `lines.yaml`, checked; and the kind of a noun phrase used in lines, which they
can require (`is`), so that nothing is said of a person that only fits a sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from sandbox.core.faults import Faults
from sandbox.core.fields import MANY, meta
from sandbox.core.places import data_dir
from sandbox.core.structs import read
from sandbox.core.textfiles import MappingReader, open_yaml
from sandbox.people.claim_model import ENDS
from sandbox.people.matter_model import FACT_KEYS
from sandbox.people.mood import OCC
from sandbox.people.persona import KINDS, Persona, Voice
from sandbox.people.pressure_deck import WARN

PERSON, THING, THINGS, DEED, SUM, PLACE, HOUR, EVENT, QUESTION = PHRASE_KINDS = (
    "person", "thing", "things", "deed", "sum", "place", "hour", "event", "question",
)  # fmt: skip
_UNITS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen"
    "|eighteen|nineteen"
)
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = (
    rf"(?:\d[\d,]*|(?:a|{_UNITS}) hundred(?: and [\w-]+)*|(?:{_TENS})(?:-(?:{_UNITS}))?|(?:a|{_UNITS}) thousand"
    rf"|{_UNITS})"
)
_SUM = re.compile(
    rf"^(?:about |some |all of )?{_NUMBER}(?: coins?)?"
    r"(?=$|,| (?:of(?! (?:us|them|you)\b)|on|owed|in|from|missing|for|more|out|until|that)\b)",
    re.I,
)
_COUNT = re.compile(rf"^(?:the )?(?!one ){_NUMBER} (?!o'clock)", re.I)
_HOUR = re.compile(
    rf"^(?:half past|a quarter (?:to|past)|noon|midnight|{_NUMBER} in the (?:morning|evening|afternoon))\b", re.I
)
_DEED = re.compile(r"^(?:not )?[a-z-]+ing\b")  # case-sensitive: a capital begins a name
_NO_DEED = re.compile(
    r"^(?:string|king|ring|wing|thing|nothing|something|anything|everything|morning|evening|spring|spelling|surprise)\b",
    re.I,
)
_QUESTION = re.compile(
    r"^(?:(?:for|to|of|with|by|from) )?(?:what|where|who|whom|whose|how|why|when|whether|which|whatever|whoever)\b",
    re.I,
)
_PERSON = re.compile(
    r"(?:grand)?(?:father|mother|son|daughter)|man|woman|boy|girl|child|brother|sister|wife|husband|friend|landlord"
    r"|mayor|clerk|doctor|nurse|baker|miller|nephew|niece|uncle|aunt|cousin|neighbour|heir|somebody|someone|nobody"
    r"|everybody|customer|student|teacher|buyer|joiner|poet|sleeper"
)
_EVENT = re.compile(
    r"vote|race|quiz|rehearsal|practice|wedding|birthday|funeral|market|supper|dance|match|contest|concert|night"
    r"|evening|lunch|feast|auction|rescue|day|afternoon"
)
_PLACE = re.compile(r"meadow|square|park|chapel|library|clinic|street|bridge|loft|jetty|lake|river|cafe|town")
_TELLS_MORE = re.compile(
    r"(?<! same) (?:of|that|which|who|whom|whose|with|without|in|on|under|over|for|to|from|at|by|behind|and|about|not"
    r"|but|when|where|into|off|out|half|as|than|between|against|across|above|along|among|around|beside|beyond|during|near"
    rf"|within|through|after|before|beneath|up|down|still|too|so|left|found|{_UNITS}"
    r"|got|made|felt|kept|heard|taken|taught|lent|put|read|missing|\w+(?:[^e]ed|en|ing))\b|[,:;(]"
)
_HEAD = re.compile(
    r"(?:(?:a|an|the|one|some|this|that|his|her|my|[\w-]+['’]s?) )?[\w'’-]+", re.I
)  # the least that belongs to the head
_MANY = re.compile(r"people|police|men|women|children|feet|teeth|geese|mice|cattle")
_ONE = re.compile(r"(?:ss|us|is|yes|ics|news|lens|gas|bus|mas|las|['’]s)$")


@lru_cache(maxsize=4000)
def kind_of(phrase: str) -> str:
    """The kind of a noun phrase, by its words."""
    text = phrase.strip()
    for kind, pattern in ((HOUR, _HOUR), (SUM, _SUM), (QUESTION, _QUESTION)):
        if pattern.match(text):
            return kind
    if _DEED.match(text) and not _NO_DEED.match(text):
        return DEED
    noun = _noun(text)
    if _PERSON.fullmatch(noun):
        return PERSON
    if _EVENT.fullmatch(noun):
        return EVENT
    if _PLACE.fullmatch(noun):
        return PLACE
    return (
        THINGS
        if _COUNT.match(text) or (noun.endswith("s") and not _ONE.search(noun)) or _MANY.fullmatch(noun)
        else THING
    )


def _noun(text: str) -> str:
    """The head noun: the last word before its modifiers begin."""
    head = _HEAD.match(text)
    more = _TELLS_MORE.search(text, head.end() if head is not None else 0)
    words = re.findall(r"[\w'’-]+", text[: more.start()] if more is not None else text)
    return words[-1].casefold() if words else ""


# An OCC emotion, and its intensity in [0, 1].
Emotion = Annotated[
    tuple[Annotated[str, meta(options=OCC, what="emotion")], Annotated[float, meta(low=0, high=1)]],
    meta(names=("emotion", "intensity"), pair="an emotion and its intensity"),
]


class MoveRow(msgspec.Struct, frozen=True):
    """What is declared of a move. speaker, listener: the emotion it gives them ("" = none), with its intensity;
    valence: how warm it is. said, heard: the reason in the mood ledger of the speaker, and of the listener (from
    {name}). instead: the move whose lines are said where a world has none for this one ("" = it must have some).

    subjects: those it can have, if it leads an exchange or is written ("" = none); fills: slots that they fill;
    answers: moves that answer it, the usual one first. question: whether its lines may ask something, and wait for an
    answer. help: which help it asks for.
    """

    speaker: Emotion = ("", 0.0)
    listener: Emotion = ("", 0.0)
    valence: Annotated[float, meta(low=-1, high=1)] = 0.0
    said: Annotated[str, meta(most=80)] = "a few words"
    heard: Annotated[str, meta(most=80)] = "a few words with {name}"
    instead: Annotated[str, meta(most=40)] = ""
    subjects: tuple[Annotated[str, meta(most=40, empty=True)], ...] = ()
    fills: tuple[Annotated[str, meta(most=40)], ...] = ()
    answers: tuple[Annotated[str, meta(most=40)], ...] = ()
    question: Annotated[str, meta(options=("answered", "rhetorical"), blank=True, what="question")] = ""
    help: Annotated[str, meta(options=("advice", "hand", "loan", "word"), blank=True, what="help")] = ""


def _read_moves() -> dict[str, dict[str, MoveRow]]:
    """Group -> its moves."""
    faults = Faults()
    groups = MappingReader(open_yaml(data_dir() / "moves.yaml", faults)).entries()
    found = {
        group: {move: read(MoveRow, row.mapping()) for move, row in rows.mapping().entries()} for group, rows in groups
    }
    assert not len(faults), "\n".join(map(str, faults))
    return found


_GROUPS = _read_moves()
ROWS = {move: row for moves in _GROUPS.values() for move, row in moves.items()}
MOVES = tuple(ROWS)
Move: TypeAlias = str
if not TYPE_CHECKING:
    Move = Literal[MOVES]  # so that one that there is not is refused by its name
PARTING = frozenset(_GROUPS["parting"])
EVERYDAY = (*_GROUPS["everyday"], *_GROUPS["parting"])
PRESSED, FOLLOWING, NEWS = tuple(_GROUPS["pressed"]), tuple(_GROUPS["following"]), tuple(_GROUPS["news"])
POSTED = frozenset(_GROUPS["posts"])  # readable by everybody
WRITTEN = (*_GROUPS["posts"], *_GROUPS["notes"])  # read, not heard
EFFECTS = {move: row for move, row in ROWS.items() if move not in WRITTEN}
INSTEAD = {move: row.instead for move, row in ROWS.items() if row.instead}
RHETORICAL = frozenset(move for move, row in ROWS.items() if row.question == "rhetorical")
ASKS = frozenset(move for move, row in ROWS.items() if row.question)  # moves whose lines may hold a question
CIVIL = PARTING | {"greet"}  # moves of meeting and parting
REPORTS = frozenset(("tell_what", "cover_up"))  # answers that may hold a rumour
STANCES = frozenset(_GROUPS["facts"])  # moves that tell a fact of a matter, ask for it, or take it up
FOLLOWED = {move: ROWS[move].answers[0] for move in ("ask_on", "be_glad")}  # follow-up moves and their answers
SORRY = "sorry_for"  # the answer to bad news
COLD = frozenset(("turn_aside", "cold_reply", "dodge", "snap"))  # answers that end a subject
LOUD = frozenset(("snap", WARN, *NEWS))  # moves that are never without words
REGISTERS: tuple[str, ...] = get_args(Voice)
_PLACES = "home work market cafe bar school park chapel shop library clinic hall street meadow"
CRITERIA: dict[str, tuple[str, ...]] = {
    "hour": ("morning", "midday", "afternoon", "evening", "night"),
    "mood": ("happy", "sad", "angry", "afraid", "calm", "surprised", "contempt", "bored"),
    "listener_mood": ("happy", "sad", "angry", "afraid", "calm", "surprised", "contempt", "bored"),
    "tie": ("close", "friendly", "cool", "stranger", "sour"),
    "place": tuple(_PLACES.split()),
    "with": ("family", "housemate", "colleague", "neighbour", "child", "elder"),
    "trait": (),
    "stance": ("for", "against", "same", "opposed"),
    "first_today": ("true", "false"),
    "left": ("warm", "sore"),
    "went": ("warm", "sore"),
    "arousal": ("high", "low"),
    "hurry": ("true", "false"),
    "topic_kind": ("like", "concern", "opinion", "occasion", "memory", "pressure", "rumour", "post", "news"),
    "pressure": KINDS,
    "stage": ("0", "1", "2", "3"),
    "after": ("good", "open", "bad", "row"),
    "came": ("true", "false"),
    "do": (),
    "told": ("good", "bad", "row", "love", "owed", "hidden", "race", "worry"),
    "age": ("child", "teen", "adult", "elder"),
    "who": (),
    "claim": (),
    "end": ENDS,
    "is": PHRASE_KINDS,
    "asked": (),
    "fact": FACT_KEYS,
    "of": ("me", "you", "other", "it"),
    "follows": ("fact",),
}
_FILLED = (
    "news ago name matter cause recall when topic why third third_fact rumour plan act listener_act place"
    " fact denied asked short short_no short_q to_do more"
)
FILLED = tuple(_FILLED.split())  # slots that the engine fills
Said = Annotated[str, meta(most=300, exact=True)]
When = dict[str, tuple[str, ...]]


class BookLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to say, in variants. when: criterion -> allowed values; all must hold. cooldown: minutes for one
    speaker. asks: the answer it wants, a keyword that lines of the answering move name under `asked`. wit: the numbers
    of the variants that joke.
    """

    id: Annotated[str, meta("greet_any", most=80)]
    move: Annotated[Move, meta("greet", what="move")]
    say: Annotated[tuple[Said, ...], meta('["Good morning."]')]
    registers: Annotated[tuple[Voice, ...], meta(key="register", distinct="register")] = ()
    when: When = {}
    weight: Annotated[float, meta(low=0.0, high=10.0)] = 1.0
    cooldown: Annotated[int, meta(low=0, high=100_000)] = 240
    asks: Annotated[str, meta(most=40)] = ""
    wit: tuple[int, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """The keys of its variants, as what is said names them."""
        return tuple([f"{self.id}#{i}" for i in range(len(self.say))])


class SpokenVariant(msgspec.Struct, frozen=True):
    """A variant of a line in a file. wit: whether it jokes."""

    say: Annotated[Said, meta("Good morning.")]
    wit: bool = False


class Variant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to fill a slot."""

    say: Annotated[Said, meta("hello", empty=True)]
    when: When = {}


def witty_variants(lines: Iterable[BookLine]) -> frozenset[str]:
    """The keys of all variants that joke."""
    return frozenset(key for line in lines if line.wit for i, key in enumerate(line.keys()) if i in line.wit)


OWN_AGAIN = 14 * 24 * 60  # cooldown in minutes of a person's own line


class LineBook(msgspec.Struct, frozen=True):
    """All lines, and the grammars of their slots. alone: the world uses none of the shipped lines."""

    lines: Annotated[tuple[BookLine, ...], MANY]
    slots: Annotated[dict[str, tuple[Variant, ...]], MANY]
    alone: bool = False


def own_id(who: str, move: str) -> str:
    """The id of a person's own line for a move."""
    return f"{who}'s {move}"


def unfit_variants(file: Persona, now: Persona) -> tuple[str, ...]:
    """The variants of somebody's own lines that presume a claim they do not have now."""
    own = ((move, i, say) for move, lines in file.own.items() for i, say in enumerate(lines))
    return tuple(f"{own_id(file.id, move)}#{i}" for move, i, say in own if say not in now.own[move])


def with_own(book: LineBook, people: Iterable[Persona]) -> LineBook:
    """A book extended by these people's own lines. Unknown moves are skipped here and reported elsewhere."""
    own = tuple(
        BookLine(own_id(p.id, move), move, say, when={"who": (p.id,)}, cooldown=OWN_AGAIN)
        for p in people
        for move, say in p.own.items()
        if move in MOVES and say
    )
    return replace(book, lines=book.lines + own) if own else book


# ---- lines indexed for the search


SLOT = re.compile(r"\{(\w+)\}")
SIDES = ("same", "opposed")
Criteria = tuple[tuple[str, tuple[str, ...]], ...]  # criterion -> allowed values, all of which must hold
Worth = tuple[tuple[float, ...], ...]
CANNOT = float("-inf")  # the score of what cannot be said


class ReadyLine(NamedTuple):
    """A line as it is scored. line: its id. rests: minutes in which nobody repeats a variant under any circumstances.
    wants: the engine-filled slots that all its variants require together. The others are per variant: key and text,
    key, those slots, sentiment without slots, and base scores where no joke is called for and where one may be, each in
    an answer and in a lead; as usual and in the cooldown.
    """

    line: str
    cooldown: int
    rests: int
    wants: frozenset[str]
    choices: tuple[tuple[str, str], ...]
    keys: tuple[str, ...]
    needs: tuple[frozenset[str], ...]
    tones: tuple[float, ...]
    scores: tuple[Worth, Worth]
    cooled: tuple[Worth, Worth]


def base_scores(base: float, more: float, named: list[list[bool]], wit: tuple[int, ...]) -> tuple[Worth, Worth]:
    """Base scores where no joke is called for, and where one may be. more: for naming the subject; named: of an answer
    and of a lead, whether each variant does; wit: the variants that joke.
    """
    usual = tuple([tuple([base + more * names for names in side]) for side in named])
    barred = tuple([tuple([CANNOT if i in wit else x for i, x in enumerate(side)]) for side in usual])
    return (barred if wit else usual), usual


class Bucket:
    """The lines of a move: those without criteria, and the others on shelves, each under its criterion with the fewest
    values. Lines keep their place in the book.
    """

    def __init__(self) -> None:
        self._count = 0
        self._common: dict[int, tuple[BookLine, Criteria]] = {}  # with the criteria that its shelf has not checked
        self._shelves: dict[str, dict[str, dict[int, tuple[BookLine, Criteria]]]] = {}

    def add(self, line: BookLine) -> None:
        """Append a line."""
        self._count += 1
        when = line_criteria(line)
        if not when:
            self._common[self._count] = line, when
            return
        key, allowed = first = min(when, key=lambda criterion: len(criterion[1]))
        shelved = line, tuple([x for x in when if x is not first])
        shelves = self._shelves.setdefault(key, {})
        for value in allowed:
            shelves.setdefault(value, {})[self._count] = shelved

    def fitting(self, facts: dict[str, str], traits: tuple[str, ...]) -> list[BookLine]:
        """The lines whose criteria all hold, in book order."""
        found = self._common.copy()
        for key, shelves in self._shelves.items():
            for value in traits if key == "trait" else (facts.get(key, ""),):
                if value in shelves:
                    found.update(shelves[value])
        offers = [found[place] for place in sorted(found)]
        return [line for line, when in offers if not when or criteria_hold(when, facts, traits)]


def line_criteria(line: BookLine) -> Criteria:
    """All criteria of a line, the voices it is for among them."""
    return ((("voice", line.registers),) if line.registers else ()) + criteria(line.when)


def criteria(when: dict[str, tuple[str, ...]]) -> Criteria:
    """Criteria in the form used for search; "stance" with same/opposed becomes "sides"."""
    return tuple([("sides" if k == "stance" and v[0] in SIDES else k, v) for k, v in when.items()])


def criteria_hold(when: Criteria, facts: dict[str, str], traits: tuple[str, ...]) -> bool:
    """Whether all criteria hold for these facts and traits."""
    for key, allowed in when:
        if not any(t in allowed for t in traits) if key == "trait" else facts.get(key) not in allowed:
            return False
    return True
