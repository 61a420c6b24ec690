"""Rumours in a world's `drama.yaml`: every fault is named, and a foreign scenario with such is refused."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sandbox.core.faults import Faults
from sandbox.engine.checking import check_scenario
from sandbox.engine.load_decks import read_drama
from sandbox.engine.loading import data_dir
from sandbox.engine.scenario import Scenario
from sandbox.people.pressure_deck import Rumours

RIGHT = """rumours:
  says:
    crush: ["{holder} likes {about}", "{holder} sighs", "{holder} has written a poem", "{holder} reads it aloud"]
  also: {row: ["{holder} shouted", ["{about} shouted back", "{holder} and {about} shouted"]]}
  ended: {debt: ["{ending}, they say, over {stakes}"]}
  bears: {self: talked_about}
  lie: {base: 0.1}
"""


def deck(tmp_path: Path, text: str) -> tuple[Rumours, str]:
    """The rumours of the deck that ships with that added, and the faults."""
    path, faults = tmp_path / "drama.yaml", Faults()
    path.write_text(text, encoding="utf-8")
    found = read_drama([data_dir() / "drama.yaml", path], faults).rumours
    return found, "\n".join(map(str, faults.errors))


def test_a_world_says_it_in_its_own_words(tmp_path: Path) -> None:
    found, faults = deck(tmp_path, RIGHT)
    assert not faults
    assert found.says["crush"][2] == "{holder} has written a poem"
    assert found.says["row"]
    assert found.ended["debt"] == ("{ending}, they say, over {stakes}",)
    assert found.ended["promise"]
    assert found.also["row"] == (("{holder} shouted",), ("{about} shouted back", "{holder} and {about} shouted"))
    assert found.lie["base"] == 0.1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("crush:", "crash:", 'no kind of pressure "crash"; did you mean "crush"?'),
        ("{about}", "{abuot}", 'no slot "{abuot}"; did you mean "about"?'),
        (', "{holder} reads it aloud"', "", "write 4 sentences"),
        ("row:", "raw:", 'no kind of pressure "raw"; did you mean "row"?'),
        ("{holder} shouted", "{holdr} shouted", 'no slot "{holdr}"; did you mean "holder"?'),
        ('"{holder} shouted"', "a, b, c, d", 'has more than there are sentences of "row" in says'),
        ("debt:", "det:", 'no kind of pressure or ending "det"; did you mean "debt"?'),
        ("debt:", "row:", 'no kind of pressure or ending "row"'),  # a row has no end
        ("{ending}", "{endign}", 'no slot "{endign}"; did you mean "ending"?'),
        ("self:", "slef:", 'no kind of hearsay "slef"; did you mean "self"?'),
        ("talked_about", "talkd_about", 'no child "talkd_about"; did you mean "talked_about"?'),
        ("base", "bsae", 'no feature "bsae"; did you mean "base"?'),
        ("lie:", "lye:", "lye"),
    ],
)
def test_a_fault_is_named_with_its_mend(tmp_path: Path, old: str, new: str, says: str) -> None:
    assert old in RIGHT
    _, faults = deck(tmp_path, RIGHT.replace(old, new))
    assert says in faults


@pytest.mark.parametrize(
    "more",
    [
        {"says": {"row": ("{holder}",) * 4}},
        {"says": {"gossip": ("{holder}",) * 4}},
        {"also": {"row": (("{ending}",),)}},
        {"also": {"row": ((),) * 5}},
        {"ended": {"debt": ("{place}",)}},
        {"ended": {"debt": ()}},
        {"ended": {"gossip": ("{ending}",)}},
        {"bears": {"self": "nothing"}},
        {"bears": {"nobody": "talked_about"}},
        {"lie": {"base": 99.0}},
    ],
)
def test_a_foreign_scenario_with_strange_rumours_is_refused(larkspur: Scenario, more: dict[str, object]) -> None:
    strange = replace(larkspur.drama, rumours=replace(larkspur.drama.rumours, **more))
    with pytest.raises(ValueError):  # noqa: PT011
        check_scenario(msgspec.json.decode(msgspec.json.encode(replace(larkspur, drama=strange)), type=Scenario))
