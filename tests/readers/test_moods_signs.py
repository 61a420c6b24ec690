"""No turn of a mood is told against what moved: not in a day of Larkspur, nor between any two moods."""

from itertools import product

import pytest
from lived import Day

from sandbox.people.mood import Pad
from sandbox.people.mood_words import colour
from sandbox.readers.all_stories import event_moods
from sandbox.readers.phrases import before, mood_turn, mood_turn_sentence
from sandbox.readers.timeline import Timeline

# What a reader takes words to say: an axis (pleasure, arousal, dominance), and which way it went.
SAYS = {
    "cheered up": (0, 1), "felt better": (0, 1),
    "lost heart": (0, -1), "grew angry": (0, -1), "grew uneasy": (0, -1), "was put off": (0, -1),
    "turned scornful": (0, -1), "felt worse": (0, -1),
    "was stirred up": (1, 1), "settled down": (1, -1), "quietened down": (1, -1),
    "grew bolder": (2, 1), "grew unsure": (2, -1),
}  # fmt: skip
GLAD = ("cheered up", "settled down", "felt better")


def against(words: str, delta: tuple[float, float, float]) -> bool:
    """Whether words say what a mood has not done."""
    axis, sign = SAYS[words]
    return sign * delta[axis] <= 0.0 or (words in GLAD and delta[0] < 0.0)


def delta(old: Pad, new: Pad) -> tuple[float, float, float]:
    return (new.p - old.p, new.a - old.a, new.d - old.d)


def test_no_turn_of_the_day_is_told_against_its_signs(day: Day) -> None:
    found = []
    for record in day.all():
        for m in event_moods(record):
            old, new = before(m.after, m.delta), Pad(*m.after)
            if (how := mood_turn(old, new)).words:
                found.append((how.words, against(how.words, delta(old, new))))
    assert len(found) >= 150
    assert [words for words, wrong in found if wrong] == []
    assert len({words for words, _ in found}) >= 8


def test_no_talk_of_the_day_is_said_to_have_turned_a_mood_against_its_signs(day: Day) -> None:
    timeline = Timeline(day.world.handbook, day.world.clock)
    timeline.read(day.all())
    told = 0
    for record in day.all():
        story = timeline.talk(getattr(record.event, "talk", ""))
        for change in story.changes if story is not None else ():
            words = next((x for x in SAYS if f" {x}" in change.text and change.who[0] in story.moved), "")
            if len(change.who) == 1 and words:
                told += 1
                assert not against(words, delta(*story.moved[change.who[0]])), change
    assert told > 50


def test_no_two_moods_are_told_against_what_lies_between_them() -> None:
    steps = (-0.7, -0.3, 0.0, 0.2, 0.6)
    moods = [Pad(*x) for x in product(steps, repeat=3)]
    pairs = [(old, new) for old, new in product(moods[::2], moods[1::3]) if colour(old) != colour(new)]
    found = [(old, new, mood_turn(old, new)) for old, new in pairs]
    assert sum(bool(how.words) for _, _, how in found) > 1000
    assert [(old, new, how) for old, new, how in found if how.words and against(how.words, delta(old, new))] == []
    assert {how.words for _, _, how in found} == {"", *SAYS}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (Pad(0.6, -0.7, 0.6), Pad(0.6, -0.7, 0.2), "Ben grew unsure: the loaf"),  # joy, yet no gladder
        (Pad(-0.7, 0.6, 0.0), Pad(-0.7, 0.0, 0.2), "Ben quietened down: the loaf"),
        (Pad(0.2, 0.0, -0.3), Pad(0.0, 0.0, -0.3), "Ben felt worse: the loaf"),  # calm that comes of a loss
        (Pad(-0.7, 0.0, 0.0), Pad(-0.3, -0.3, -0.3), "Ben felt better: the loaf"),  # sad, and less so
        (Pad(-0.3, -0.7, 0.2), Pad(0.6, -0.7, 0.2), "Ben cheered up: the loaf"),
    ],
)
def test_what_the_words_of_a_mood_do_not_fit_is_told_by_the_axis_that_moved(old: Pad, new: Pad, text: str) -> None:
    assert mood_turn_sentence("Ben", old, new, "the loaf", "event")[0] == text
