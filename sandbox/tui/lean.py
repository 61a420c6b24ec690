"""Fewer bytes for the same screen: only the cells that changed are sent, and of a style only what differs.

Textual sends a changed stretch from the left edge of its widget, and each run of cells with its whole style and a
reset after it. On a slow line bytes are what the eye waits for. This takes the place of the update that Textual's
compositor makes; where that is of a kind not known here, it is left as it is.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor
from textual.strip import Strip

RESET = "\x1b[0m"
Codes = tuple[str, str, str]  # attributes, foreground, background


@lru_cache(65536)
def codes(style: Style, system: ColorSystem) -> Codes:
    """A style as SGR parameters."""
    plain = Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline,
        blink=style.blink,
        reverse=style.reverse,
        strike=style.strike,
    )
    attributes = plain._make_ansi_codes(system)
    front = ";".join(style.color.downgrade(system).get_ansi_codes()) if style.color else "39"
    back = ";".join(style.bgcolor.downgrade(system).get_ansi_codes(foreground=False)) if style.bgcolor else "49"
    return attributes, front, back


class Pen:
    """Writes strips, and remembers with which style the terminal writes now."""

    def __init__(self, system: ColorSystem) -> None:
        self._system = system
        self._now: Codes = ("", "39", "49")
        self.out: list[str] = []

    def at(self, x: int, y: int) -> None:
        """Go to a cell."""
        self.out.append(f"\x1b[{y + 1};{x + 1}H")

    def write(self, strip: Strip) -> None:
        """Write a strip where the pen is."""
        append, system = self.out.append, self._system
        for text, style, control in strip:
            if control:
                append(text)
                continue
            if style is not None and style.link:
                append(RESET + style.render(text, color_system=system))
                self._now = ("", "39", "49")
                continue
            wanted = ("", "39", "49") if style is None else codes(style, system)
            if wanted != self._now:
                append(self._change(wanted))
                self._now = wanted
            append(text)

    def _change(self, wanted: Codes) -> str:
        (attributes, front, back), (old_attributes, old_front, old_back) = wanted, self._now
        if attributes != old_attributes:
            return f"\x1b[{';'.join(part for part in ('0', attributes, front, back) if part)}m"
        parts = [new for new, old in ((front, old_front), (back, old_back)) if new != old]
        return f"\x1b[{';'.join(parts)}m"


class LeanUpdate(ChopsUpdate):
    """The same update in fewer bytes."""

    def render_segments(self, console: Console) -> str:
        pen = Pen(console._color_system or ColorSystem.TRUECOLOR)
        for y, first, last in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= last or end <= first:
                    continue
                left, right = max(x, first), min(end, last)
                pen.at(left, y)
                pen.write(strip if (left, right) == (x, end) else strip.crop(left - x, right - x))
        return "".join((*pen.out, RESET))


class LeanCompositor(Compositor):
    """A compositor whose partial updates are lean."""

    def render_partial_update(self) -> ChopsUpdate | None:
        update = super().render_partial_update()
        if type(update) is not ChopsUpdate:
            return update
        return LeanUpdate(update.chops, update.spans, update.chop_ends)
