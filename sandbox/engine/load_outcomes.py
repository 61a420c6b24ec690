"""Reading what an occasion of the calendar decides, and checking that all it names is there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sandbox.core.clock import MINUTE
from sandbox.core.faults import quoted, suggestion, unknown
from sandbox.core.textfiles import Reader, Value
from sandbox.engine.drama_words import BORN, check_slots, needs
from sandbox.people.persona import BigFive, Persona, Pressure
from sandbox.people.pressures.deck import Drama
from sandbox.people.pressures.waiting import SETTLED
from sandbox.town.plan import Decision

VOTE, CONTEST = "vote", "contest"
SIDES = ("yes", "no")
LIMIT = 240
# kind of decision -> its sentences: their key in a file, their key in a decision, their slots.
_TALLY = ("yes", "no", "last")
SENTENCES: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {
    VOTE: (("yes", "yes", _TALLY), ("no", "no", _TALLY), ("tie", "tie", _TALLY), ("off", "off", ())),
    CONTEST: (("says", "won", ("winner", "second", "prize", "judge")), ("off", "off", ())),
}
EXAMPLES = {
    "yes": '"The field is sold, {yes} to {no}"',
    "no": '"The field is not sold, {no} to {yes}"',
    "says": '"{winner} has won {prize}"',
    "off": '"Too few came, and nothing was decided"',
}


class Around(NamedTuple):
    """What the words of a decision are checked against."""

    people: Mapping[str, Persona]
    pressures: Mapping[str, Pressure]
    drama: Drama


def read_decision(value: Value, who: tuple[str, ...], length: int, dated: bool, around: Around) -> Decision | None:
    """What an occasion decides. who: those who come to it; length: its seconds; dated: it is on one date."""
    r = value.mapping()
    if r.value is None:
        return None
    kind = r.choice("kind", "", (VOTE, CONTEST), "kind of decision", need=VOTE)
    if not kind:
        return None
    at = r.integer("at", length // (2 * MINUTE), 0, max(0, length // MINUTE - 1)) * MINUTE
    if kind == VOTE:
        about, took, least = _vote(r, who, dated, around)
    else:
        about = r.text("prize", need='"the ham"', limit=80)
        took, least = _takers(r, "entrants", who, who, around), 2
    says = {name: texts for key, name, slots in SENTENCES[kind] if (texts := _sentences(r, key, slots))}
    judge = r.choice("judge", "", took + who, "person who comes") if kind == CONTEST else ""
    trait, skill = _skill(r, took) if kind == CONTEST else ("", {})
    for ended, ends in SETTLED.items():
        missing = set(ends) - set(around.drama.kinds[ended].ends) if ended in around.drama.kinds else set()
        if missing:
            r.fault(
                f"the {ended} of the deck has no ending {quoted(min(missing))}, and a decision may end it so; add it"
            )
    out = Decision(
        kind=kind,
        about=about,
        at=at,
        who=took,
        says=says,
        least=r.integer("least", min(least, max(1, len(took))), 1, max(1, len(took))),
        judge=judge,
        trait=trait,
        skill=skill,
        settles=_pressures(r, "settles", kind, took, around, SETTLED),
        sways=_pressures(r, "sways", kind, took, around, None) if kind == VOTE else {},
        children=_children(r, around.drama),
    )
    r.rest()
    return out


def _sentences(r: Reader, key: str, slots: tuple[str, ...]) -> tuple[str, ...]:
    """One sentence or several."""
    out = []
    for v in r.items(key, EXAMPLES.get(key, ""), single=True):
        text = v.text(LIMIT)
        if text:
            check_slots(text, slots, v)
            out.append(text)
    return tuple(out)


def _vote(r: Reader, who: tuple[str, ...], dated: bool, around: Around) -> tuple[str, tuple[str, ...], int]:
    topic_value = r.get("about", need='"selling the field"')
    about = (topic_value.text(120) if topic_value is not None else None) or ""
    topics = {topic for p in around.people.values() for topic in p.opinions}
    if about and topic_value is not None and around.people and about not in topics:
        near = suggestion(about, topics) or "; write one under `opinions` of a person"
        topic_value.fault(f"nobody has an opinion on {quoted(about)}{near}")
    if not dated:
        r.fault('a vote is taken once; give its occasion a date, such as `on: "2025-03-06"`, in place of days')
    voters = _takers(r, "voters", who, (), around)
    return about, voters, len(voters) // 2 + 1


def _takers(r: Reader, key: str, who: tuple[str, ...], usual: tuple[str, ...], around: Around) -> tuple[str, ...]:
    """Voters or entrants: ids, or `who` for all who come. Each must come to the occasion."""
    value = r.get(key, need="[mara, bo]" if not usual else "")
    if value is None:
        return usual
    out: dict[str, None] = {}
    for v in value.values(single=True):
        name = v.text(80)
        if name == "who" and name not in around.people:
            out.update(dict.fromkeys(who))
        elif name is not None and name not in around.people:
            v.fault(unknown("person of the cast", name, around.people))
        elif name is not None and name not in who:
            v.fault(f'{quoted(name)} does not come; add them to "who" of the occasion')
        elif name is not None:
            out[name] = None
    if not out and value.nothing:
        value.fault("is empty; name at least one person")
    return tuple(out)


def _skill(r: Reader, took: tuple[str, ...]) -> tuple[str, dict[str, float]]:
    value = r.get("skill")
    if value is None:
        return "", {}
    if not value.is_mapping:
        return value.choice(BigFive.__struct_fields__, "trait") or "", {}
    trait, skill = "", {}
    section = value.mapping()
    for who, v in section.entries():
        if who == "trait":
            trait = v.choice(BigFive.__struct_fields__, "trait") or ""
        elif who not in took:
            section.key_fault(who, f"{quoted(who)} is no entrant{suggestion(who, took)}")
        else:
            number = v.number(-1, 1)
            skill[who] = number if number is not None else 0.0
    return trait, skill


def _pressures(
    r: Reader, key: str, kind: str, took: tuple[str, ...], around: Around, kinds: Collection[str] | None
) -> dict[str, str]:
    """Pressure -> what it wants. kinds: of pressures that may stand there; None = all."""
    out: dict[str, str] = {}
    section = r.section(key)
    for ident, value in section.named(around.pressures, "pressure"):
        pressure = around.pressures[ident]
        if kinds is not None and pressure.kind not in kinds:
            section.key_fault(ident, f"a {pressure.kind} cannot be settled so; that can be {', '.join(kinds)}")
            continue
        if kind == VOTE:
            want = value.choice(SIDES, "side")
        elif value.nothing:
            want = ""
        else:
            want = value.choice(took, "entrant")
        if want is not None:
            out[ident] = want
    return out


def _children(r: Reader, drama: Drama) -> tuple[str, ...]:
    out = []
    for v in r.items("children", single=True):
        name = v.text(60)
        child = drama.children.get(name or "")
        if name and child is None and not drama.children:
            continue  # a world that keeps nothing of that list
        if name and child is None:
            v.fault(unknown("child", name, drama.children))
        elif name and child is not None:
            lacks = needs(child) - {*BORN, "place"}
            if lacks:
                v.fault(f"the child {quoted(name)} speaks of {', '.join(sorted(lacks))}; there is none here")
            else:
                out.append(name)
    return tuple(out)
