"""Phones: what somebody does about the cards that the feed shows, and the words of what they write.

Options are only what the embedded mind might do if the odds of everything were half as high again (`BAND`). Language
models like whatever they see; even one that does all it may must not change the feed. If nothing may be done, no call
is made.
"""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec

from sandbox.core.chance import Stream
from sandbox.core.protocols import Answer
from sandbox.minds.prompt_choices import gloss
from sandbox.minds.prompt_form import Act, Letter, Offered, Prompt, PromptOption, Unusable, pick
from sandbox.minds.prompt_speech import FACTS, HABITS, SPOKEN, STANCES, habits, own_words
from sandbox.minds.prompt_text import phrase, tidy_text, word_table
from sandbox.phones.question_use import MOST, SIZE, PhoneAct, SeenCard, Used, UsePhone, sigmoid, weighted_sum
from sandbox.phones.question_write import Write
from sandbox.talk.model import ScoredRule
from sandbox.talk.saying import Said

BAND = 0.4  # log odds added to the rules' chance of each act
NEAR = 1.0  # utility below the best at which a draft is still offered
NOTHING, NONE = "nothing", "none"
WORDS, WHY = 40, 60  # words of a text; letters of a reason
SHORT = 0.15  # feeling for the author, and agreement, from which the prompt mentions it
JUST = 0.4  # reluctance after a recent post from which the prompt mentions it
# Only one of each pair can be done about a card.
EITHER = {"dislike": "like", "quote": "repost", "mute": "follow"}
_ACT = re.compile(r"([a-z]+)\W+(?:(?:card|post|number|no)\W+)?(\d+)$")
# what the slot `rumour` contains, for moves where it is no rumour
TELLS = {"post_proof": "what they wrote to you", "post_clip": "what the film shows", "put_right": "how it truly was"}
BEFELL = "what happened"
NAMES = ("post_rumour", "post_thanks", "post_proof", "apologise_all")  # moves that name whom they are about
NAMELESS = ("subtweet",)  # moves that must not name anybody
OWN = {"post_small": ("act", "place"), "post_clip": ("place",)}  # slots of the moment that a move uses
MOMENT = {"act": "what you are doing", "place": "where"}


# ---- what one does

Reason = Annotated[str, msgspec.Meta(max_length=1000)]


class CardAct(msgspec.Struct, frozen=True):
    """One act about a card: "like 2"."""

    do: Act
    why: Reason = ""


class UsePhoneReply(msgspec.Struct, frozen=True):
    """All acts at one look. write: letter of a draft, or "none"; why: reason for that draft."""

    acts: Annotated[list[CardAct], msgspec.Meta(max_length=40)]
    write: Letter = NONE
    why: Reason = ""


def _shown(q: UsePhone, chance: Stream) -> Offered | Answer:
    """What may be done about each card, and what may be written; the answer, if nothing may."""
    acts: dict[str, PromptOption] = {}
    cards: dict[str, PromptOption] = {}
    for i, seen in enumerate(q.cards):
        lot = chance.unit()  # one draw for all: who nearly likes a card is far from disliking it
        can = []
        for act, weights in seen.can.items():
            x = 1.0 - lot if act == "dislike" else lot if act == "like" else chance.unit()
            if x < sigmoid(weighted_sum(weights, seen.features) + BAND):
                can.append(act)
                acts[f"{act} {i + 1}"] = PromptOption(gloss("acts", act), (act, i))
        if can:
            cards[str(i + 1)] = PromptOption(", ".join(can), (seen, _bearing(seen)))
    drafts = _drafts(q, chance)
    if not acts and not drafts:
        return Used()
    return {
        "acts": {**acts, NOTHING: PromptOption("", None)},
        "cards": cards,
        "drafts": {**drafts, NONE: PromptOption("", None)},
        "glosses": {act: choice for choice in acts.values() for act in choice.value[:1]},
    }


def _drafts(q: UsePhone, chance: Stream) -> dict[str, PromptOption]:
    """The drafts with the highest utility, should one write at all."""
    scores = [weighted_sum(d.wish, d.features) + SIZE * (d.size - 0.5) + 0.6 * chance.normal() for d in q.drafts]
    if not scores or chance.unit() >= sigmoid(max(scores) + BAND) * (1.0 - q.quiet):
        return {}
    near = [i for i, x in enumerate(scores) if x >= max(scores) - NEAR]
    return {chr(ord("a") + n): PromptOption(gloss("posts", q.drafts[i].reason), i) for n, i in enumerate(near)}


def _bearing(seen: SeenCard) -> str:
    """What a card means to the reader, in words without numbers."""
    x = seen.features.get
    fond, agrees = x("fond", 0.0), x("agrees", 0.0)
    found = ["whom you like" if fond >= SHORT else "whom you do not like" if fond <= -SHORT else "whom you know"]
    if not x("known", 0.0):
        found = ["a stranger"]
    if x("about_me", 0.0):
        found.append("it speaks of you")
    if abs(agrees) >= SHORT:
        found.append("you think so, too" if agrees > 0 else "you think otherwise")
    return "; ".join(found)


