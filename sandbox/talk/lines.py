"""The line book as data: the contents of `lines.yaml`, checked; and the kind of a noun phrase used in lines, which they
can require (`is`), so that nothing is said of a person that only fits a sum.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal, get_args

import msgspec
from msgspec.structs import replace

from sandbox.core.fields import MANY, meta
from sandbox.people.claim_model import ENDS
from sandbox.people.persona import KINDS, Persona, Voice

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


# Everyday moves: greeting, chat, opinions, joking, confiding, coldness, parting.
_Greeting = Literal["greet", "how_are_you", "answer_well", "answer_fine", "answer_low"]
_Chat = Literal["small_talk", "small_talk_back", "share_news", "react_news", "ask_plans", "tell_plans"]
_View = Literal["opinion", "agree", "disagree", "ask_about", "answer_about"]
_Jest = Literal["compliment", "thank", "tease", "tease_back", "gossip", "react_gossip"]
_Trust = Literal["vent", "comfort", "complain_back", "worry", "reassure", "remember"]
_Cold = Literal["dodge", "cold_reply", "snap"]
_Parting = Literal["preclose", "bye"]
Everyday = Literal[_Greeting, _Chat, _View, _Jest, _Trust, _Cold, _Parting]
# Moves under pressure: about debts, secrets and love, each other, worries, knowledge.
_Owed = Literal["pay_back", "put_off", "remind", "let_off", "hand_over", "beg_off"]
_Hidden = Literal["confide", "leak", "own_up", "flirt", "declare"]
_Strife = Literal["complain_of", "confront", "apologise", "boast", "challenge"]
_Instead = Literal["expose", "bargain", "appeal", "break_off"]
_Worry = Literal["ask_help", "share_trouble", "ask_straight", "ask_around", "accuse", "be_kind"]
_Rumour = Literal["pass_on", "warn"]
# And the answers to them.
_ToOwed = Literal["take_it", "promise_soon", "grant", "begrudge", "side_with", "soothe"]
_ToHidden = Literal["keep_mum", "gasp", "flirt_back", "laugh_off", "yes_love", "turn_down"]
_ToStrife = Literal["give_in", "hit_back", "pardon", "reject", "applaud", "scoff", "take_up"]
_ToInstead = Literal["strike_bargain", "see_to_it", "so_be_it", "hold_on"]
_ToWorry = Literal["come_clean", "deny", "tell_what", "clear_up", "stand_proud"]
_ToRumour = Literal["cover_up", "bristle"]
_Answer = Literal[_ToOwed, _ToHidden, _ToStrife, _ToInstead, _ToWorry, _ToRumour]
# Moves of a showdown; who is attacked may also hit back.
_Showdown = Literal["call_out", "stand_firm", "take_side", "calm_down", "climb_down", "shake_hands", "walk_off"]
Pressed = Literal[_Owed, _Hidden, _Strife, _Instead, _Worry, _Rumour, _Answer, _Showdown]
# Follow-ups on a matter; a book may lack these (speaker.py: INSTEAD).
Following = Literal["ask_on", "tell_on", "be_glad", "be_glad_back", "turn_aside"]
# News of one's own life: told, answered, asked after.
News = Literal["my_news", "glad_for", "sorry_for", "ask_after", "tell_after"]
# What is written on the feed: posts, what is said under them, and notes to one alone; and what is said in the street of
# what was read there. A book may lack these: then nobody writes there.
_Posts = Literal["post_news", "post_brag", "post_vent", "post_thanks", "post_ask", "post_view", "post_plan"]
_MorePosts = Literal["post_rumour", "post_small", "subtweet", "post_proof", "apologise_all", "beg", "post_clip"]
_Under = Literal["back_up", "chip_in", "have_a_go", "answer_post", "put_right", "pardon_all", "refuse_all"]
_MoreUnder = Literal["answer_back", "quote_for", "quote_against"]
_Note = Literal["note", "note_back"]
_OfPosts = Literal["mention_post", "of_my_post", "tell_post"]
Written = Literal[_Posts, _MorePosts, _Under, _MoreUnder, _Note]
Move = Literal[Everyday, Pressed, Following, News, Written, _OfPosts]
EVERYDAY: tuple[str, ...] = get_args(Everyday)
PRESSED: tuple[str, ...] = get_args(Pressed)
FOLLOWING: tuple[str, ...] = get_args(Following)
NEWS: tuple[str, ...] = get_args(News)
PARTING: frozenset[str] = frozenset(get_args(_Parting))
CIVIL = PARTING | {"greet"}  # moves of meeting and parting
REPORTS = frozenset(("tell_what", "cover_up"))  # answers that may hold a rumour
WRITTEN: tuple[str, ...] = get_args(Written)  # read, not heard
POSTED = frozenset(WRITTEN) - {*get_args(_Note)}  # readable by everybody
MOVES: tuple[str, ...] = get_args(Move)
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
}
_FILLED = "news ago name matter cause recall when topic why third third_fact rumour plan act listener_act place"
FILLED = tuple(_FILLED.split())  # slots that the engine fills
Said = Annotated[str, meta(most=300, exact=True)]
When = dict[str, tuple[str, ...]]


class BookLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to say, in variants. when: criterion -> allowed values; all must hold. cooldown: minutes for one
    speaker. asks: the answer it wants, a keyword that lines of the answering move name under `asked`.
    """

    id: Annotated[str, meta("greet_any", most=80)]
    move: Annotated[Move, meta("greet")]
    say: Annotated[tuple[Said, ...], meta('["Good morning."]')]
    registers: Annotated[tuple[Voice, ...], meta(key="register", distinct="register")] = ()
    when: When = {}
    weight: Annotated[float, meta(low=0.0, high=10.0)] = 1.0
    cooldown: Annotated[int, meta(low=0, high=100_000)] = 240
    asks: Annotated[str, meta(most=40)] = ""


class Variant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to fill a slot."""

    say: Annotated[Said, meta("hello", empty=True)]
    when: When = {}


OWN_AGAIN = 14 * 24 * 60  # cooldown in minutes of a person's own line


class LineBook(msgspec.Struct, frozen=True):
    """All lines, and the grammars of their slots. alone: the world uses none of the shipped lines."""

    lines: Annotated[tuple[BookLine, ...], MANY]
    slots: Annotated[dict[str, tuple[Variant, ...]], MANY]
    alone: bool = False


def own_id(who: str, move: str) -> str:
    """The id of a person's own line for a move."""
    return f"{who}'s {move}"


def with_own(book: LineBook, people: Iterable[Persona]) -> LineBook:
    """A book extended by these people's own lines. Unknown moves are skipped here and reported elsewhere."""
    own = tuple(
        BookLine(own_id(p.id, move), move, say, when={"who": (p.id,)}, cooldown=OWN_AGAIN)  # type: ignore[arg-type]
        for p in people
        for move, say in p.own.items()
        if move in MOVES and say
    )
    return replace(book, lines=book.lines + own) if own else book
