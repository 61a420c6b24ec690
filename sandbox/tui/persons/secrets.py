"""Secrets and opinions: what only they, and who watches, may know."""

from __future__ import annotations

from collections.abc import Sequence

from sandbox.people.persona import Opinion
from sandbox.tui.ink import DIM, SOFT, SOUR, WARM, Line, gauge, ink, outside, wrap
from sandbox.tui.panes.entries import Entry
from sandbox.tui.persons.tab import Tab, says

STANCES = (
    (0.6, "strongly for", WARM),
    (0.15, "for", WARM),
    (-0.15, "of two minds about", SOFT),
    (-0.6, "against", SOUR),
    (-9.0, "strongly against", SOUR),
)


class SecretsTab(Tab):
    """Nothing here leads anywhere: nobody has told."""

    name = "Secrets"

    def entries(self, who: str, t: float, width: int, height: int) -> Sequence[Entry]:
        persona, name = self.viewer.world.cast[who], self.viewer.name(who)
        out = [_head("Secrets, in their own words")]
        out += [Entry(_quoted(secret, width)) for secret in persona.secrets]
        if not persona.secrets:
            out.append(says(f"{name} hides nothing.", width))
        out += [Entry([[]]), _head("Opinions")]
        out += [Entry(_opinion(topic, opinion, width)) for topic, opinion in persona.opinions.items()]
        if not persona.opinions:
            out.append(says(f"{name} has no opinion on what divides the town.", width))
        return out


def _head(text: str) -> Entry:
    return Entry([[ink(text, DIM)]])


def _quoted(text: str, width: int) -> list[Line]:
    parts = wrap(text, max(8, width - 2))
    return [[ink("  " if i else "? ", SOUR), ink(part)] for i, part in enumerate(parts)]


def _opinion(topic: str, opinion: Opinion, width: int) -> list[Line]:
    word, fg = next((word, fg) for least, word, fg in STANCES if opinion.stance >= least or least < -1)
    out: list[Line] = [
        [ink("  "), *gauge(abs(opinion.stance), 4, fg), ink(f" {word} ", fg), outside(topic, bold=True)],
    ]
    if opinion.why:
        out += [[ink("  "), ink(part, SOFT)] for part in wrap(f"because {opinion.why}", max(8, width - 2))]
    return out
