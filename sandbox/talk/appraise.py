"""What a move does to those who speak and hear it: OCC emotions, valence, and how feelings change after a talk.
Pure rules.
"""

from __future__ import annotations

from typing import NamedTuple


class Effect(NamedTuple):
    """speaker, listener: an OCC emotion ("" = none) with its intensity in [0, 1]; valence: how warm the move is,
    in [-1, 1].
    """

    speaker: str
    speaker_intensity: float
    listener: str
    listener_intensity: float
    valence: float


MOVES: dict[str, Effect] = {
    "greet": Effect("joy", 0.1, "joy", 0.12, 0.2),
    "how_are_you": Effect("", 0.0, "liking", 0.15, 0.25),
    "answer_well": Effect("joy", 0.25, "happy-for", 0.2, 0.2),
    "answer_fine": Effect("", 0.0, "", 0.0, 0.05),
    "answer_low": Effect("relief", 0.15, "pity", 0.3, 0.05),
    "small_talk": Effect("joy", 0.1, "joy", 0.12, 0.15),
    "small_talk_back": Effect("joy", 0.1, "joy", 0.12, 0.15),
    "share_news": Effect("joy", 0.2, "hope", 0.15, 0.2),
    "react_news": Effect("joy", 0.1, "gratification", 0.2, 0.25),
    "ask_plans": Effect("", 0.0, "liking", 0.1, 0.15),
    "tell_plans": Effect("hope", 0.25, "joy", 0.1, 0.1),
    "opinion": Effect("pride", 0.2, "", 0.0, 0.0),
    "agree": Effect("satisfaction", 0.25, "gratification", 0.3, 0.4),
    "disagree": Effect("reproach", 0.3, "anger", 0.35, -0.45),
    "ask_about": Effect("", 0.0, "gratitude", 0.25, 0.4),
    "answer_about": Effect("relief", 0.25, "liking", 0.2, 0.2),
    "compliment": Effect("admiration", 0.25, "pride", 0.45, 0.7),
    "thank": Effect("gratitude", 0.3, "satisfaction", 0.25, 0.5),
    "tease": Effect("gloating", 0.25, "joy", 0.3, 0.2),
    "tease_back": Effect("joy", 0.3, "joy", 0.25, 0.3),
    "gossip": Effect("gloating", 0.2, "gloating", 0.2, 0.15),
    "react_gossip": Effect("gloating", 0.15, "satisfaction", 0.15, 0.15),
    "vent": Effect("relief", 0.3, "pity", 0.3, 0.0),
    "comfort": Effect("satisfaction", 0.25, "gratitude", 0.5, 0.8),
    "complain_back": Effect("resentment", 0.25, "distress", 0.3, -0.15),
    "worry": Effect("fear", 0.3, "pity", 0.3, 0.0),
    "reassure": Effect("satisfaction", 0.2, "relief", 0.45, 0.7),
    "remember": Effect("joy", 0.3, "joy", 0.3, 0.5),
    "dodge": Effect("shame", 0.2, "disappointment", 0.3, -0.3),
    "turn_aside": Effect("reproach", 0.15, "disappointment", 0.25, -0.25),
    "cold_reply": Effect("reproach", 0.3, "distress", 0.35, -0.6),
    "snap": Effect("anger", 0.5, "anger", 0.6, -0.9),
    "preclose": Effect("", 0.0, "", 0.0, 0.05),
    "bye": Effect("", 0.0, "joy", 0.05, 0.1),
    # under pressure: what somebody comes with ...
    "pay_back": Effect("relief", 0.4, "satisfaction", 0.4, 0.4),
    "put_off": Effect("shame", 0.3, "disappointment", 0.3, -0.15),
    "remind": Effect("reproach", 0.3, "shame", 0.45, -0.2),
    "let_off": Effect("satisfaction", 0.3, "gratitude", 0.6, 0.8),
    "hand_over": Effect("pride", 0.3, "gratitude", 0.5, 0.7),
    "beg_off": Effect("shame", 0.3, "disappointment", 0.35, -0.2),
    "confide": Effect("relief", 0.35, "liking", 0.25, 0.3),
    "leak": Effect("gloating", 0.25, "gloating", 0.25, 0.1),
    "own_up": Effect("shame", 0.4, "disappointment", 0.3, -0.05),
    "flirt": Effect("hope", 0.35, "joy", 0.25, 0.35),
    "declare": Effect("fear", 0.4, "joy", 0.3, 0.5),
    "complain_of": Effect("resentment", 0.4, "pity", 0.2, 0.0),
    "confront": Effect("anger", 0.6, "anger", 0.55, -0.5),
    "apologise": Effect("remorse", 0.35, "relief", 0.25, 0.35),
    "boast": Effect("pride", 0.35, "resentment", 0.15, 0.0),
    "challenge": Effect("pride", 0.3, "resentment", 0.2, -0.1),
    "ask_help": Effect("hope", 0.3, "liking", 0.1, 0.15),
    "share_trouble": Effect("fear", 0.25, "pity", 0.3, 0.1),
    "ask_straight": Effect("hope", 0.2, "fear", 0.2, 0.05),
    "ask_around": Effect("hope", 0.15, "", 0.0, 0.05),
    "accuse": Effect("anger", 0.65, "anger", 0.7, -0.7),
    "be_kind": Effect("liking", 0.2, "gratitude", 0.5, 0.6),
    # ... and what they get
    "take_it": Effect("satisfaction", 0.35, "relief", 0.35, 0.5),
    "promise_soon": Effect("shame", 0.2, "hope", 0.3, 0.15),
    "grant": Effect("satisfaction", 0.25, "gratitude", 0.5, 0.6),
    "begrudge": Effect("reproach", 0.4, "disappointment", 0.65, -0.55),
    "side_with": Effect("resentment", 0.2, "satisfaction", 0.35, 0.35),
    "soothe": Effect("satisfaction", 0.15, "relief", 0.25, 0.3),
    "keep_mum": Effect("pity", 0.15, "gratitude", 0.4, 0.5),
    "gasp": Effect("gloating", 0.3, "gloating", 0.2, 0.15),
    "flirt_back": Effect("joy", 0.4, "joy", 0.5, 0.6),
    "laugh_off": Effect("joy", 0.1, "shame", 0.15, -0.05),
    "yes_love": Effect("love", 0.8, "love", 0.9, 1.0),
    "turn_down": Effect("pity", 0.4, "disappointment", 0.95, -0.35),
    "give_in": Effect("shame", 0.4, "satisfaction", 0.45, 0.35),
    "hit_back": Effect("anger", 0.75, "anger", 0.8, -0.95),
    "pardon": Effect("satisfaction", 0.3, "relief", 0.6, 0.8),
    "reject": Effect("reproach", 0.55, "distress", 0.75, -0.7),
    "applaud": Effect("admiration", 0.2, "pride", 0.35, 0.4),
    "scoff": Effect("gloating", 0.35, "anger", 0.55, -0.5),
    "take_up": Effect("pride", 0.3, "satisfaction", 0.25, 0.2),
    "come_clean": Effect("relief", 0.35, "relief", 0.3, 0.2),
    "deny": Effect("anger", 0.6, "anger", 0.55, -0.6),
    "tell_what": Effect("satisfaction", 0.15, "satisfaction", 0.2, 0.2),
    "clear_up": Effect("relief", 0.3, "relief", 0.35, 0.3),
    "stand_proud": Effect("pride", 0.3, "disappointment", 0.3, -0.4),
    # ... and what is said of it afterwards
    "ask_on": Effect("", 0.0, "gratitude", 0.2, 0.3),
    "tell_on": Effect("relief", 0.2, "liking", 0.15, 0.15),
    "be_glad": Effect("relief", 0.25, "joy", 0.2, 0.4),
    "be_glad_back": Effect("joy", 0.2, "joy", 0.25, 0.4),
    # what goes round: passed on, told to the one it is about, denied by a lie, and taken by the one it is about
    "pass_on": Effect("gloating", 0.2, "gloating", 0.2, 0.15),
    "warn": Effect("pity", 0.15, "", 0.0, 0.1),
    "cover_up": Effect("fear", 0.3, "relief", 0.2, 0.1),
    "bristle": Effect("reproach", 0.3, "pity", 0.15, -0.05),
}

# What the listener feels instead when they do not like the speaker.
SOURED = {
    "joy": "resentment",
    "liking": "resentment",
    "pride": "reproach",
    "gloating": "reproach",
    "hope": "resentment",
}


def listener_emotion(move: str, feeling: float) -> tuple[str, float]:
    """The listener's emotion, by how they feel about the speaker."""
    e = MOVES[move]
    if feeling <= -0.2 and e.listener in SOURED:
        return SOURED[e.listener], e.listener_intensity
    if move == "tease" and feeling < 0.1:
        return "anger", 0.3
    if feeling >= 0.3 and e.valence > 0:
        return e.listener, min(1.0, e.listener_intensity * 1.3)
    return e.listener, e.listener_intensity


def tone(warmth: float, worst: float) -> str:
    """warm, plain, tense or hostile: from the mean valence of a talk and its worst line."""
    if worst <= -0.8 and warmth < 0.2:
        return "hostile"
    if warmth < 0.0 or (worst <= -0.55 and warmth < 0.2):
        return "tense"
    return "warm" if warmth >= 0.3 else "plain"
