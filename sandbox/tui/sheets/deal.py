"""A card to be dealt: its parts, the row that deals it, and whom it is likely to affect with these parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace
from rich.cells import cell_len

from sandbox.core.faults import in_quotes
from sandbox.core.text import clean, upper
from sandbox.director.card_rule import Touch
from sandbox.director.dealing import RULES, is_given, likely_touches, price
from sandbox.director.deck import GIVEN, PARTS, DeckCard
from sandbox.director.model import COINS, Dealt
from sandbox.director.model import TEXT as LETTERS
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets import deal_choices, deal_context
from sandbox.tui.sheets.asking import ask_line
from sandbox.tui.sheets.deal_choices import PartChoice
from sandbox.tui.sheets.deal_context import FORCE, REPLAYED, Subject, card_title, deal_at_once, fault, holds_back
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.action import first_key
from sandbox.tui.view.text_lines import Line, as_lines, fit, gauge, hung, ink, outside, to_width, width_of, with_end
from sandbox.tui.widgets.entries import Deed, Entry, remark

NAME, WHO, GAUGE = 8, 10, 6  # cells: of a part's name, of a person's name, of the bar of how likely it is
LISTED = {"to": "Whom it is for", "whom": "Who else", "matter": "A matter", "where": "Where", "post": "A post"}
NOTHING = {"whom": "nobody", "matter": "none", "where": "the whole town", "words": "none", "to": "nobody"}
SENTENCES = ("matter", "post")  # parts whose choices are sentences, not names
LIVE_FROM_HERE = {"replay.branch": "go on live"}  # what the footer says in a replay


def replay_entries(stage: TownLayout, width: int) -> list[Entry]:
    """What sheets of cards begin with in a replay: that none can be dealt, and a row that goes on live."""
    key = ink(f"{first_key('replay.branch', stage.viewer.keys)} ", "accent", bold=True)
    says = hung([key], "go on live from here, in a save of its own: there it can be dealt", width, "soft")
    goes_on = Entry(says, partial(stage.do, "replay.branch"), "branch")
    return [remark(REPLAYED, width, "alarm"), goes_on, Entry([[]])]


class DealSheet(TownSheet):
    """A card whose parts are being chosen. made: the parts so far; moment: when it takes effect."""

    kind = "deal"
    picks = True
    keys = frozenset(("replay.branch",))

    def __init__(self, stage: TownLayout, name: str, subject: Subject) -> None:
        self.card: DeckCard = stage.viewer.world.card_deck.cards[name]
        super().__init__(stage, upper(card_title(self.card)))
        self.made = deal_context.fill_card(stage.viewer.world, name, subject)
        self.moment = deal_context.NOW
        self._known: tuple[object, list[Touch], str] = (None, [], "")
        self.start = self._next()

    @property
    def dealt(self) -> Dealt:
        """The card as it would be dealt now, with its delay in seconds."""
        return replace(self.made, later=self.moment.later(self.world.now))

    @property
    def parts(self) -> list[str]:
        """The names of the card's parts, those it needs first."""
        return [x for x in GIVEN if x in self.card.needs] + [x for x in GIVEN if x in self.card.may]

    def entries(self, width: int) -> Sequence[Entry]:
        w, d = self.world, self.dealt
        touches, why_not = self._touches(d)
        out = replay_entries(self.stage, width) if self.viewer.replaying else []
        out.append(Entry([*as_lines(self.card.does, width), []]))
        out += [self._part(part, d, width) for part in self.parts]
        out.append(self._row("when", [outside(self._from(d))], self._ask_when, width))
        if RULES[self.card.rule].timed:
            lasts = d.lasts or self.card.lasts
            says = f"for {deal_context.span_words(lasts)}" if lasts else "as long as such things take"
            out.append(self._row("lasts", [outside(says)], self._ask_span, width))
        if not self.viewer.replaying:
            out.append(self._deal_row(why_not, width))
        if says := deal_context.influence_words(w):
            out.append(Entry([[ink(f"  {says}; it takes {price(w, self.card)}", "accent")]]))
        if why_not:
            return [*out, Entry([[], *as_lines(f"It cannot be dealt yet: {why_not}.", width, "alarm")])]
        if waits := holds_back(w, d):
            out.append(remark(f"  {waits}.", width, "link"))
        head = "Likely to touch" if touches else "Nobody in particular is likely to be touched."
        out.append(Entry([[], [ink(head, "accent" if touches else "dim")]]))
        return [*out, *(self._touch(x, width) for x in touches)]

    def labels(self) -> Mapping[str, str]:
        deals = self.cursor_key == "deal"
        able = not deals or not self._touches(self.dealt)[1]
        return {"chosen.open": "" if not able else "deal it" if deals else "choose", **LIVE_FROM_HERE}

    def _deal_row(self, why_not: str, width: int) -> Entry:
        says = "deal it" + (f", {FORCE}" if self.card.force else "")
        line = [ink("▶ ", "dim" if why_not else "accent"), ink(says, "dim" if why_not else "text", bold=not why_not)]
        return Entry([[], fit(line, width)], self._deal, "deal")

    def _row(self, name: str, value: Line, does: Deed, width: int) -> Entry:
        return Entry([fit([ink(f"{name:<{NAME}}", "dim"), *value], width)], does, name)

    def _part(self, part: str, dealt: Dealt, width: int) -> Entry:
        if not is_given(dealt, part):
            needed = part in self.card.needs
            says = f"choose {PARTS[part]}" if needed else self._none(part)
            return self._row(part, [ink(says, "accent" if needed else "dim")], partial(self._ask, part), width)
        lines = hung([ink(f"{part:<{NAME}}", "dim")], self._value(part, dealt), width, most=3)
        return Entry(lines, partial(self._ask, part), part)

    def _none(self, part: str) -> str:
        """The words for an optional part that is left out."""
        return "wherever it suits" if part == "where" and RULES[self.card.rule].one_room else NOTHING.get(part, "none")

    def _value(self, part: str, dealt: Dealt) -> str:
        """The chosen value of a part, in words."""
        w = self.world
        if part in ("to", "whom"):
            who = getattr(dealt, part)
            return w.cast[who].name if who in w.cast else who
        if part == "matter":
            return deal_choices.card_matter_text(w, dealt) or "that is over by now; choose another"
        if part == "where":
            return deal_choices.place_words(w, dealt.where)
        if part == "post":
            return deal_choices.post_words(w, dealt.post)
        return dealt.words if part == "words" else f"{dealt.coins:,}"

    def _from(self, dealt: Dealt) -> str:
        w = self.world
        return f"{self.moment.says} ({w.clock.words(w.now + dealt.later)})" if dealt.later else self.moment.says

    def _touch(self, x: Touch, width: int) -> Entry:
        w = self.world
        head = [*gauge(x.much, GAUGE, "link"), ink(" "), *to_width([outside(w.handbook.name(x.who), bold=True)], WHO)]
        return Entry(hung([*head, ink(" ")], x.why, width, "soft", most=2))

    def _touches(self, dealt: Dealt) -> tuple[list[Touch], str]:
        """Whom the card is likely to affect, and why it cannot be dealt ("" = it can); cached per state of the town."""
        key = (dealt, *self.state_key)
        if self._known[0] != key:
            why_not = fault(self.world, dealt)
            self._known = (key, [] if why_not else likely_touches(self.world, dealt), why_not)
        return self._known[1], self._known[2].rstrip(".")

    # ---- choosing the parts

    def _next(self) -> str:
        """The key of the row to choose next: a part that is missing, else "deal"."""
        missing = (x for x in self.parts if x in self.card.needs and not is_given(self.made, x))
        says = "matter" if "words" in self.parts and not (self.made.matter or self.made.words) else "deal"
        return next(missing, says if says in self.parts else "deal")

    def _ask(self, part: str) -> None:
        if part == "words" and not RULES[self.card.rule].feeling:
            title, takes = "What it says", partial(self._take, "words")
            ask_line(self.stage, title, self.made.words, "words", LETTERS, lambda x: clean(x, LETTERS), takes)
        elif part == "coins":
            coins = str(self.made.coins or "")
            ask_line(self.stage, "How many coins", coins, "20", 6, typed_coins, partial(self._take, "coins"))
        else:
            none = "" if part in self.card.needs else self._none(part)
            title = f"{LISTED.get(part, 'What they are to feel')}: {card_title(self.card)}"
            choices, takes = partial(self._choices, part), partial(self._take, part)
            nothing = -1 if part == "post" else ""
            parts = Parts(title, choices, none, nothing, takes, named=part not in SENTENCES)
            self.stage.open_sheet(PartSheet(self.stage, parts, getattr(self.made, part)))

    def _choices(self, part: str) -> Sequence[PartChoice]:
        viewer = self.viewer
        if part in ("to", "whom"):
            return deal_choices.people_choices(viewer, self.made, part)
        if part == "matter":
            return deal_choices.matter_choices(viewer.world, self.made)
        if part == "where":
            return deal_choices.place_choices(viewer, self.card)
        return deal_choices.post_choices(viewer.world) if part == "post" else deal_choices.emotion_choices()

    def _take(self, part: str, value: Any) -> None:
        self.made = replace(self.made, **{part: value})
        self._back()

    def _back(self) -> None:
        """Move the cursor to the next row to choose, after a part was chosen."""
        self.start = self._next()
        if self.stage.sheets.topmost is self:
            self.stage.sheets.begin()

    def _ask_when(self) -> None:
        w = self.world
        found = deal_context.effect_times(w.clock, w.now)

        def take(at: str | int) -> None:
            self.moment = next((m for m in found if m.says == at), deal_context.NOW)
            self._back()

        parts = Parts("From when", lambda: [PartChoice(m.says, m.says) for m in found], "", "", take)
        self.stage.open_sheet(PartSheet(self.stage, parts, self.moment.says))

    def _ask_span(self) -> None:
        def take(seconds: str | int) -> None:
            self.made = replace(self.made, lasts=int(seconds))
            self._back()

        spans = [PartChoice(s, deal_context.span_words(s)) for s in deal_context.SPANS]
        parts = Parts("For how long", lambda: spans, "", "", take)
        self.stage.open_sheet(PartSheet(self.stage, parts, self.made.lasts))

    async def _deal(self) -> None:
        if self.stage.sheets.topmost is self:
            await deal_at_once(self.stage, self.dealt)


