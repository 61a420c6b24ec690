"""Questions that stop time until the player answers: a text, then answers to choose from. And a line to type."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from sandbox.core.clock import MINUTE
from sandbox.core.faults import ZWJ, ZWNJ, path_text, safe
from sandbox.core.plain import count_of
from sandbox.core.text import upper
from sandbox.engine.engine import Engine
from sandbox.readers.branch_difference import EventLine, in_words
from sandbox.store.acts import StepActs, last_act
from sandbox.store.branch import KEPT
from sandbox.store.choose_mind import allow
from sandbox.store.errors import SaveError
from sandbox.tui.panes.layout import TownLayout
from sandbox.tui.sheets.town_sheet import TownSheet
from sandbox.tui.view.text_lines import as_lines, ink
from sandbox.tui.view.textual_internals import BaseScreen
from sandbox.tui.widgets.entries import Entry

T = TypeVar("T")
WAITS = "a question"  # the reason for which time stands meanwhile


class AskingSheet(TownSheet):
    """A question to be answered by yes or no. Subclasses give `says` and `agree`; no closes the sheet.

    yes, no: what each answer means.
    """

    short = picks = True
    start = "No"
    yes = no = ""

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        paced = stage.viewer.pace.paced
        self.before = paced.reason if paced.paused else ""  # why time already stood, "" = it ran
        paced.pause(WAITS)

    def says(self) -> Sequence[str]:
        """The paragraphs of the question."""
        raise NotImplementedError

    def agree(self) -> Awaitable[None] | None:
        """Do what is asked about."""
        raise NotImplementedError

    def entries(self, width: int) -> Sequence[Entry]:
        out = [Entry([*(line for text in self.says() for line in as_lines(text, width, "text")), []])]
        yes, no = [ink("Yes  "), ink(self.yes, "dim")], [ink("No   "), ink(self.no, "dim")]
        return [*out, Entry([yes], self.agree, "Yes"), Entry([no], self.stage.close_all, "No")]

    def labels(self) -> Mapping[str, str]:
        return {"chosen.open": "choose", "time.pause": "", "time.step": ""}  # no key lets time go on

    def closed(self) -> None:
        pace = self.viewer.pace
        if pace.stands_for(WAITS) and self.before:
            pace.paced.pause(self.before)
        elif pace.stands_for(WAITS):
            pace.paced.go()


# ---- may a model be asked that the world names, and that may cost the player money?


def ask_consent(stage: TownLayout) -> None:
    """Ask for consent if the world that is shown names a model that may cost money. Also warn of models that log in by
    themselves, for which consent here is not enough, and of parts of the world's tables that were left out.
    """
    session = stage.viewer.session
    if session.path is not None and any(model.plain for model in session.withheld.values()):
        stage.open_sheet(ConsentSheet(stage))
    for name in dict.fromkeys(model.name for model in session.withheld.values() if not model.plain):
        text = f"{name} is not asked: it may log in by itself, so name it yourself, by --mind or in your settings"
        stage.notify(text, severity="warning", timeout=12)
    for line in session.left:
        stage.notify(safe(upper(line)), severity="warning", timeout=12)


class ConsentSheet(AskingSheet):
    """Lists the models that may cost money."""

    kind, title = "consent", "May it cost money?"
    yes, no = "ask it; remembered for this save", "the embedded mind answers, for free"

    def __init__(self, stage: TownLayout) -> None:
        super().__init__(stage)
        self.named = {who: m for who, m in stage.viewer.session.withheld.items() if m.plain}

    def says(self) -> Sequence[str]:
        viewer = self.viewer
        says = [f"The world {safe(viewer.world.scenario.title, 60)} names models that may cost you money:"]
        return says + [f"  {m.name} for {viewer.name(who) if who else 'everybody'}" for who, m in self.named.items()]

    async def agree(self) -> None:
        try:
            uid = (await self.viewer.session.save.info()).uid
            allow(uid, [model.name for model in self.named.values()])
        except (SaveError, OSError) as error:
            text = f"your answer cannot be saved, so no model is asked: {safe(str(error))}"
            self.stage.notify(text, severity="error", timeout=12)
            return
        self.stage.program.reopen()


# ---- is the player's last act to be taken back?


async def ask_back(stage: TownLayout) -> None:
    """Ask whether to take back the last act, if any. An act that still waits for its step is taken back at once.

    Raises SaveError.
    """
    viewer = stage.viewer
    engine, save = viewer.session.engine, viewer.session.save
    if stage.close_kind(UndoSheet.kind):
        return
    if isinstance(engine, Engine) and engine.commands:
        engine.commands.pop()
        stage.notify("Your last act is taken back: it had not been done yet.", timeout=5)
        return
    acts = await last_act(save)
    if acts is None:
        stage.notify("You have done nothing in this town that could be taken back.", timeout=5)
        return
    notable = viewer.notable
    told = [await in_words(save, record, viewer.world, notable) for record in acts.records]
    stage.open_sheet(UndoSheet(stage, acts, told))


class UndoSheet(AskingSheet):
    """Lists the acts of the last step that had any."""

    kind, title = "undo", "Take back your last act?"
    yes, no = "go on from before it, in a save of its own", "leave it done"
    keys = frozenset(("saves.undo",))

    def __init__(self, stage: TownLayout, acts: StepActs, told: Sequence[EventLine]) -> None:
        super().__init__(stage)
        self.acts, self.told = acts, told

    def says(self) -> Sequence[str]:
        viewer = self.viewer
        clock, t = viewer.world.clock, self.told[0].t
        lived = max(0, viewer.world.now - t)
        hours, minutes = divmod(lived // MINUTE, 60)
        ago = f"{hours} h {minutes:02d} min" if hours else count_of(minutes, "minute")
        path = viewer.session.path
        kept = f"What happened since ({ago}) stays in {path_text(path)}." if path is not None else ""
        ten = f"The newest {KEPT} saves made this way are kept; one that you name stays."
        return [*(f"{clock.words(t)}: {one.text}." for one in self.told), *([kept] if kept else []), ten]

    def agree(self) -> None:
        stage, step = self.stage, max(0, self.acts.step - 1)
        stage.close_all()
        stage.viewer.pace.pause()
        stage.program.take_back(stage.viewer, step)


# ---- asks for one line of text


SHORT = 40  # letters: a hint of at most so many stands in the line


class TypedLine(BaseScreen[str | None], ModalScreen[str | None]):
    """Asks for a line of text; gives None if it is left. hint: an example, shown in the line if short, else below it.
    most: letters at most. check: raises ValueError, with a sentence for the player, if the line cannot be taken.

    keys: what enter and escape do, in words. narrow: whether the line is short.
    """

    keys = "enter takes it, esc leaves"
    narrow = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "back", show=False)]

    def __init__(self, title: str, value: str, hint: str, most: int, check: Callable[[str], object]) -> None:
        super().__init__()
        self._title, self._value, self._hint, self._most, self._check = title, value, hint, most, check

    def compose(self) -> ComposeResult:
        with Vertical(id="line", classes="-narrow" if self.narrow else "") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = self.keys
            short = self._hint if len(self._hint) <= SHORT else ""
            yield WordInput(self._value, placeholder=short, max_length=self._most, id="line-input")
            yield Static("" if short else self._hint, id="line-fault", classes="-hint", markup=False)

    def on_input_changed(self) -> None:
        below = self.query_one("#line-fault", Static)
        if not below.has_class("-hint"):
            below.update("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        try:
            self._check(event.value)
        except ValueError as fault:
            below = self.query_one("#line-fault", Static)
            below.remove_class("-hint")
            below.update(str(fault))
        else:
            self.dismiss(event.value)

    def action_leave(self) -> None:
        self.dismiss(None)


def ask_line(
    stage: TownLayout,
    title: str,
    value: str,
    hint: str,
    most: int,
    read: Callable[[str], T],
    takes: Callable[[T], None],
) -> None:
    """Ask for a line, as a `TypedLine` does. read: its check, which gives what the line means; takes: called with that,
    not at all if the prompt is left.
    """

    def typed(line: str | None) -> None:
        if line is not None:
            takes(read(line))

    stage.app.push_screen(TypedLine(title, value, hint, most, read), typed)


# ---- an input field for words of any script


class WordInput(Input):
    """An input that also takes zero-width joiners, which Textual drops as keys that print nothing."""

    def on_key(self, event: Key) -> None:
        """Insert a joiner at the cursor."""
        if event.character in (ZWNJ, ZWJ):
            event.stop()
            event.prevent_default()
            self.insert_text_at_cursor(event.character)
