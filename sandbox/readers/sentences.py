"""An incident as one sentence, from the fields of its events: who wanted what and why, what was done, what changed.

The words for exchanges and endings are in data/drama.yaml; sentences.yaml has those that hold the sentence together.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from sandbox.core.clock import Clock
from sandbox.core.text import join_names, upper
from sandbox.drama.outcomes import BY as DECIDED
from sandbox.drama.taking_sides import SHOWDOWN
from sandbox.drama.truth import KNOWN
from sandbox.drama.turns import MUCH
from sandbox.people.handbook import Handbook
from sandbox.people.pressure_deck import ABOUT
from sandbox.people.pressure_model import Ended
from sandbox.readers.phrases import feeling_change_words
from sandbox.readers.pressures import want_clause
from sandbox.readers.threads import ON_FEED, IncidentSlots, PressureRecord, TurnScene
from sandbox.talk.model import Closed


class IncidentWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What sentences.yaml holds, by kind of pressure. born: what is new when one began because of the incident; late:
    what holder and other did when the hour passed without a word, (ending well, ending badly); along: what is new when
    the other agreed, but it is not over; less: when somebody was dissuaded or refused, where that is no relief. parted:
    by the tone of a talk.
    """

    born: dict[str, str]
    late: dict[str, tuple[tuple[str, str], tuple[str, str]]]
    along: dict[str, str]
    less: dict[str, str]
    parted: dict[str, str]


WORDS = msgspec.yaml.decode(Path(__file__).with_name("sentences.yaml").read_bytes(), type=IncidentWords)
ANY_LATE = (("waited for the hour", "it passed"), ("let the hour go by", "nobody spoke"))


def incident_sentence(t: IncidentSlots) -> str:
    """The incident as one sentence; "" if any slot is empty."""
    if not all(getattr(t, name) for name in t.__struct_fields__):
        return ""
    comma = "," if "," in t.wanted and not t.wanted.endswith(")") else ""
    because = f"{t.who} wanted to {t.wanted}{comma} because {t.cause}"
    return upper(f"{because}; {t.place}, {t.hour}, {t.deed}; {t.answer}; now {t.change}.")


def incident_slots(
    scene: TurnScene, born: Sequence[PressureRecord], became: Sequence[str], handbook: Handbook, clock: Clock
) -> IncidentSlots:
    """The slots of a turn's sentence. born: pressures it began; became: claims it began or ended, as clauses."""
    p = scene.matter
    names = {"holder": handbook.name(p.holder), "about": handbook.name(p.about), "stakes": p.stakes}
    deed, answer = _deed(scene, names, handbook)
    change = _change(scene, names, handbook)
    all_ = (change, *became, *(_born(child, handbook) for child in born))
    changes = [x for x in dict.fromkeys(all_) if x]
    return IncidentSlots(
        who=names["holder"] if p.holder else "",
        wanted=want_clause(handbook, p.kind, p.about, p.stakes),
        cause=_bare(p.cause),
        place="on the feed" if scene.place == ON_FEED else handbook.at(scene.place) if scene.place else "",
        hour=clock.hhmm(scene.stamp.t),
        deed=deed,
        answer=answer,
        change=", and ".join([", ".join(changes[:-1]), changes[-1]] if len(changes) > 1 else changes),
    )


