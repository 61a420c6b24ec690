"""What stories tell on a sheet is drawn as they mean it: cleaned, within its width, in its tones."""

from __future__ import annotations

from sandbox.readers.story import RuleBars, SideBySide, SingleLine, TonedText, WrappedText, delta_text
from sandbox.talk.model import ScoredRule
from sandbox.tui.sheets.town_sheet import RULES, lines_of
from sandbox.tui.view.text_lines import Line, width_of


def text(lines: list[Line]) -> list[str]:
    return ["".join(part.text for part in line) for line in lines]


def test_words_wrap_with_an_indent_and_end_where_they_may() -> None:
    assert text(lines_of([WrappedText("one two three four five", most=2)], 12)) == ["  one two", "  three fou…"]


def test_a_row_is_cut_and_keeps_the_spaces_between_its_pieces() -> None:
    row = SingleLine((TonedText("  07:30 ", "dim"), TonedText("asleep"), TonedText(" "), TonedText("", "dim")))
    assert text(lines_of([row], 40)) == ["  07:30 asleep "]
    assert text(lines_of([row], 10)) == ["  07:30 a…"]


def test_parts_stand_side_by_side_as_far_as_there_is_room() -> None:
    parts = SideBySide(tuple((TonedText(f"likes {who}"), delta_text(-0.2)) for who in ("Ann", "Ben", "Cy")))
    assert text(lines_of([parts], 36)) == ["  likes Ann -0.20   likes Ben -0.20", "  likes Cy -0.20"]


def test_nothing_from_outside_reaches_the_terminal_as_a_code() -> None:
    evil = "[b]\x1b[31mred\x07"
    blocks = [
        WrappedText(evil),
        SingleLine((TonedText(f" {evil} "),)),
        SideBySide(((TonedText(evil),),)),
        RuleBars((ScoredRule(evil, 0.4),)),
    ]
    lines = text(lines_of(blocks, 40))
    assert len(lines) == 4
    assert all("red" in line and "\x1b" not in line and "\x07" not in line for line in lines)


def test_the_weightiest_rules_are_drawn_within_the_width() -> None:
    rules = tuple(ScoredRule(f"rule {n}", (-1) ** n * n / 10) for n in range(9))
    lines = lines_of([RuleBars(rules)], 40)
    assert [line[1].text for line in lines] == ["rule 8", "rule 7", "rule 6", "rule 5"][:RULES]
    assert all(width_of(line) <= 40 for line in lines)