def typed_coins(text: str) -> int:
    """Parse a number of coins, from 1 to COINS. Raises ValueError."""
    digits = text.strip().replace(",", "")
    if not digits.isdecimal() or not 1 <= int(digits) <= COINS:
        raise ValueError(f"{in_quotes(text)} is not a number of coins; type one from 1 to {COINS:,}")
    return int(digits)


# ---- the list from which a part of a card is chosen


WIDEST = 28  # cells for a name at most


class Parts(NamedTuple):
    """A list to choose from. choices: called each time it is drawn. none: label of the row for "nothing", "" = no such
    row; nothing: its value. takes: called with the chosen value. named: whether choices are names, else sentences.
    """

    title: str
    choices: Callable[[], Sequence[PartChoice]]
    none: str
    nothing: str | int
    takes: Callable[[str | int], None]
    named: bool = True


class PartSheet(TownSheet):
    """Shows a list of `Parts`, and closes when something was chosen. now: the value chosen so far."""

    kind = "part"
    picks = True

    def __init__(self, stage: TownLayout, parts: Parts, now: str | int) -> None:
        super().__init__(stage, parts.title)
        self.parts = parts
        self.start = now

    def entries(self, width: int) -> Sequence[Entry]:
        found = self.parts.choices()
        name = min(WIDEST, max((cell_len(clean(choice.says)) for choice in found), default=0))
        out = [self._entry(choice, name, width) for choice in found]
        if self.parts.none:
            out.append(Entry([[ink(self.parts.none, "dim")]], partial(self._take, self.parts.nothing), "nothing"))
        return out or [remark("There is nothing to choose from.", width)]

    def _entry(self, choice: PartChoice, room: int, width: int) -> Entry:
        state = [ink(choice.state, "link")] if choice.state else []
        if self.parts.named:
            name = [outside(choice.says, bold=True)]
            head = [*to_width(name, room), ink("  ")] if choice.why else fit(name, width)
            left = width - (width_of(state) + 2 if state else 0)
            first, *more = hung(head, choice.why, left, "soft", most=2)
            lines = [with_end(first, state, width) if state else fit(first, width), *more]
        else:
            lines = hung([ink(f"{choice.why}: ", "dim")] if choice.why else [], choice.says, width, most=3)
        return Entry(lines, partial(self._take, choice.value), choice.value)

    def _take(self, value: str | int) -> None:
        if self.stage.sheets.topmost is self:  # a second key may come before the first has closed it
            self.stage.close_sheet()
            self.parts.takes(value)
