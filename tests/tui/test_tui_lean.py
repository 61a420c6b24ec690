"""Lean updates: a terminal that got them shows what the screen holds, cell by cell, in fewer bytes."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from larkspur import Town, live
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, CompositorUpdate, LayoutUpdate
from textual.screen import Screen
from textual.strip import Strip

from sandbox.tui.app.app import SandboxApp
from sandbox.tui.view.diff_writer import Pen, Shadow
from sandbox.tui.view.terminal import ASK, DEAF, LARGE, Meter
from sandbox.tui.view.textual_internals import LeanLayout, LeanUpdate

WIDTH, HEIGHT = 120, 40
KEYS = (
    "j",
    "right",
    "w",
    "j",
    "escape",
    "2",
    "k",
    "4",
    "1",
    "minus",
    "plus",
    "z",
    "z",
    "f",
    "full_stop",
    "question_mark",
)


class Terminal:
    """A terminal that is sent what the app displays, and counts it."""

    def __init__(self) -> None:
        self.screen = pyte.Screen(WIDTH, HEIGHT)
        self.stream = pyte.Stream(self.screen)
        self.console = Console(width=WIDTH, height=HEIGHT, color_system="truecolor", force_terminal=True)
        self.lean = self.plain = self.worst = 0

    def display(self, screen: Screen[None], update: CompositorUpdate | None) -> None:
        if update is None:
            return
        sent = update.render_segments(self.console)
        self.lean += len(sent)
        self.worst = max(self.worst, len(sent))
        if isinstance(update, LeanUpdate):
            update = ChopsUpdate(update.chops, update.spans, update.chop_ends)
        elif isinstance(update, LeanLayout):
            update = LayoutUpdate(update.strips, update.region)
        self.plain += len(update.render_segments(self.console))
        self.stream.feed(sent)

    def cell(self, x: int, y: int) -> tuple[str, str, str]:
        char = self.screen.buffer[y][x]
        return char.data, char.fg, char.bg


def colour(value: object, default: str) -> str:
    return default if value is None else value.get_truecolor().hex.lstrip("#")  # type: ignore[attr-defined]


def differing(app: SandboxApp, terminal: Terminal) -> list[tuple[int, int]]:
    """Cells where the terminal does not show what the screen holds."""
    out = []
    for y, strip in enumerate(app.screen._compositor.render_strips()):
        x = 0
        for text, style, _ in strip:
            for char in text:
                data, fg, bg = terminal.cell(x, y)
                wanted = (
                    colour(style.color if style else None, "default"),
                    colour(style.bgcolor if style else None, "default"),
                )
                inked = char != " "
                if data != char or bg != wanted[1] or (inked and fg != wanted[0]):
                    out.append((x, y))
                x += 1
    return out


@pytest.mark.slow
async def test_a_terminal_shows_what_the_screen_holds(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    terminal = Terminal()
    monkeypatch.setattr(app, "_display", terminal.display)
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await live(app, "08:10")
        await pilot.pause()
        app.screen.refresh(layout=True)
        await pilot.pause()
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
            assert differing(app, terminal) == [], key
    assert terminal.lean < 0.33 * terminal.plain


def pen(shadow: Shadow, x: int, y: int, *segments: Segment) -> str:
    out = Pen(ColorSystem.TRUECOLOR, shadow)
    out.write(x, y, Strip(segments))
    return out.text()


RED, BOLD = Style.parse("#ff0000 on #000000"), Style.parse("bold #ff0000 on #0000ff")


def test_a_style_is_written_once() -> None:
    row = (Segment("a", RED), Segment("b", RED), Segment("c", BOLD), Segment("d", None))
    assert pen(Shadow(), 2, 1, *row) == (
        "\x1b[2;6Hd\x1b[3G\x1b[38;2;255;0;0;48;2;0;0;0mab\x1b[0;1;38;2;255;0;0;48;2;0;0;255mc\x1b[0m"
    )


def test_cells_are_sent_in_an_order_in_which_a_colour_is_seldom_sent_twice() -> None:
    shadow, marks = Shadow(), [("#ff0000", "#000000"), ("#00ff00", "#0000ff"), ("#ff0000", "#0000ff")] * 2
    sent = pen(shadow, 0, 0, *(Segment("▀", Style.parse(f"{front} on {back}")) for front, back in marks))
    assert (sent.count("38;2"), sent.count("48;2"), sent.count("▀")) == (2, 2, 6)


def test_a_blank_is_of_any_colour() -> None:
    shadow, red, blue = Shadow(), Style.parse("red on #000000"), Style.parse("blue on #000000")
    pen(shadow, 0, 0, Segment("  ", red))
    assert pen(shadow, 0, 0, Segment("  ", blue)) == ""
    assert pen(shadow, 0, 0, Segment("  ", Style.parse("blue on #000001"))) == "\x1b[1;1H\x1b[48;2;0;0;1m  \x1b[0m"
    assert pen(shadow, 0, 0, Segment("a", red), Segment(" ", blue)).count("\x1b[") == 3  # a move, a style, a reset


@given(st.lists(st.lists(st.tuples(st.sampled_from("a ▀美·"), st.integers(0, 3)), min_size=8, max_size=8), max_size=8))
def test_whatever_changes_the_terminal_shows_it(rows: list[list[tuple[str, int]]]) -> None:
    styles = [RED, BOLD, Style.parse("#ff0000 on #0000ff"), Style.parse("#00ff00 on #000000")]
    terminal, shadow = Terminal(), Shadow()
    for row in rows:
        segments = [Segment(char, styles[i]) for char, i in row]
        terminal.stream.feed(pen(shadow, 0, 0, *segments))
        x = 0
        for char, i in row:
            cell, style = terminal.screen.buffer[0][x], styles[i]
            assert cell.data == char
            assert cell.bg == colour(style.bgcolor, "default")
            assert char == " " or (cell.fg, cell.bold) == (colour(style.color, "default"), bool(style.bold))
            x += 2 if char == "美" else 1
        rest = Segment(" " * (16 - x), RED)  # what a longer row before has left
        terminal.stream.feed(pen(shadow, x, 0, rest))


def test_what_the_terminal_shows_is_not_sent_again() -> None:
    shadow = Shadow()
    pen(shadow, 0, 0, Segment("the town at noon, quiet", RED))
    assert pen(shadow, 0, 0, Segment("the town at noon, quiet", RED)) == ""
    assert pen(shadow, 4, 0, Segment("mill", RED)) == "\x1b[1;5H\x1b[38;2;255;0;0;48;2;0;0;0mmill\x1b[0m"
    assert pen(shadow, 0, 0, Segment("the mill at noon, quiet", RED)) == ""
    shadow.forget()
    assert "quiet" in pen(shadow, 0, 0, Segment("the mill at noon, quiet", RED))


def test_a_wide_sign_is_sent_whole() -> None:
    shadow = Shadow()
    pen(shadow, 0, 0, Segment("a美b", RED))
    assert pen(shadow, 0, 0, Segment("a美b", RED)) == ""
    assert pen(shadow, 0, 0, Segment("a美c", RED)).count("c") == 1
    assert "玲" in pen(shadow, 0, 0, Segment("a玲c", RED))
    assert "xy" in pen(shadow, 0, 0, Segment("axyc", RED))


@pytest.mark.slow
async def test_another_screen_over_it_makes_it_draw_anew(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    terminal = Terminal()
    monkeypatch.setattr(app, "_display", terminal.display)
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await pilot.press("ctrl+p")
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        await pilot.pause()
        assert differing(app, terminal) == []
        await pilot.resize_terminal(100, 30)
        await pilot.resize_terminal(WIDTH, HEIGHT)
        await pilot.pause()
        assert differing(app, terminal) == []


# ---- the meter


def test_no_frame_is_sent_before_the_last_was_taken_in() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    assert not meter.asks(LARGE - 1)
    assert meter.ready()
    assert meter.asks(LARGE)
    assert not meter.ready()
    now[0] = 0.05
    assert meter.answered()
    assert meter.ready()
    assert not meter.answered()


def test_a_long_line_has_more_frames_under_way() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    meter.asks(LARGE)
    now[0] = 0.2  # the quickest answer there is
    meter.answered()
    meter.asks(LARGE)
    meter.asks(LARGE)
    assert meter.ready()
    meter.asks(LARGE)
    assert not meter.ready()


def test_a_terminal_that_never_answers_is_not_asked_again() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    meter.asks(LARGE)
    assert not meter.ready()
    now[0] = DEAF + 0.1
    assert meter.ready()
    assert not meter.asks(LARGE)
    assert meter.ready()
    assert ASK == "\x1b[6n"


def test_a_slow_line_is_given_little_at_a_time() -> None:
    now = [0.0]
    meter = Meter(lambda: now[0])
    assert meter.room == float("inf")
    for _ in range(3):
        meter.asks(LARGE)
        now[0] += 0.01
        meter.answered()
    assert meter.room == float("inf")
    for _ in range(8):
        meter.asks(20_000)
        now[0] += 0.11  # 200,000 characters a second, and the way there and back
        meter.answered()
    assert meter.room == pytest.approx(10_000)
    for _ in range(30):
        meter.asks(20_000)
        now[0] += 0.012
        meter.answered()
    assert meter.room == float("inf")


@pytest.mark.slow
async def test_what_has_no_room_is_sent_a_little_later(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    app = SandboxApp(town)
    app.viewer.pace.paced.pause()
    terminal = Terminal()
    monkeypatch.setattr(app, "_display", terminal.display)
    monkeypatch.setattr(Meter, "room", 6000.0)
    async with app.run_test(size=(WIDTH, HEIGHT)) as pilot:
        await live(app, "08:10")
        await pilot.press("right")
        await pilot.pause()
        assert terminal.cell(1, 0)[0] == "■"  # the frame comes first
        for _ in range(60):
            await pilot.pause(0.05)
            if not differing(app, terminal):
                break
        assert differing(app, terminal) == []
        assert terminal.worst < 12_000 < terminal.lean  # so it came in several goes
