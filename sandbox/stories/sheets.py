"""What a sheet of the screen shows of an event, as plain values: who draws them knows inks and widths, and no event."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from sandbox.talk.model import Rule

Tone: TypeAlias = Literal["text", "soft", "dim", "warm", "cool"]


class Piece(NamedTuple):
    """Some words in one tone."""

    text: str
    tone: Tone = "soft"
    bold: bool = False


class Said(NamedTuple):
    """Words in as many indented lines as they need, at most so many."""

    text: str
    tone: Tone = "soft"
    most: int = 99


class Row(NamedTuple):
    """Pieces in one line, cut where it ends."""

    pieces: tuple[Piece, ...]


class Beside(NamedTuple):
    """Short parts side by side, in as many indented lines as they need; none is parted."""

    parts: tuple[tuple[Piece, ...], ...]


class Rules(NamedTuple):
    """The rules behind a decision with their weights, as bars."""

    rules: Sequence[Rule]


Block: TypeAlias = Said | Row | Beside | Rules


def signed(value: float) -> Piece:
    """How far something moved, in the tone of its sign."""
    return Piece(f" {value:+z.2f}", "warm" if value > 0 else "cool")
