"""What a turn is in words: what happened, how it came about, what it cost or gave whom. The words stand in
turnwords.yaml, those for exchanges in the drama deck.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from sandbox.core.text import join_names, upper
from sandbox.drama.outcomes import BY as DECIDED
from sandbox.drama.taking_sides import SHOWDOWN, Showdown
from sandbox.people.claim_handlers import claim_clause
from sandbox.people.claim_model import Broken, ClaimEvent
from sandbox.people.handbook import Handbook
from sandbox.people.mark_model import AVOID, Marked
from sandbox.people.pressure_deck import AWAY, gist
from sandbox.people.pressure_model import Ended, Stirred, Turned
from sandbox.readers.pressures import SOMEBODY
from sandbox.readers.threads import BornScene, PressureRecord, TurnScene
from sandbox.talk.model import Closed

MUCH = 0.15  # change of a feeling in one turn from which it is told what it cost or gave
EACH = "each"  # key of what two do who both keep clear of one another


class TurnWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What turnwords.yaml holds."""

    ended: dict[str, dict[str, str]]
    broke: str
    known: str
    late: str
    after: dict[str, str]
    claims: dict[str, dict[str, str]]
    felt: dict[str, str]
    habit: dict[str, str]
    born: dict[str, str]
    plain: tuple[str, ...]
    both: dict[str, tuple[str, ...]]
    one: dict[str, tuple[str, ...]]


WORDS = msgspec.yaml.decode(Path(__file__).with_name("turnwords.yaml").read_bytes(), type=TurnWords)


def filled(text: str, words: Mapping[str, str]) -> str:
    """Fill slots of a template. Not str.format, since the words may contain braces."""
    for slot, word in words.items():
        text = text.replace(f"{{{slot}}}", word)
    return text


def pressure_slots(handbook: Handbook, p: PressureRecord) -> dict[str, str]:
    """The slots that a pressure fills."""
    about = handbook.name(p.about) if p.about else SOMEBODY
    return {"holder": handbook.name(p.holder), "about": about, "stakes": gist(p.stakes)}


# ---- what happened


def turn_news(handbook: Handbook, scene: TurnScene) -> str:
    """A turn as a clause in the past tense: "Thea and Greta fell out for good over 212 names"."""
    e, p = scene.event, scene.matter
    slots = pressure_slots(handbook, p)
    if isinstance(e, Closed):
        a, b = (handbook.name(who) for who in e.who)
        return f"{a} and {b} talked it over"
    if isinstance(e, Ended):
        kind = handbook.drama.kinds.get(p.kind)
        ending = kind.ends.get(e.how) if kind is not None else None
        return filled(WORDS.ended.get(p.kind, {}).get(e.how) or (ending.says if ending is not None else ""), slots)
    if scene.turn.how == "broke":
        return filled(WORDS.broke, slots)
    if scene.turn.how == "known" and isinstance(e, Stirred):
        return filled(WORDS.known, {**slots, "told": join_names([handbook.name(who) for who in e.told])})
    return turn_deed(handbook, scene, gist(p.stakes)) or filled(WORDS.late, slots)


def turn_deed(handbook: Handbook, scene: TurnScene, over: str = "") -> str:
    """What was done and how it was taken, as a clause in the past tense: "Thea had it out with Greta, who hit back"; ""
    if nobody came to anybody. over: over what, for hard words.
    """
    e, actor = scene.event, handbook.name(scene.stamp.actor)
    if isinstance(e, Closed):
        return ""
    exchange = handbook.drama.exchanges.get(e.done)
    if exchange is None or not e.answer or not e.to:
        return ""
    other = handbook.name(e.to)
    if scene.away or e.answer == AWAY:
        return f"{actor} {handbook.deed(e.done, AWAY, other)}"
    did, took = filled(exchange.did, {"to": other}), exchange.took.get(e.answer, "")
    if over and e.hostile and did.endswith(f" {other}"):
        did += f" over {over}"
    then = "who" if did.endswith(f" {other}") else f"and {other}"
    return f"{actor} {did}" + (f", {then} {took}" if took else "")


def turn_cause(handbook: Handbook, scene: TurnScene) -> str:
    """How it came to an ending that nobody brought about in a talk, as a clause: why an hour passed, how somebody found
    out; "" if it is not known, or said already.
    """
    e = scene.event
    if not isinstance(e, Ended) or e.done in (DECIDED, SHOWDOWN) or turn_deed(handbook, scene):
        return ""
    return "" if gist(scene.matter.stakes) in e.why else e.why.replace(" has put two ", " put two ")


def says_all(scene: TurnScene) -> bool:
    """Whether the news of a turn says already what was done."""
    return isinstance(scene.event, Ended) and scene.event.how in WORDS.plain


def turn_after(handbook: Handbook, scene: TurnScene) -> str:
    """What a turn came to, to follow "and" after its deed; "" if the deed says it all."""
    e = scene.event
    if not isinstance(e, Ended):
        return "it came to hard words" if scene.turn.how == "broke" else ""
    return filled(WORDS.after.get(e.how, turn_news(handbook, scene)), pressure_slots(handbook, scene.matter))


