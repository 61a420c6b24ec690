"""What the tree may cost, kept: lines of code a package, its shape, and CPU of the tests in calibration loops.

    python tests/budget.py tree                      # packages of sandbox/, and what is counted of all, beside budgets
    python tests/budget.py cpu test make test        # run a command; what it and all it started cost, beside `cpu.test`

The budgets stand in pyproject.toml, so that growth is a decision. A loop is that of `sandbox/cli/calibration.py`, timed
beside the command the whole while, so that a slow or a busy machine counts no more loops than a quick one.
Exit code 1 if a budget is broken; that of the command where it fails.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from time import process_time

from house import House

from sandbox.cli.calibration import run_calibration

ROOT = Path(__file__).resolve().parents[1]
BETWEEN = 10.0  # seconds from one timing of the loop to the next
QUICKEST = 0.028  # seconds of a loop that counts: where it takes 24 ms in place of 31, the tests take as long as before


def budgets() -> dict[str, dict[str, int]]:
    """`lines` by package, `shape` by row (`house.py`), `cpu` by name, in loops."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)["tool"]["sandbox"]["budgets"]


def lines() -> dict[str, int]:
    """Lines of Python by package; modules of the top count as `sandbox`."""
    counted: dict[str, int] = {}
    for path in (ROOT / "sandbox").rglob("*.py"):
        within = path.relative_to(ROOT / "sandbox").parts
        package = within[0] if len(within) > 1 else "sandbox"
        counted[package] = counted.get(package, 0) + path.read_text(encoding="utf-8").count("\n")
    return counted


def over_lines(found: dict[str, int], allowed: dict[str, int]) -> list[str]:
    """What breaks the budget of lines, a sentence each."""
    broken = [
        f"sandbox/{name} has {count:,} lines, {count - allowed[name]:,} over its budget of {allowed[name]:,}"
        for name, count in sorted(found.items())
        if name in allowed and count > allowed[name]
    ]
    broken += [f"sandbox/{name} has no budget of lines" for name in sorted(found.keys() - allowed.keys())]
    return broken + [
        f"there is no sandbox/{name}, and a budget for it" for name in sorted(allowed.keys() - found.keys())
    ]


def moved(table: str, found: Mapping[str, int], allowed: Mapping[str, int], room: float = 0.0) -> list[str]:
    """What of a table is not as its row says, a sentence each: what has fallen, by more than that share, stays so."""
    broken = [f"{table}.{name} has no number in pyproject.toml" for name in sorted(found.keys() - allowed.keys())]
    for name, number in sorted(allowed.items()):
        if name not in found:
            broken.append(f"{table}.{name} is a row of nothing that is counted")
        elif found[name] > number:
            broken.append(f"{table}.{name} is {found[name]:,}, {found[name] - number:,} over its budget of {number:,}")
        elif found[name] < number * (1.0 - room):
            broken.append(
                f"{table}.{name} has fallen to {found[name]:,}: write that in place of {number:,}, so it stays"
            )
    return broken


def loop() -> float:
    """CPU seconds of one calibration loop."""
    began = process_time()
    run_calibration()
    return process_time() - began


def measured(command: list[str]) -> tuple[int, float, float]:
    """Run it: its exit code, its CPU seconds with those of all it started, and those of a loop meanwhile."""
    loops = [loop()]
    running = subprocess.Popen(command)
    while True:
        try:
            code = running.wait(timeout=BETWEEN)
            break
        except subprocess.TimeoutExpired:
            loops.append(loop())
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, spent.ru_utime + spent.ru_stime, fmean(loops)


def cpu(name: str, command: list[str]) -> int:
    """Run the command and hold it against the budget of that name: the exit code."""
    allowed = budgets()["cpu"][name]
    code, seconds, turn = measured(command)
    turn = max(turn, QUICKEST)
    cost = round(seconds / turn)
    print(f"CPU: {seconds:,.0f} s, {cost:,} loops of {turn * 1e3:.1f} ms", end="; ")
    print(f"the budget cpu.{name} is {allowed:,} ({cost / allowed:.0%})")
    if cost > allowed:
        print(f"That is {cost - allowed:,} loops over it. `make test ARGS=--cpu` names the dearest tests: make them")
        print("cheaper, or mark them slow or long; or raise the budget in pyproject.toml, and say why.")
    return code or int(cost > allowed)


def main(args: list[str]) -> int:
    match args:
        case ["tree"]:
            found, allowed = lines(), budgets()["lines"]
            broken = over_lines(found, allowed) + moved("shape", House(ROOT).measures(), budgets()["shape"])
            print("\n".join(broken) or f"{sum(found.values()):,} lines in sandbox/; budgets {sum(allowed.values()):,}")
            return int(bool(broken))
        case ["cpu", name, *command] if command:
            return cpu(name, command)
        case _:
            print(__doc__)
            return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
