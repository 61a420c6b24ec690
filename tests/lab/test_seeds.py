"""Seeds as a person writes them: how many, a range or a list, and the mend for what is none."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox.core.chance import SEED_MAX
from sandbox.lab.experiment import MOST_SEEDS, read_seeds, seeds_option, seeds_text


@pytest.mark.parametrize(
    ("given", "seeds", "written", "told"),
    [
        (3, (1, 2, 3), "3", "1 to 3"),
        ("60", range(1, 61), "60", "1 to 60"),
        ("401-410", range(401, 411), "401-410", "401 to 410"),
        (" 9, 1,5 , 7-8", (1, 5, 7, 8, 9), "1,5,7-9", "1, 5, 7 to 9"),
        ([5], (5,), "5-5", "5"),
        (["401-402", 7], (7, 401, 402), "7,401-402", "7, 401 to 402"),
        (range(401, 403), (401, 402), "401-402", "401 to 402"),
        (str(SEED_MAX) + "-" + str(SEED_MAX), (SEED_MAX,), f"{SEED_MAX}-{SEED_MAX}", str(SEED_MAX)),
    ],
)
def test_seeds_are_read_and_written_and_told(given: Any, seeds: Any, written: str, told: str) -> None:
    found = read_seeds(given)
    assert found == tuple(seeds)
    assert (seeds_option(found), seeds_text(found)) == (written, told)
    assert read_seeds(written) == found


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (0, "0 seeds are not possible; give 1 to 1,000"),
        ("-3", "-3 seeds are not possible"),
        (MOST_SEEDS + 1, "1001 seeds are not possible"),
        ("many", '"many" is neither a seed nor a range of seeds; write how many (60), a range (401-460) or a list'),
        ("1,,2", '"" is neither a seed'),
        ("1.5", '"1.5" is neither a seed'),
        ("1,0", f"0 is out of range; seeds are 1 to {SEED_MAX}"),
        ([-2], "-2 is out of range"),
        (f"1,{SEED_MAX + 1}", f"{SEED_MAX + 1} is out of range"),
        ("9-2", '"9-2" runs backwards; write 2-9'),
        ("1-5,3-9", "seed 3 is listed twice; name each once"),
        ([4, 4], "seed 4 is listed twice"),
        ("1-100000000000", "there are more than 1,000 seeds; name fewer"),
        (range(1, 10**12), "there are more than 1,000 seeds"),
        ([], "there are no seeds"),
    ],
)
def test_what_is_no_list_of_seeds_is_told_with_its_mend(given: Any, said: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - what it says is looked at
        read_seeds(given)
    assert str(caught.value).startswith(said)
