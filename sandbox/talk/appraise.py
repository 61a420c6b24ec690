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
    # under pressure: what somebody comes with ...
    "pay_back": Effect("relief", 0.4, "satisfaction", 0.4, 0.4),
    "put_off": Effect("shame", 0.3, "disappointment", 0.3, -0.15),
    "remind": Effect("reproach", 0.2, "shame", 0.3, -0.2),
    "let_off": Effect("satisfaction", 0.3, "gratitude", 0.6, 0.8),
    "hand_over": Effect("pride", 0.3, "gratitude", 0.5, 0.7),
    "beg_off": Effect("shame", 0.3, "disappointment", 0.35, -0.2),
    "confide": Effect("relief", 0.35, "liking", 0.25, 0.3),
    "leak": Effect("gloating", 0.25, "gloating", 0.25, 0.1),
    "own_up": Effect("shame", 0.4, "disappointment", 0.3, -0.05),
    "flirt": Effect("hope", 0.35, "joy", 0.25, 0.35),
    "declare": Effect("fear", 0.4, "joy", 0.3, 0.5),
    "complain_of": Effect("resentment", 0.25, "pity", 0.15, 0.0),
    "confront": Effect("anger", 0.4, "anger", 0.35, -0.5),
    "apologise": Effect("remorse", 0.35, "relief", 0.25, 0.35),
    "boast": Effect("pride", 0.35, "resentment", 0.15, 0.0),
    "challenge": Effect("pride", 0.3, "resentment", 0.2, -0.1),
    "ask_help": Effect("hope", 0.3, "liking", 0.1, 0.15),
    "share_trouble": Effect("fear", 0.25, "pity", 0.3, 0.1),
    "ask_straight": Effect("hope", 0.2, "fear", 0.2, 0.05),
    "ask_around": Effect("hope", 0.15, "", 0.0, 0.05),
    "accuse": Effect("anger", 0.45, "anger", 0.5, -0.7),
    "be_kind": Effect("liking", 0.2, "gratitude", 0.5, 0.6),
    # ... and what they get
    "take_it": Effect("satisfaction", 0.35, "relief", 0.35, 0.5),
    "promise_soon": Effect("shame", 0.2, "hope", 0.3, 0.15),
    "grant": Effect("satisfaction", 0.25, "gratitude", 0.5, 0.6),
    "begrudge": Effect("reproach", 0.3, "disappointment", 0.45, -0.55),
    "side_with": Effect("resentment", 0.2, "satisfaction", 0.35, 0.35),
    "soothe": Effect("satisfaction", 0.15, "relief", 0.25, 0.3),
    "keep_mum": Effect("pity", 0.15, "gratitude", 0.4, 0.5),
    "gasp": Effect("gloating", 0.3, "gloating", 0.2, 0.15),
    "flirt_back": Effect("joy", 0.4, "joy", 0.5, 0.6),
    "laugh_off": Effect("joy", 0.1, "shame", 0.15, -0.05),
    "yes_love": Effect("love", 0.8, "love", 0.9, 1.0),
    "turn_down": Effect("pity", 0.3, "disappointment", 0.7, -0.35),
    "give_in": Effect("shame", 0.4, "satisfaction", 0.45, 0.35),
    "hit_back": Effect("anger", 0.55, "anger", 0.6, -0.95),
    "pardon": Effect("satisfaction", 0.3, "relief", 0.6, 0.8),
    "reject": Effect("reproach", 0.4, "distress", 0.5, -0.7),
    "applaud": Effect("admiration", 0.2, "pride", 0.35, 0.4),
    "scoff": Effect("gloating", 0.25, "anger", 0.35, -0.5),
    "take_up": Effect("pride", 0.3, "satisfaction", 0.25, 0.2),
    "come_clean": Effect("relief", 0.35, "relief", 0.3, 0.2),
    "deny": Effect("anger", 0.4, "anger", 0.35, -0.6),
    "tell_what": Effect("satisfaction", 0.15, "satisfaction", 0.2, 0.2),
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


