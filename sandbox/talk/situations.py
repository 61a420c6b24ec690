"""The situations in which each move is said: its subject, the pressure and stage, and the slots filled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from sandbox.people.pressure_deck import SHOWN, SPOKEN_OF, DramaDeck, Kind, PressureWay
from sandbox.talk.fact_turns import EXPLAINED, IGNORANT, WONDER
from sandbox.talk.lines import CRITERIA, EFFECTS, FOLLOWING, PARTING, REPORTS, ROWS, STANCES, WRITTEN

ALWAYS = frozenset(("name", "place", "act", "listener_act", "plan"))
_KINDS = ("worry", "ambition", "rivalry", "suspicion", "promise", "debt")  # kinds of pressure that people write about
COMMENTS = ("back_up", "chip_in", "have_a_go", "answer_back")  # moves that take up a post, or a comment on it
VIEW, MEMORY = frozenset(("topic", "why")), frozenset(("recall", "when", "topic"))
BESIDE = frozenset(("matter", "topic", "cause", "third", "why", "rumour"))  # other slots of a turn about a fact
FORMS = frozenset(("fact", "denied", "asked", "short", "short_no", "short_q", "to_do"))  # of a fact
SITUATED = (
    "topic_kind",
    "pressure",
    "stage",
    "stance",
    "told",
    "claim",
    "fact",
    "of",
)  # criteria that a situation determines


class Situation(NamedTuple):
    """One possible situation of a turn. has: criterion -> its possible values; slots: those filled."""

    has: Mapping[str, Collection[str]]
    slots: frozenset[str]


_Found = Iterator[tuple[str, Situation]]  # (move, one of its situations)


def situations(drama: DramaDeck) -> dict[str, list[Situation]]:
    """Move -> its situations. A greeting can precede any move but a parting."""
    out: dict[str, list[Situation]] = {}
    of_drama = chain(_in_pressures(drama), _in_showdowns(drama), _after_memories(), _following(drama))
    for move, situation in chain(_in_exchanges(), of_drama, _over_facts(drama), _on_feed()):
        out.setdefault(move, []).append(situation)
    closing = {id(s) for move in PARTING for s in out[move]}
    out["greet"] = [s for found in out.values() for s in found if id(s) not in closing]
    return out


def _situation(has: Mapping[str, Collection[str]], slots: frozenset[str]) -> Situation:
    return Situation(has, slots | ALWAYS)


def _in_exchanges() -> _Found:
    """Leads and answers of ordinary talk."""
    for lead, row in EFFECTS.items():
        slots = frozenset(row.fills)
        for kind in row.subjects:
            stance = CRITERIA["stance"] if kind == "opinion" else ("",)
            has: dict[str, tuple[str, ...]] = {
                "topic_kind": (kind,), "pressure": ("",), "stage": ("",), "stance": stance,
            }  # fmt: skip
            if kind in ("rumour", "news"):
                has["told"] = CRITERIA["told"]
            filled = slots if kind else slots - VIEW
            yield lead, _situation(has, filled)
            for move in row.answers:
                answer = filled | VIEW if "topic" in filled else filled  # the answerer may have a view too
                yield move, _situation(has, answer - {"recall"} if move == "remember" else answer)


def _in_pressures(drama: DramaDeck) -> _Found:
    """What is said over a pressure, by each of its ways."""
    own = defaultdict[str, list[PressureWay]](list)
    for child, ways in drama.own.items():
        own[drama.children[child].kind].extend(ways)
    for name, kind in drama.kinds.items():
        for way in (*kind.ways, *own[name]):
            exchange = drama.exchanges[way.do]
            stages = tuple(map(str, range(way.stage, way.until + 1)))
            bonds = exchange.needs or ("",)
            has = {"topic_kind": ("pressure",), "pressure": (name,), "stage": stages, "stance": ("",), "claim": bonds}
            third = way.to in ("other", "authority") or way.by == "knower"
            filled = frozenset(("matter", "topic", "third", "cause") if third else ("matter", "topic"))
            for move in _moves(drama, kind, way):
                told = frozenset(("rumour", "third")) if move in REPORTS and drama.rumours.says else frozenset()
                yield move, _situation(has, filled | told)


def _moves(drama: DramaDeck, kind: Kind, way: PressureWay) -> list[str]:
    """The move of a way, and its possible answers."""
    exchange = drama.exchanges[way.do]
    moves = [exchange.move, *exchange.replies.values()]
    if kind.clears and way.accept.end == kind.clears:  # a guilty person admits it instead
        moves += [drama.exchanges[x.do].replies["accept"] for x in kind.ways if x.accept.end == kind.admits]
    return moves


def _in_showdowns(drama: DramaDeck) -> _Found:
    """What is said in showdowns."""
    for name in drama.showdowns:
        has = {"topic_kind": ("pressure",), "pressure": (name,), "stage": ("2", "3"), "stance": ("",)}
        for move in SHOWN:
            spoken_of = ("third", "cause") if move in SPOKEN_OF else ()
            yield move, _situation(has, frozenset(("matter", "topic", *spoken_of)))


def _over_facts(drama: DramaDeck) -> _Found:
    """Stances to a fact of a matter."""
    kinds = ("", *drama.kinds)
    has = {
        "topic_kind": ("pressure", "concern", "rumour"), "pressure": kinds, "stage": ("", *CRITERIA["stage"]),
        "stance": ("",), "fact": CRITERIA["fact"], "of": CRITERIA["of"],
    }  # fmt: skip
    for move in STANCES:
        filled = frozenset() if move in (WONDER, IGNORANT) else FORMS
        yield move, _situation(has, filled | BESIDE | ({"more"} if move in EXPLAINED else set()))


def _after_memories() -> _Found:
    """Answers to "how are you" that also tell a memory."""
    has: dict[str, tuple[str, ...]] = {"topic_kind": ("memory",), "pressure": ("",), "stage": ("",), "stance": ("",)}
    for move in ("answer_well", "answer_fine", "answer_low"):
        yield move, _situation(has, MEMORY)


def _following(drama: DramaDeck) -> _Found:
    """Follow-ups on a pressure after its exchange."""
    for name in drama.kinds:
        has = {"topic_kind": ("pressure",), "pressure": (name,), "stage": CRITERIA["stage"], "stance": ("",)}
        for move in FOLLOWING:
            yield move, _situation(has, frozenset(("matter", "topic", "third", "cause")))


def _on_feed() -> _Found:
    """What is written on the feed."""
    for move in WRITTEN:
        for about in ROWS[move].subjects:
            has = {
                "topic_kind": (about,),
                "pressure": (*_KINDS, "grudge", "guilt") if about == "pressure" else ("",),
                "stage": CRITERIA["stage"] if about == "pressure" else ("",),
                "stance": CRITERIA["stance"] if about == "opinion" else ("",),
                "told": ("", "good", "bad") if move in COMMENTS else CRITERIA["told"] if about == "rumour" else ("",),
            }
            yield move, _situation(has, frozenset(ROWS[move].fills))
