"""The line database as data: what `lines.yaml` says, checked."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec

from sandbox.core.fields import MANY, said
from sandbox.people.persona import KINDS

Everyday = Literal[
    "greet",
    "how_are_you",
    "answer_well",
    "answer_fine",
    "answer_low",
    "small_talk",
    "small_talk_back",
    "share_news",
    "react_news",
    "ask_plans",
    "tell_plans",
    "opinion",
    "agree",
    "disagree",
    "ask_about",
    "answer_about",
    "compliment",
    "thank",
    "tease",
    "tease_back",
    "gossip",
    "react_gossip",
    "vent",
    "comfort",
    "complain_back",
    "worry",
    "reassure",
    "remember",
    "dodge",
    "cold_reply",
    "snap",
    "preclose",
    "bye",
]
Pressed = Literal[
    # what a pressure makes people say
    "pay_back",
    "put_off",
    "remind",
    "let_off",
    "hand_over",
    "beg_off",
    "confide",
    "leak",
    "own_up",
    "flirt",
    "declare",
    "complain_of",
    "confront",
    "apologise",
    "boast",
    "challenge",
    "ask_help",
    "share_trouble",
    "ask_straight",
    "ask_around",
    "accuse",
    "be_kind",
    "pass_on",
    "warn",
    # and what they are answered
    "take_it",
    "promise_soon",
    "grant",
    "begrudge",
    "side_with",
    "soothe",
    "keep_mum",
    "gasp",
    "flirt_back",
    "laugh_off",
    "yes_love",
    "turn_down",
    "give_in",
    "hit_back",
    "pardon",
    "reject",
    "applaud",
    "scoff",
    "take_up",
    "come_clean",
    "deny",
    "tell_what",
    "clear_up",
    "stand_proud",
    "cover_up",
    "bristle",
]
Following = Literal[
    # what stays with a matter once it has been raised; a book may lack them (deciding/speaker.py: INSTEAD)
    "ask_on",
    "tell_on",
    "be_glad",
    "be_glad_back",
    "turn_aside",
]
Move = Literal[Everyday, Pressed, Following]
Register = Literal["plain", "warm", "blunt", "formal", "playful"]
EVERYDAY: tuple[str, ...] = get_args(Everyday)
PRESSED: tuple[str, ...] = get_args(Pressed)
FOLLOWING: tuple[str, ...] = get_args(Following)
MOVES: tuple[str, ...] = get_args(Move)
REGISTERS: tuple[str, ...] = get_args(Register)
CRITERIA: dict[str, tuple[str, ...]] = {
    "hour": ("morning", "midday", "afternoon", "evening", "night"),
    "mood": ("happy", "sad", "angry", "afraid", "calm", "surprised", "contempt", "bored"),
    "listener_mood": ("happy", "sad", "angry", "afraid", "calm", "surprised", "contempt", "bored"),
    "tie": ("close", "friendly", "cool", "stranger", "sour"),
    "place": (
        "home",
        "work",
        "market",
        "cafe",
        "bar",
        "school",
        "park",
        "chapel",
        "shop",
        "library",
        "clinic",
        "hall",
        "street",
        "meadow",
    ),
    "with": ("family", "colleague", "neighbour", "child", "elder"),
    "trait": (),
    "stance": ("for", "against", "same", "opposed"),
    "first_today": ("true", "false"),
    "arousal": ("high", "low"),
    "hurry": ("true", "false"),
    "topic_kind": ("like", "concern", "opinion", "occasion", "memory", "pressure", "rumour"),
    "pressure": KINDS,
    "stage": ("0", "1", "2", "3"),
    "after": ("good", "open", "bad", "row"),
    "came": ("true", "false"),
    "do": (),
    "told": ("good", "bad", "row", "love", "owed", "hidden", "race", "worry"),
    "age": ("child", "teen", "adult", "elder"),
}
FILLED = (
    "name",
    "matter",
    "cause",
    "recall",
    "when",
    "topic",
    "why",
    "third",
    "third_fact",
    "rumour",
    "plan",
    "act",
    "listener_act",
    "place",
)


Said = Annotated[str, said(most=300, exact=True)]
When = dict[str, tuple[str, ...]]


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to say. when: criterion -> allowed values, all must hold. cooldown: minutes for one speaker."""

    id: Annotated[str, said("greet_any", most=80)]
    move: Annotated[Move, said("greet")]
    say: Annotated[tuple[Said, ...], said('["Good morning."]')]
    registers: Annotated[tuple[Register, ...], said(key="register", distinct="register")] = ()
    when: When = {}
    weight: Annotated[float, said(low=0.0, high=10.0)] = 1.0
    cooldown: Annotated[int, said(low=0, high=100_000)] = 240


class Variant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to fill a slot."""

    say: Annotated[Said, said("hello", empty=True)]
    when: When = {}


class LineBook(msgspec.Struct, frozen=True):
    """All lines, and the small grammars of their slots."""

    lines: Annotated[tuple[Line, ...], MANY]
    slots: Annotated[dict[str, tuple[Variant, ...]], MANY]
