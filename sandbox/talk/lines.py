"""The line database as data: what `lines.yaml` says, checked."""

from __future__ import annotations

import msgspec

from sandbox.people.pressures.deck import KINDS

EVERYDAY = [
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
PRESSED = [
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
FOLLOWING = [
    # what stays with a matter once it has been raised; a book may lack them (deciding/speaker.py: INSTEAD)
    "ask_on",
    "tell_on",
    "be_glad",
    "be_glad_back",
    "turn_aside",
]
MOVES = [*EVERYDAY, *PRESSED, *FOLLOWING]
REGISTERS = ("plain", "warm", "blunt", "formal", "playful")
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


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing to say. when: criterion -> allowed values, all must hold. cooldown: minutes for one speaker."""

    id: str
    move: str
    say: tuple[str, ...]
    registers: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}
    weight: float = 1.0
    cooldown: int = 240


class Variant(msgspec.Struct, frozen=True, omit_defaults=True):
    """One way to fill a slot."""

    say: str
    when: dict[str, tuple[str, ...]] = {}


class LineBook(msgspec.Struct, frozen=True):
    """All lines, and the small grammars of their slots."""

    lines: tuple[Line, ...]
    slots: dict[str, tuple[Variant, ...]]