def _why(text: str) -> tuple[ScoredRule, ...]:
    words = phrase(text, WHY)
    return (ScoredRule(words, 0.0),) if words else ()


def _used(q: UsePhone, got: UsePhoneReply, offered: Offered, chance: Stream) -> Used:
    """The acts that are possible. Raises Unusable if some were wanted and none is."""
    acts: list[PhoneAct] = []
    done: set[tuple[str, int]] = set()
    odd = ""
    for x in got.acts:
        found = _act(offered, x.do)
        if found is None:
            odd = odd or x.do
        elif found != NOTHING and len(acts) < MOST:
            act, i = found
            if (EITHER.get(act, act), i) not in done:
                done.add((EITHER.get(act, act), i))
                acts.append(PhoneAct(act, i, _why(x.why)))
    said = got.write.strip().strip("\"'.").lower()
    draft = pick(offered, "drafts", NONE if said in ("", "no", NOTHING, "null") else got.write)
    if draft is not None:
        acts.append(PhoneAct("post", draft, _why(got.why)))
    if odd and not acts:
        pick(offered, "acts", odd)
    return Used(acts=tuple(acts))


def _act(offered: Offered, text: str) -> Any:
    """(act, place of the card) meant by a model, NOTHING, or None if not offered."""
    key = text.strip().strip("\"'.").lower()
    if key in (NOTHING, NONE, ""):
        return NOTHING
    m = _ACT.match(key)
    found = offered["acts"].get(f"{m[1]} {m[2]}" if m else key)
    return None if found is None else found.value


# ---- what one writes


class WriteReply(msgspec.Struct, frozen=True):
    """A text to publish or send."""

    write: Annotated[str, msgspec.Meta(max_length=4000)]


def _piece(q: Write) -> dict[str, Any]:
    """Values for the template of a text, besides the question."""
    move, slots, name = q.moves[-1] if q.moves else "", dict(q.slots), q.slots.get("name", "")
    topic, third = slots.get("topic", ""), slots.get("third", "")
    written = q.form != "post" and third.split()[:1] == name.split()[:1]  # the person concerned is the author
    if written or (q.form == "post" and q.brief is not None and q.brief.other):
        slots.pop("third", None)
    tells = BEFELL if "when" in slots else TELLS.get(move, FACTS["rumour"])
    facts = [(tells if slot == "rumour" else label, slots[slot]) for slot, label in FACTS.items() if slots.get(slot)]
    facts += [(MOMENT[slot], slots[slot]) for slot in OWN.get(move, ()) if slots.get(slot)]
    if move == "beg" and topic:
        facts.append(("how much you lack", topic))
    if stance := STANCES.get(q.context.get("stance", ""), ""):
        facts.append(("what you think of it", stance))
    if own := habits(q):
        facts.append((HABITS, own))
    told = q.form == "post" and move != "beg" and topic != slots.get("matter")
    return {
        "facts": facts,
        "glosses": [word_table("moves")[x] for x in q.moves],
        "manner": f"You write in a {q.voice} way, as on a phone.",
        "name": name,
        "topic": topic if told and move not in NAMELESS else "",
        "third": third if move in NAMES else "",
        "nameless": move in NAMELESS,
        "back": move == "answer_back",
    }


def _written(q: Write, got: WriteReply, offered: Offered, chance: Stream) -> Said:
    """The text, if it fits its move: an apology names its receiver, and a nameless move nobody. Raises Unusable."""
    short = " ".join(got.write.split()[:WORDS])
    text = own_words(q, got.write, min(SPOKEN, len(short)), "write", (q.to,))
    move, third = q.moves[-1] if q.moves else "", q.slots.get("third", "").split()[:1]
    if move in NAMES and third and third[0].casefold() not in text.casefold():
        raise Unusable(f'"write" must name {tidy_text(third[0], 40)}')
    if move in NAMELESS:
        own = q.brief.name if q.brief else ""
        named = [x for x in (q.brief.names.values() if q.brief else ()) if x != own and _names(text, x)]
        if named or "@" in text:
            raise Unusable('"write" names somebody; leave all names out')
    return Said(text)


def _names(text: str, name: str) -> bool:
    """Whether a text has a name as a whole capitalised word."""
    return bool(name) and re.search(rf"\b{re.escape(name)}\b", text) is not None


PROMPTS = (
    Prompt(
        UsePhone, "use.j2", UsePhoneReply, _used, _shown, lambda q: {"most": MOST, "just": q.quiet >= JUST}, tokens=200
    ),
    Prompt(Write, "write.j2", WriteReply, _written, words=_piece, tokens=140),
)
