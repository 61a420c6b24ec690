"""Something that can be said, in rows: how it is likely to be taken, and who will mind."""

from __future__ import annotations

from collections.abc import Callable

from sandbox.core.text import clean, upper
from sandbox.play.acts import TalkOffer
from sandbox.readers.turnings import outcome_percents, reasons_with_signs
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.view.text_lines import ALARM, BLUE, DIM, SOFT, TEXT, Line, gauge, hung, ink
from sandbox.tui.widgets.entries import Entry

GAUGE = 8  # cells of how likely it is that something is accepted
WAYS = {"accept": "agrees", "dodge": "lets it pass", "refuse": "refuses", "lie": "lies"}


def offer_entry(stage: TownLayout, offer: TalkOffer, width: int, does: Callable[[], None]) -> Entry:
    """Something that can be said, how it is likely to be taken, and who will mind."""
    says = upper(offer.says) + (f": {offer.matter}" if offer.matter else "")
    lines: list[Line] = [*hung([], clean(says, 200), width, TEXT, most=2)]
    plain = offer.do not in stage.viewer.world.drama.exchanges
    lines += hung([ink("  "), *likely_response(offer, plain)], reasons_with_signs(offer.why), width, SOFT, most=2)
    if offer.minds:
        minds = "; ".join(f"{stage.viewer.name(m.who)}: {m.why}" for m in offer.minds[:3])
        lines += hung([ink("  who minds: ", DIM)], minds, width, ALARM, most=2)
    return Entry(lines, does, (offer.do, offer.aim, offer.coins))


def likely_response(offer: TalkOffer, plain: bool) -> Line:
    """How something is likely to be taken. plain: it is ordinary talk, for which one needs but time and will."""
    if offer.chances is None:
        return [ink("who can tell? ", BLUE)]
    yes = offer.chances.get("accept", 0.0)
    if plain:
        return [*gauge(yes, GAUGE, BLUE), ink(f" listens {100 * yes:.0f} %  ", BLUE)]
    says = ", ".join(f"{WAYS[how]} {percent} %" for how, percent in outcome_percents(offer.chances))
    return [*gauge(yes, GAUGE, BLUE), ink(f" {says}  ", BLUE)]