def claim_news(handbook: Handbook, e: ClaimEvent, alone: bool = False) -> str:
    """A claim that was made, or ended, as a clause in the past tense. alone: nothing else says of what it came; else ""
    if that says it.
    """
    kind, words = handbook.claims.kinds[e.kind], WORDS.claims.get(e.kind)
    deck = kind.ended(e) if isinstance(e, Broken) else kind.made
    if words is None:
        return claim_clause(handbook, deck, e)
    if not isinstance(e, Broken):
        made = (words.get("alone") or words["made"] or deck) if alone else words["made"]
        return claim_clause(handbook, made, e)
    end = {e.a: "a", e.b: "b"}.get(e.by, "") if e.by else ""
    return claim_clause(handbook, words.get(end) or words["broken"], e)


def claims_news(handbook: Handbook, found: Sequence[ClaimEvent], alone: bool = False) -> list[str]:
    """The clauses of some claims; whoever loses one and has another of the kind instead, in one clause."""
    out: list[str] = []
    lost: dict[tuple[str, str], int] = {}
    for e in found:
        text = claim_news(handbook, e, alone)
        who = e.a or e.b
        if not text or (isinstance(e, Broken) and e.instead):
            continue
        if isinstance(e, Broken):
            lost[e.kind, who] = len(out)
        elif (e.kind, who) in lost and text.startswith(f"{handbook.name(who)} "):
            out[lost[e.kind, who]] += f", and {text.removeprefix(f'{handbook.name(who)} ')}"
            continue
        out.append(text)
    return out


def showdown_news(handbook: Handbook, e: Showdown, actor: str) -> list[str]:
    """A showdown as clauses: who called whom to account, and who stood by whom."""
    other = handbook.name(e.two[e.two[0] == actor])
    sides = [f"{handbook.name(actor)} called {other} to account before everybody over {gist(e.about)}"]
    for who, side in zip(e.two, ("holder", "about"), strict=True):
        if friends := e.stood_by(side):
            sides.append(f"{join_names([handbook.name(x) for x in friends])} stood by {handbook.name(who)}")
    return sides


# ---- what it cost or gave whom


def mark_sentences(handbook: Handbook, marks: Iterable[tuple[str, Marked]]) -> list[str]:
    """What an outcome left in people, those alike in one sentence. marks: each with whose it is."""
    alike: defaultdict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for me, mark in marks:
        if WORDS.felt.get(mark.emotion, ""):
            alike[mark.emotion, mark.habit if mark.habit in WORDS.habit else ""].append((me, mark.whom))
    out = []
    for (emotion, habit), found in alike.items():
        felt = WORDS.felt[emotion].replace("{was}", "was" if len(found) == 1 else "were")
        text = f"{join_names([handbook.name(me) for me, _ in found])} {felt}"
        if habit == AVOID and len(found) > 1:
            text += f", and each {WORDS.habit[EACH]}"
        elif habit and (habit != AVOID or found[0][1]):
            text += f", and {WORDS.habit[habit].replace('{whom}', handbook.name(found[0][1]))}"
        out.append(text)
    return out


def feeling_sentences(handbook: Handbook, feelings: Iterable[Turned], told: Iterable[str], n: int) -> list[str]:
    """Whose feeling for whom moved much, those of a pair for one another in one sentence. told: whose are known; n:
    picks the words.
    """
    moved: dict[tuple[str, str], float] = {}
    for f in feelings:
        moved[f.u, f.v] = moved.get((f.u, f.v), 0.0) + f.delta
    much = {two: x for two, x in moved.items() if abs(x) >= MUCH and two[0] not in {*told}}
    out = []
    for (u, v), x in much.items():
        way, back = "more" if x > 0 else "less", much.get((v, u))
        mutual = back is not None and (back > 0) == (x > 0)
        if not mutual or u < v:
            of = (WORDS.both if mutual else WORDS.one)[way]
            out.append(filled(of[n % len(of)], {"u": handbook.name(u), "v": handbook.name(v)}))
    return out


def born_of(scenes: Iterable[BornScene]) -> list[PressureRecord]:
    """What began by these turns, as far as there are words for it."""
    return [p for x in scenes for p in x.born if p.kind in WORDS.born]


def born_sentences(handbook: Handbook, found: Iterable[PressureRecord]) -> list[str]:
    """Pressures that began, as clauses."""
    return list(dict.fromkeys(filled(WORDS.born[p.kind], pressure_slots(handbook, p)) for p in found))


def join_sentences(texts: Iterable[str]) -> str:
    """Clauses as sentences in a row."""
    return " ".join(f"{upper(text).rstrip('.')}." for text in texts if text)


def prose(handbook: Handbook, texts: Iterable[str]) -> str:
    """Clauses as sentences in a row; whoever one begins with is "she" or "he" in the next, if that begins with them,
    too.
    """
    out: list[str] = []
    last = ""
    for text in texts:
        who = _subject(handbook, text)
        if who and who == last and handbook.cast[who].pronoun != "they":
            text = handbook.cast[who].pronoun + text.removeprefix(handbook.name(who))
        last = who
        out += [text] if text else []
    return join_sentences(out)


def _subject(handbook: Handbook, text: str) -> str:
    """Who a clause begins with, if it is one person; "" for others."""
    for who in handbook.cast:
        name = f"{handbook.name(who)} "
        if text.startswith(name) and not text.startswith((f"{name}and ", f"{name[:-1]}, ")):
            return who
    return ""
