"""Readers under a policy for whom a language model decides, over real HTTP on loopback."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from judges import serving

from sandbox.lab.studies.every import STUDIES
from sandbox.lab.studies.minds import StudyModels
from sandbox.lab.studies.performing import perform
from sandbox.lab.studies.policy_minds import MINDS, JudgedToxicity, PeopleSetup, SteeredReaders
from sandbox.lab.studies.questions import (
    FeedSitting,
    RateToxicity,
    ReaderDeed,
    SideTaken,
    SumUp,
    TakeSide,
    ToxicityRated,
)
from sandbox.lab.studies.study_results import Report
from sandbox.minds import client
from sandbox.minds.loopback import Request, Scripted
from sandbox.minds.spec import Model
from sandbox.policy.toxicity import lexicon

NEWS = "The council publishes its plan"
LONG = "I have thought about this for a while and cannot see why anybody should pay to come to the town. " * 2


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(client, "PAUSE", 0.001)


def asks(request: Request) -> str:
    assert request.schema is not None
    return next(key for key in ("deeds", "memory", "side", "toxicity") if key in request.schema["properties"])


def told(request: Request) -> str:
    text: str = request.messages[1]["content"]
    return text


def people(request: Request) -> Scripted:
    """Likes, passes on and answers at length the first card, with an insult, and follows whose it is."""
    if (asked := asks(request)) == "deeds":
        assert request.schema is not None
        ways: list[str] = request.schema["properties"]["deeds"]["items"]["properties"]["do"]["enum"]
        card = ways[0].split()[1]
        acts = [f"{act} {card}" for act in ("like_post", "repost", "create_comment", "like_post", "quote_post")]
        acts += [way for way in ways if way.startswith("follow")][:1]
        return Scripted(json.dumps({"why": "So.", "deeds": [{"do": act, "text": LONG} for act in acts]}))
    side = "against" if any(word in told(request) for word in ("No to", "bill", "toll gate")) else "for"
    given = {"memory": {"memory": "They quarrel."}, "side": {"why": "So.", "side": side}}
    return Scripted(json.dumps(given.get(asked, {"why": "So.", "toxicity": 0.05})))


def lived(
    script: Callable[[Request], Scripted], out: Path, cases: Sequence[str] = (), users: int = 4, **given: Any
) -> tuple[Report, list[Request]]:
    with serving(script) as server:
        by = StudyModels(Model("openai/m", (f"{server.url}/v1",)), (), users)
        made = perform(STUDIES["policy-cross"], (3,), cases, "C", out, given={"rounds": 3} | given, by=by)
        assert [run.error for run in made.runs] == [""] * len(made.runs)
        return made, server.asked


def values(made: Report, case: str) -> dict[str, float | None]:
    (run,) = (run for run in made.runs if run.case == case)
    assert run.found is not None
    return run.found.values


def test_people_are_steered_by_nobody_by_chance_and_by_a_learner_and_a_report_comes_of_it(tmp_path: Path) -> None:
    made, asked = lived(people, tmp_path)
    for case in ("origin", "random", "linucb"):
        found = values(made, case)
        assert {measure.key for measure in MINDS.study.measures} <= set(found)
        assert found["toxicity"] == pytest.approx(0.05)
        assert (found["by_rule"], found["by_lexicon"], found["stood_in"]) == (0, 0, 0)
        assert (found["refused"] or 0) > 0, "nobody can like a card twice"
    assert values(made, "origin")["reward"] is None
    assert (values(made, "random")["reward"] or 0) > 0
    assert {asks(request) for request in asked} == {"deeds", "memory", "side", "toxicity"}
    text = (tmp_path / "report.md").read_text()
    assert "Readers decided by openai/m" in text
    assert "{" not in text
    lived(lambda request: pytest.fail("asked again"), tmp_path)


def test_the_same_answers_give_the_same_run(tmp_path: Path) -> None:
    first, second = (lived(people, tmp_path / name, ("linucb",))[0] for name in "ab")
    assert first.runs[0].found == second.runs[0].found


def test_a_reader_is_told_who_they_are_what_comes_to_mind_the_news_and_whom_they_follow(tmp_path: Path) -> None:
    _, asked = lived(people, tmp_path, ("random",))
    looks = [told(request) for request in asked if asks(request) == "deeds"]
    assert len(looks) == 3 * 4
    assert all("What people talk about these days" in text for text in looks)
    assert all("Writes in" in text and "What comes to your mind" in text for text in looks)
    assert [NEWS in text.split("Your feed shows")[1] for text in looks[:4]] == [True] * 4
    assert all(re.search(r"post \d+ by \"Newsroom\"", text.split("Your feed shows")[1][:40]) for text in looks[:4])
    assert any("whom you follow)" in text for text in looks[4:])
    assert any("whom you do not follow)" in text for text in looks)


def test_short_texts_are_kept_as_they_are_and_long_ones_summed_up(tmp_path: Path) -> None:
    _, asked = lived(people, tmp_path, ("random",))
    sums = [told(request) for request in asked if asks(request) == "memory"]
    assert sums
    assert all(LONG[:100] in text or text.count("\n- ") > 1 for text in sums)
    assert any("They quarrel." in told(request) for request in asked if asks(request) == "deeds")


class Panel:
    """Models that answer by a table."""

    users = 2

    def __init__(self, answers: dict[type, Any], judges: int = 1) -> None:
        self.answers, self.judges, self.refused, self.asked = answers, judges, 0, []  # type: ignore[var-annotated]

    async def ask(self, questions: Sequence[Any], of: str = "") -> list[Any]:
        self.asked += questions
        return [self.answers[SumUp] if isinstance(q, SumUp) else self.answers[FeedSitting](q) for q in questions]

    async def judge(self, questions: Sequence[Any]) -> list[list[Any]]:
        self.asked += questions
        return [[self.answers[type(q)](q, i) for q in questions] for i in range(self.judges)]

    def refuse(self) -> None:
        self.refused += 1


def sitting(*deeds: ReaderDeed) -> Callable[[Any], FeedSitting]:
    return lambda q: FeedSitting(deeds=deeds, why="So.") if q.person.number == 0 else FeedSitting()


def test_all_acts_on_one_card_are_done_in_order_and_impossible_ones_refused() -> None:
    people = SteeredReaders(PeopleSetup(), 2, 3)
    card, other = people.site.feed.accounts[1].posts[0], "user 1"
    on = f"post {card}"
    before = people.site.feed.posts.n
    acts = [
        ReaderDeed("unfollow", other, 1), ReaderDeed("follow", other, 1), ReaderDeed("like_post", on, card),
        ReaderDeed("like_post", on, card), ReaderDeed("repost", on, card),
        ReaderDeed("quote_post", on, card, "Well."), ReaderDeed("create_comment", on, card, "Hm."),
        ReaderDeed("unfollow", other, 1), ReaderDeed("create_post", "", -1, "Rain."),
    ]  # fmt: skip
    if 1 in people.site.feed.accounts[0].follows:
        people.site.unfollow(0, 1)
    voice = Panel({FeedSitting: sitting(*acts)})
    asyncio.run(people.step(voice, 180))
    assert voice.refused == 2, "unfollowing whom one does not follow, and liking twice"
    feed = people.site.feed
    assert [deed.act for deed in people.did[0]][-7:] == [
        "follow", "like_post", "repost", "quote_post", "create_comment", "unfollow", "create_post",
    ]  # fmt: skip
    assert feed.posts.n == before + 3
    assert 1 not in feed.accounts[0].follows
    assert feed.posts.stance[before + 1] == feed.posts.stance[before + 2] == round(1000 * people.stance[0])


@pytest.mark.parametrize(
    ("words", "stances"), [([1, 1], [1.0, 1.0, 0.6]), ([1, -1], [0.0, 0.0, 0.0]), ([1, None], [1.0, 1.0, 0.6])]
)
def test_a_stance_is_an_average_of_the_sides_that_judges_say(words: list[int | None], stances: list[float]) -> None:
    people = SteeredReaders(PeopleSetup(), 2, 3)
    sides = Panel({}, judges=2)
    found = []
    for number, turned in enumerate((1, 1, -1)):
        people.number = number
        sides.answers = {TakeSide: lambda q, i, turned=turned: SideTaken(side=_times(words[i], turned))}
        asyncio.run(people.take_sides(sides))
        found.append(people.stance[0])
        assert people.site.feed.users.stance[0] == round(1000 * people.stance[0])
    assert found == pytest.approx(stances)


def _times(side: int | None, turned: int) -> int | None:
    return None if side is None else side * turned


def test_where_no_judge_says_a_side_the_rule_does_and_it_is_counted() -> None:
    people = SteeredReaders(PeopleSetup(), 2, 3)
    people.number, people.stance[:] = 1, (0.5, 0.0)
    for deeds in people.did:
        deeds.clear()
    card = people.site.create_post(0, "Yes.", 1.0)
    people._do(1, ReaderDeed("dislike_post", f"post {card}", card), "")
    voice = Panel({TakeSide: lambda q, i: SideTaken()})
    asyncio.run(people.take_sides(voice))
    assert people.by_rule == 2
    assert people.stance.tolist() == pytest.approx([0.6, -0.2])
    assert voice.asked[1].did == ('dislike_post on "Yes."',)


def test_toxicity_is_the_mean_of_judges_and_the_lexicons_where_none_is_usable() -> None:
    known = {"Rude.": (0.2, 0.4), "Hm.": (None, 0.1), "You idiot.": (None, None)}
    voice = Panel({RateToxicity: lambda q, i: ToxicityRated(toxicity=known[q.comment][i])}, judges=2)
    judged = JudgedToxicity()
    for _ in range(2):
        asyncio.run(judged.hear([*known, "Hm."], voice))
    assert len(voice.asked) == 3, "each text is asked for once"
    assert judged(["Rude.", "Hm.", "You idiot.", "Unheard."]) == pytest.approx(
        [0.3, 0.1, *lexicon(["You idiot.", "Unheard."])]
    )
    assert judged.unjudged == 1