# How a ledger names a move: what one said oneself, and what {name} said; and the moves whose topic is worth naming.
TOPICAL = frozenset(
    (
        "vent",
        "worry",
        "disagree",
        "agree",
        "opinion",
        "comfort",
        "reassure",
        "answer_about",
        "dodge",
        "gossip",
        "ask_about",
    )
)
SAID = {
    "vent": "letting off steam",
    "worry": "putting a worry into words",
    "comfort": "a kind word given",
    "reassure": "a kind word given",
    "snap": "losing patience",
    "cold_reply": "giving a cold answer",
    "gossip": "a bit of gossip",
    "react_gossip": "a bit of gossip",
    "compliment": "a compliment given",
    "disagree": "standing up to somebody",
    "agree": "finding agreement",
    "dodge": "dodging a question",
    "remember": "old times remembered",
    "share_news": "news worth telling",
    "react_news": "hearing the news",
    "thank": "saying thank you",
    "tease": "teasing somebody",
    "tease_back": "giving as good as it came",
    "answer_low": "owning up to feeling low",
    "answer_well": "saying how well things are",
    "answer_about": "talking it through",
    "tell_plans": "having plans",
    "opinion": "speaking out",
    "complain_back": "complaining in company",
    "ask_about": "a question asked",
    "how_are_you": "a friendly word",
    "small_talk": "small talk",
    "small_talk_back": "small talk",
    "greet": "a greeting",
    "bye": "a goodbye",
    "pay_back": "paying what was owed",
    "put_off": "having to ask for more time",
    "remind": "having to ask twice",
    "let_off": "letting it go",
    "hand_over": "a promise kept",
    "beg_off": "getting out of a promise",
    "confide": "telling somebody at last",
    "leak": "passing on what was not theirs to tell",
    "own_up": "owning up",
    "flirt": "being brave for a moment",
    "declare": "saying it out loud",
    "complain_of": "complaining of somebody",
    "confront": "having it out",
    "apologise": "saying sorry",
    "boast": "a bit of boasting",
    "challenge": "a dare",
    "ask_help": "asking for help",
    "share_trouble": "sharing a worry",
    "ask_straight": "asking straight out",
    "ask_around": "asking around",
    "accuse": "saying it to somebody's face",
    "be_kind": "doing somebody good",
    "take_it": "getting what was owed",
    "promise_soon": "being reminded",
    "grant": "being generous",
    "begrudge": "saying no",
    "side_with": "taking sides",
    "soothe": "calming somebody down",
    "keep_mum": "being trusted",
    "gasp": "hearing it all",
    "flirt_back": "being courted",
    "laugh_off": "laughing it off",
    "yes_love": "saying yes",
    "turn_down": "having to say no",
    "give_in": "having been in the wrong",
    "hit_back": "a row",
    "pardon": "forgiving somebody",
    "reject": "not being able to forgive",
    "applaud": "wishing somebody luck",
    "scoff": "putting somebody in their place",
    "take_up": "taking up a dare",
    "come_clean": "the truth told",
    "deny": "being accused",
    "tell_what": "telling what one knows",
}
HEARD = {
    "vent": "{name} letting off steam",
    "worry": "{name}'s worry",
    "comfort": "comfort from {name}",
    "reassure": "a kind word from {name}",
    "snap": "a sharp word from {name}",
    "cold_reply": "a cold answer from {name}",
    "gossip": "gossip from {name}",
    "react_gossip": "gossip with {name}",
    "compliment": "praise from {name}",
    "disagree": "{name}'s contradiction",
    "agree": "{name} being of one mind",
    "dodge": "being brushed off by {name}",
    "remember": "old times with {name}",
    "share_news": "{name}'s news",
    "react_news": "{name} listening",
    "thank": "thanks from {name}",
    "tease": "being teased by {name}",
    "tease_back": "{name}'s quick answer",
    "ask_about": "{name}'s interest",
    "answer_about": "{name}'s confidence",
    "how_are_you": "{name} asking",
    "greet": "a greeting from {name}",
    "complain_back": "{name} complaining back",
    "answer_low": "{name} being low",
    "answer_well": "{name}'s good spirits",
    "tell_plans": "{name}'s plans",
    "ask_plans": "{name} asking",
    "opinion": "{name}'s opinion",
    "small_talk": "small talk with {name}",
    "small_talk_back": "small talk with {name}",
    "preclose": "{name} having to go",
    "bye": "a goodbye from {name}",
    "pay_back": "{name} paying up",
    "put_off": "{name} asking for more time",
    "remind": "being reminded by {name}",
    "let_off": "{name}'s generosity",
    "hand_over": "{name} keeping a promise",
    "beg_off": "{name} getting out of a promise",
    "confide": "{name}'s trust",
    "leak": "what {name} had to tell",
    "own_up": "{name} owning up",
    "flirt": "{name}'s attentions",
    "declare": "{name} saying it out loud",
    "complain_of": "{name}'s complaint",
    "confront": "{name} having it out",
    "apologise": "{name} saying sorry",
    "boast": "{name} boasting",
    "challenge": "{name}'s dare",
    "ask_help": "{name} asking for help",
    "share_trouble": "{name}'s worry",
    "ask_straight": "{name} asking straight out",
    "ask_around": "{name}'s questions",
    "accuse": "being accused by {name}",
    "be_kind": "{name}'s kindness",
    "take_it": "{name} taking it well",
    "promise_soon": "{name}'s promise",
    "grant": "{name}'s kindness",
    "begrudge": "{name} saying no",
    "side_with": "{name} taking their side",
    "soothe": "{name}'s good sense",
    "keep_mum": "{name} keeping a secret",
    "gasp": "{name} all ears",
    "flirt_back": "{name} flirting back",
    "laugh_off": "{name} laughing",
    "yes_love": "{name} saying yes",
    "turn_down": "{name} saying no",
    "give_in": "{name} giving in",
    "hit_back": "a row with {name}",
    "pardon": "{name}'s forgiveness",
    "reject": "{name} not forgiving it",
    "applaud": "{name}'s good wishes",
    "scoff": "{name} scoffing",
    "take_up": "{name} taking up the dare",
    "come_clean": "the truth from {name}",
    "deny": "{name} denying it",
    "tell_what": "what {name} knows",
}
