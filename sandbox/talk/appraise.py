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
    "cold_reply": Effect("reproach", 0.3, "distress", 0.35, -0.6),
    "snap": Effect("anger", 0.5, "anger", 0.6, -0.9),
    "preclose": Effect("", 0.0, "", 0.0, 0.05),
    "bye": Effect("", 0.0, "joy", 0.05, 0.1),
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
    if worst <= -0.8:
        return "hostile"
    if worst <= -0.4 or warmth < -0.05:
        return "tense"
    return "warm" if warmth >= 0.3 else "plain"


# How a ledger names a move: of what one said oneself, of what another said; and the moves whose topic is worth naming.
TOPICAL = frozenset(
    ("vent", "worry", "disagree", "agree", "opinion", "comfort", "reassure", "answer_about", "dodge", "gossip")
)
SAID = {
    "vent": "let off steam",
    "worry": "voiced a worry",
    "comfort": "comforted somebody",
    "snap": "snapped",
    "cold_reply": "gave a cold answer",
    "gossip": "gossiped",
    "compliment": "paid a compliment",
    "disagree": "argued",
    "dodge": "dodged a question",
    "remember": "remembered old times",
    "share_news": "told some news",
    "thank": "said thanks",
    "tease": "teased somebody",
    "tease_back": "teased back",
    "answer_low": "owned up to feeling low",
    "answer_well": "said how well things are",
    "tell_plans": "told their plans",
    "reassure": "reassured somebody",
    "agree": "found agreement",
    "opinion": "spoke their mind",
}
HEARD = {
    "vent": "let off steam at them",
    "worry": "confided a worry",
    "comfort": "comforted them",
    "snap": "snapped at them",
    "cold_reply": "answered them coldly",
    "gossip": "gossiped with them",
    "compliment": "praised them",
    "disagree": "contradicted them",
    "dodge": "brushed them off",
    "remember": "remembered old times with them",
    "share_news": "told them some news",
    "thank": "thanked them",
    "tease": "teased them",
    "tease_back": "teased them back",
    "ask_about": "asked after them",
    "how_are_you": "asked how they are",
    "agree": "agreed with them",
    "reassure": "reassured them",
    "greet": "greeted them",
    "react_news": "listened to their news",
    "complain_back": "topped their complaint",
    "answer_low": "was low",
}
