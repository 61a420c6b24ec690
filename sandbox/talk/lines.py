"""The line book as data: the contents of `lines.yaml`, checked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, get_args

import msgspec
from msgspec.structs import replace

from sandbox.core.fields import MANY, meta
from sandbox.people.claim_model import ENDS
from sandbox.people.persona import KINDS, Persona, Voice
from sandbox.talk.phrase_kinds import KINDS as KINDS_OF

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
    "is": KINDS_OF,
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
