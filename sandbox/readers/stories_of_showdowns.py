"""Stories of showdowns: who called whom to account before everybody, who stood by whom and why, and how it ended."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.core.clock import Clock
from sandbox.core.events import Event, Stamp
from sandbox.core.text import join_names
from sandbox.drama.taking_sides import ABOUT, HOLDER, PEACE, Showdown
from sandbox.readers.facts import SpeechTurn
from sandbox.readers.stories_of_pressures import matter_blocks, of_matter
from sandbox.readers.story import (
    Block,
    SideBySide,
    SingleLine,
    Story,
    Teller,
    Tone,
    TonedText,
    WrappedText,
    delta_text,
    ties_from_feelings,
)

BEFORE_ALL = "@"  # mark of timeline rows
RULES = 4  # reasons listed for each who took a side, the weightiest


def _sentence(teller: Teller, e: Showdown, stamp: Stamp) -> str:
    """A showdown: "Vera had it out with Greta at the market before everybody: the loaves; Otis stood by Vera"."""
    other = teller.name(e.two[e.two[0] == stamp.actor])
    parts = [
        f"{teller.name(stamp.actor)} had it out with {other} {teller.handbook.at(e.where)} before everybody: {e.about}"
    ]
    for who, side in zip(e.two, (HOLDER, ABOUT), strict=True):
        if friends := e.stood_by(side):
            parts.append(f"{join_names([teller.name(x) for x in friends])} stood by {teller.name(who)}")
    if calm := e.stood_by(PEACE):
        parts.append(f"{join_names([teller.name(x) for x in calm])} asked for peace")
    return f"{'; '.join(parts)}. In the end {e.says}"


def _sheet(teller: Teller, e: Showdown, clock: Clock) -> Sequence[Block]:
    """The scene turn by turn, each with its weightiest reasons."""
    out: list[Block] = [*matter_blocks(teller, e.id, over=True)]
    for turn in e.turns:
        name, to = teller.name(turn.line.who), teller.name(turn.to)
        how, tone = _how(teller, e, turn.line.who, turn.side)
        head = (
            TonedText(name, "text", bold=True),
            TonedText(f" to {to}", "dim"),
            *((TonedText(f"  {how}", tone),) if how else ()),
        )
        out += [SingleLine(head), WrappedText(f"“{turn.line.text}”")]
        best = sorted(turn.why, key=lambda rule: -abs(rule.value))[:RULES]
        sign = (
            -1.0 if turn.side == ABOUT and turn.line.who not in e.two else 1.0
        )  # so that reasons for the speaker's own side are above 0
        if best:
            out.append(WrappedText("; ".join(f"{rule.name} {sign * rule.value:+z.2f}" for rule in best), "dim", 3))
    out.append(WrappedText(f"In the end {e.says}.", "text"))
    if e.there:
        out.append(WrappedText(f"{join_names([teller.name(who) for who in e.there])} looked on.", "dim"))
    moved = ((TonedText(f"{teller.name(f.u)} likes {teller.name(f.v)}"), delta_text(f.delta)) for f in e.feelings)
    return [*out, SideBySide(tuple(moved))]


def _how(teller: Teller, e: Showdown, who: str, side: str) -> tuple[str, Tone]:
    """The side somebody took, in words, and its tone; "" for the two themselves."""
    if who in e.two:
        return "", "text"
    if side == PEACE:
        return "asks for peace", "soft"
    return f"stands by {teller.name(e.two[side == ABOUT])}", "warm" if side == HOLDER else "cool"


def _speech(e: Showdown, stamp: Stamp) -> list[SpeechTurn]:
    """The turns as speech, e.pace seconds apart."""
    scene = f"{stamp.t}.{e.id}"
    return [
        SpeechTurn(
            scene, (x.line.who, x.to), stamp.t + n * e.pace, x.line.move, (x.line,), abs(x.line.valence), x.line.valence
        )
        for n, x in enumerate(e.turns)
    ]


STORIES: dict[type[Event], Story] = {
    Showdown: of_matter(
        sentence=_sentence,
        mark=BEFORE_ALL,
        weight="pressure.showdown",
        about=lambda e: e.two,
        others=lambda e: e.there,
        sheet=_sheet,
        speech=_speech,
        ties=lambda e: ties_from_feelings(e.feelings),
        counts=lambda e: [("showdowns", 1)],
        aftermath=lambda e: "happened",
    )
}
