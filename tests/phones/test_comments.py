"""A comment takes up what stands in a post: its subject, whom it names, what its writer felt; or it is not written."""

import pytest
from online import NOON, Online

from sandbox.core.chance import Chance
from sandbox.engine.engine import Running
from sandbox.engine.scenario import Scenario
from sandbox.feed.events import Reacted
from sandbox.phones.acting import Task, put_all
from sandbox.phones.model import Written
from sandbox.phones.question_write import BACK, WRITE, PostSays, Write, of_comment
from sandbox.talk.saying import Said


def written(town: Online, move: str, topic: str, text: str, **about: object) -> Written:
    return town.post(None, "mara", text=text, move=move, topic=topic, **about)


def comment(town: Online, x: Written, text: str, move: str = "back_up", tone: float | None = None) -> Write:
    post = PostSays(text, x.topic, x.valence if tone is None else tone)
    return of_comment(town.world, "thea", move, x, post, "mara", "Mara", text, NOON, 0)


def test_a_subject_is_taken_up_only_if_the_post_names_it(larkspur: Scenario) -> None:
    town = Online(larkspur)
    x = written(town, "post_small", "the school bell", "I do like the school bell.")
    assert comment(town, x, "I do like the school bell.").slots["topic"] == "the school bell"
    assert "topic" not in comment(town, x, "A man went by with a marrow.").slots


def test_somebody_is_named_only_if_the_post_names_them(larkspur: Scenario) -> None:
    town = Online(larkspur)
    x = written(town, "post_thanks", "", "Thank you to Basil.", whom="basil", valence=0.5)
    assert comment(town, x, "Thank you to Basil.").slots["third"] == "Basil"
    assert "third" not in comment(town, x, "Thank you, you know who you are.").slots


@pytest.mark.parametrize(
    ("move", "valence", "told"),
    [("post_vent", -0.5, "bad"), ("post_brag", 0.5, "good"), ("post_vent", -0.1, ""), ("post_view", -0.9, "")],
)
def test_a_feeling_is_that_of_who_had_it(larkspur: Scenario, move: str, valence: float, told: str) -> None:
    town = Online(larkspur)
    x = written(town, move, "", "It is so.", valence=valence)
    assert comment(town, x, "It is so.").context["told"] == told


def test_an_answer_to_a_comment_takes_up_how_that_sounds(larkspur: Scenario) -> None:
    town = Online(larkspur)
    x = written(town, "post_view", "", "It is so.")
    assert comment(town, x, "It is so.", BACK, tone=-1.0).context["told"] == "bad"


def test_the_reader_gives_their_own_reason_for_the_side_they_are_on(larkspur: Scenario) -> None:
    town = Online(larkspur)
    topic, view = next(iter(town.world.cast["thea"].opinions.items()))
    text = f"On {topic} I am sure."
    x = written(town, "post_view", topic, text, opinion=topic, stance=view.stance)
    assert comment(town, x, text, "back_up").slots["why"] == view.why
    assert "why" not in comment(town, x, text, "have_a_go").slots


def at_the_phone(town: Online) -> Running:
    """A step in which the line book is asked."""
    step, write = town.at(), WRITE.rule.make(town.world.scenario.lines)  # type: ignore[union-attr]

    async def ask(questions: list[Write]) -> list[Said]:
        return [write(q, Chance(0).stream(0, q.who, "write")) for q in questions]

    step.ask = ask  # type: ignore[assignment, method-assign]
    return step


async def test_where_there_is_nothing_to_take_up_a_post_is_liked(larkspur: Scenario) -> None:
    town = Online(larkspur)
    x = written(town, "post_small", "the school bell", "A man went by with a marrow.")
    step = at_the_phone(town)
    q = comment(town, x, "A man went by with a marrow.")
    await put_all(step, town.world, [Task("thea", q, "comment", "back_up", on=x.number, to="mara")])
    assert [type(r.event) for r in step.records] == [Reacted]


async def test_words_take_up_the_subject(larkspur: Scenario) -> None:
    town = Online(larkspur)
    text = "I do like the school bell."
    x = written(town, "post_small", "the school bell", text)
    step = at_the_phone(town)
    await put_all(step, town.world, [Task("thea", comment(town, x, text), "comment", "back_up", on=x.number)])
    (record,) = step.records
    assert "the school bell" in record.event.text  # type: ignore[attr-defined]