def _deed(scene: TurnScene, names: dict[str, str], handbook: Handbook) -> tuple[str, str]:
    """What was done, and how it was received, each a clause with its subject."""
    e, actor = scene.event, handbook.name(scene.stamp.actor)
    if isinstance(e, Closed):
        other = handbook.name(next((who for who in e.who if who != scene.stamp.actor), ""))
        told = WORDS.parted.get(e.tone, "they parted") if _moved(e) else "they had much to tell each other"
        return f"{actor} talked it over with {other}", told
    do, end = e.done, e if isinstance(e, Ended) else None
    exchange = handbook.drama.exchanges.get(do)
    if exchange is not None and e.answer and e.to:
        other = handbook.name(e.to)
        if scene.away:
            left = handbook.unheard(do, other) if e.OVER else ""
            return f"{actor} {left or f'came to {other} {exchange.says}'}", f"{other} turned {actor} away"
        return f"{actor} {_filled(exchange.did, {'to': other})}", f"{other} {exchange.took.get(e.answer, 'heard it')}"
    late = WORDS.late.get(scene.matter.kind, ANY_LATE)
    if end is None:
        did, took = late[1]
        return f"{actor} {did}", _filled(took, names)
    if do == DECIDED:
        return f"it was decided: {end.why}", "that settled it"
    if do == KNOWN:
        return end.why, "there was nothing left to ask"
    if do == SHOWDOWN:
        called, _, sides = end.why.partition("; ")
        return called, sides
    did, took = late[0 if end.good else 1]
    if end.why and _blamed(scene.matter, end, handbook):
        took = "the hour passed without another word"
    return end.why or f"{actor} {did}", _filled(took, names)


def _blamed(p: PressureRecord, e: Ended, handbook: Handbook) -> bool:
    """Whether a bad ending is blamed on the person the matter is about."""
    kind = handbook.drama.kinds.get(p.kind)
    ending = kind.ends.get(e.how) if kind is not None else None
    return ending is not None and ending.blames == ABOUT


def _change(scene: TurnScene, names: dict[str, str], handbook: Handbook) -> str:
    """What has changed, as a clause."""
    e, p = scene.event, scene.matter
    if isinstance(e, Ended):
        kind = handbook.drama.kinds.get(p.kind)
        ending = kind.ends.get(e.how) if kind is not None else None
        return _bare(_filled(ending.says, names)) if ending is not None else ""
    if isinstance(e, Closed):
        r = max(e.relations, key=lambda r: abs(r.feeling_delta))
        if not _moved(e):
            return f"{handbook.name(r.u)} and {handbook.name(r.v)} are closer than they were"
        return feeling_change_words(handbook.name(r.u), handbook.name(r.v), r.feeling_delta)
    if e.turn:
        return f"it is out in the open between {names['holder']} and {names['about']}"
    told = [handbook.name(who) for who in e.told]
    if scene.turn.how == "known":
        return f"{join_names(told)} {'knows' if len(told) == 1 else 'know'} what {names['holder']} was hiding"
    if scene.turn.how == "felt":
        moved = max(e.feelings, key=lambda f: abs(f.delta))
        return feeling_change_words(handbook.name(moved.u), handbook.name(moved.v), moved.delta)
    if e.delta < 0:
        return _filled(WORDS.less.get(p.kind, "it weighs less on {holder}"), names)
    if e.answer == "accept" and p.kind in WORDS.along:
        return _filled(WORDS.along[p.kind], names)
    if e.stage >= 2:
        return f"{names['holder']} cannot leave it at that"
    if e.delta > 0:
        return f"it weighs more on {names['holder']}"
    return f"nothing is settled between {names['holder']} and {names['about']}"


def _moved(e: Closed) -> bool:
    """Whether a talk changed a feeling by much; otherwise it only brought the two closer."""
    return any(abs(r.feeling_delta) >= MUCH for r in e.relations)


def _born(p: PressureRecord, handbook: Handbook) -> str:
    names = {"holder": handbook.name(p.holder), "about": handbook.name(p.about), "stakes": p.stakes}
    return _filled(WORDS.born.get(p.kind, ""), names)


def _filled(text: str, words: dict[str, str]) -> str:
    """Fill slots of a template. Not str.format, since the words may contain braces."""
    for slot, word in words.items():
        text = text.replace(f"{{{slot}}}", word)
    return text


def _bare(text: str) -> str:
    """A clause without punctuation at its end."""
    return text.strip().rstrip(".;, ")
