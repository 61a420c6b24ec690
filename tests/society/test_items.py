"""The questions of societies: five snippets are enough and four are not, and a file that breaks the rule says where."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from sandbox.society.items import Item, ItemFaults, claimed, left, read_items, shipped_items

QA, DEBATE = shipped_items("qa"), shipped_items("debate")
ALL = (*QA, *DEBATE)
GOOD = """items:
- name: key
  question: Where is the key?
  answers: [the mill, the old mill, the barn, the inn, the well, the boat]
  snippets:
  - text: The floor of the barn was swept.
    excludes: the barn
  - text: The inn was searched.
    excludes: the inn
  - text: The well is dry and empty.
    excludes: the well
  - text: The boat sank before.
    excludes: the boat
  - text: The old mill is locked, and its key is lost.
    excludes: the old mill
  gold: the mill
  claims: the inn
  false_claim: It is at the inn.
"""


def read(tmp_path: Path, text: str) -> tuple[Item, ...]:
    path = tmp_path / "items.yaml"
    path.write_text(text, encoding="utf-8")
    return read_items(path)


@pytest.mark.parametrize("item", ALL, ids=lambda item: item.name)
def test_all_five_snippets_leave_the_gold_answer_and_any_four_leave_more(item: Item) -> None:
    gold = item.answers.index(item.gold)
    for number in range(6):
        for some in combinations(range(5), number):
            stay = left(item, some)
            assert gold in stay
            assert (stay == (gold,)) == (number == 5)


def test_there_are_fifty_of_each_kind_and_a_dozen_debates_of_each_conflict() -> None:
    assert (len(QA), len(DEBATE)) == (50, 50)
    assert {item.conflict for item in QA} == {""}
    conflicts = Counter(item.conflict for item in DEBATE)
    assert set(conflicts) == {"none", "apparent", "real", "mixed"}
    assert min(conflicts.values()) >= 12


def test_no_name_question_or_snippet_stands_there_twice() -> None:
    for texts in (
        [item.name for item in ALL],
        [item.question.casefold() for item in ALL],
        [snippet.text.casefold() for item in ALL for snippet in item.snippets],
        [" / ".join(sorted(item.answers)) for item in ALL],
    ):
        assert [text for text, times in Counter(texts).items() if times > 1] == []


@pytest.mark.parametrize("items", [QA, DEBATE], ids=["qa", "debate"])
def test_the_gold_answer_and_what_excludes_it_stand_at_any_place(items: tuple[Item, ...]) -> None:
    places = Counter(item.answers.index(item.gold) for item in items)
    assert all(5 <= places[place] <= 12 for place in range(6)), places
    refutes = Counter(i for item in items for i in range(5) if item.claims in item.snippets[i].excludes)
    assert all(refutes[i] >= 4 for i in range(5)), refutes


def test_no_snippet_names_the_gold_answer_and_each_false_claim_names_its_own() -> None:
    for item in ALL:
        gold = item.answers.index(item.gold)
        assert [s.text for s in item.snippets if claimed(item, s.text) == gold] == []
        assert claimed(item, item.false_claim) == item.answers.index(item.claims) != gold


def test_a_snippet_alone_is_worth_the_same_whoever_holds_it() -> None:
    worth = {1 / len(left(item, (i,))) for item in ALL for i in range(5)}
    assert worth == {1 / 5}, "so that agents of both types are right alike before they talk"


def test_a_text_names_an_answer_by_its_words_or_its_letter(tmp_path: Path) -> None:
    (item,) = read(tmp_path, GOOD)
    assert claimed(item, "I think it's in the OLD mill!") == 1
    assert claimed(item, "the mill") == 0
    assert claimed(item, "mill") == 0
    assert claimed(item, "(c)") == 2
    assert claimed(item, "Either the barn or the inn.") is None
    assert claimed(item, "In the windmill.") is None
    assert claimed(item, "z") is None
    assert claimed(item, "") is None


FAULTS = [
    (GOOD, "items: []\n", 1, "no items; write at least one"),
    (GOOD, "", 0, "is empty; add its keys"),
    ("  - text: The inn was searched.\n    excludes: the inn\n", "", 6, "4 snippets; give 5, one to an agent"),
    ("false_claim: It is at the inn.\n", f"false_claim: The inn.\n{GOOD[7:]}", 19, 'name: the name "key" is taken'),
    ("excludes: the inn", "excludes: the in", 9, 'no answer "the in"; did you mean "the inn"?'),
    ("excludes: the inn", "excludes: [the inn, the mill]", 9, '"the mill" is the gold answer; take it out'),
    ("excludes: the inn", "excludes: the well", 6, '"the mill" and "the inn" stay; let them exclude all'),
    ("excludes: the inn", "excludes: [the inn, the well]", 11, "the other four suffice without C3; let it exclude"),
    ("claims: the inn", "claims: the mill", 17, '"the mill" is the gold answer; name a wrong one'),
    ("It is at the inn.", "It is anywhere.", 18, 'does not name "the inn" alone; say it in these words'),
    ("  claims", "  conflict: grave\n  claims", 17, 'no conflict "grave"; choose from apparent, mixed'),
    ("  claims", "  conflict: real\n  claims", 17, 'at_odds has 0 pairs; with conflict "real" name 1'),
    ("  claims", "  at_odds: [C1-C9]\n  claims", 17, 'no pair "C1-C9"; did you mean "C1-C'),
    ("the mill, the old mill, the barn,", "the mill, the old mill,", 4, "5 answers; give 6 to 12"),
    (
        "[the mill, the old mill",
        "[the mill, Mill, the old mill",
        4,
        '"Mill" says no more than another; word it anew',
    ),
    ("gold: the mill", "gold: the hill", 16, 'no answer "the hill"; did you mean "the mill"?'),
    ("  gold: the mill\n", "", 2, '"gold" is missing; add for example `gold: the barn`'),
]


@pytest.mark.parametrize(("old", "new", "line", "told"), FAULTS, ids=[told for *_, told in FAULTS])
def test_a_faulty_file_is_refused_with_line_and_mend(tmp_path: Path, old: str, new: str, line: int, told: str) -> None:
    assert len(read(tmp_path, GOOD)) == 1
    with pytest.raises(ItemFaults) as caught:
        read(tmp_path, GOOD.replace(old, new, 1))
    place = f":{line}: " if line else ": "
    assert any(f"items.yaml{place}" in fault and told in fault for fault in map(str, caught.value.faults)), caught.value


def test_every_fault_of_a_file_is_told_at_once(tmp_path: Path) -> None:
    second = GOOD[7:].replace("name: key", "name: other").replace("gold: the mill", "gold: mill")
    with pytest.raises(ItemFaults) as caught:
        read(tmp_path, GOOD.replace("claims: the inn", "claims: the mill") + second)
    assert [fault.line for fault in caught.value.faults] == [17, 33]
