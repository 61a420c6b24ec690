"""The reports that ship (docs/experiments): what each says of how it was made, and whether it would be made so now.

`python tests/shipped_reports.py docs/experiments` writes their index. A report names a digest of the
source of what decided it; where this program's is another, the index says "of an earlier engine", and where an
experiment has other settings, seeds or measures by now, it says that.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sandbox.core.plain import count_of
from sandbox.lab.code_digest import DIGITS, module_digest, on_disk
from sandbox.lab.experiment import read_experiment, seeds_text, shipped_experiments
from sandbox.lab.facts import asked_rows
from sandbox.lab.replica import world_content
from sandbox.lab.studies.every import STUDIES
from sandbox.lab.wording import case_settings, markdown_table, settings_of

HERE, EARLIER = "of this engine", "of an earlier engine"
INDEX = "README.md"
DECIDED, MEASURE = "Code of what decides it", "measure "
SHOWN = 3  # changes that a line of the index names
HEAD = """\
# The reports that ship

`make experiments` and `make studies` run them again and make this page; `make reports` makes this page alone. For each
report it says whether the numbers were decided by what this program has now: for a town all code, decks and prompts by
which people live, and the world's own files; for a study the code and the data that it uses. Screens, stories and pages
decide nothing.
"""


def decided_by(name: str) -> dict[str, str]:
    """Digests of everything that decides the numbers of a report, by label. Raises KeyError if it does not ship."""
    if name in STUDIES:
        return {DECIDED: module_digest(STUDIES[name].run.__module__)}
    experiment = read_experiment(shipped_experiments()[name])
    return {"code of the engine": on_disk(), "files of the world": world_content(experiment)[:DIGITS]}


def expected_run(name: str) -> dict[str, str]:
    """What a report of it says of what was asked for, by what it calls it: settings, seeds, arms or cases, measures.
    Raises KeyError for what does not ship.
    """
    if name not in STUDIES:
        e = read_experiment(shipped_experiments()[name])
        return asked_rows(e, e.seeds) | {f"`{arm.name}`": settings_of(arm.settings) for arm in e.arms}
    study = STUDIES[name]
    cases = {f"`{case.name}`": f"{case.about} | {case_settings(case.settings)}" for case in study.cases}
    seeds = study.usual()
    told = f"{count_of(len(seeds), 'seed')} ({seeds_text(seeds)})"
    return {"seeds": told} | cases | {f"{MEASURE}{m.label}": "" for m in study.measures}


def reported_run(text: str, name: str) -> dict[str, str]:
    """The settings, seeds, arms or cases, and measures that a report states, with its digests."""
    run = _part(text, "What was run")
    rows = {first: others for first, *others in _rows(run)}
    found = {key: " | ".join(cells) for key, cells in rows.items()}
    if name not in STUDIES:
        return {key: value.rpartition(" | ")[0] if key.startswith("`") else value for key, value in found.items()}
    seeds = re.search(r"^(.+?\)) in each case", run, re.M)
    code = re.search(rf"{DECIDED}: (`\w+`)", run)
    found |= {"seeds": seeds[1] if seeds else "", DECIDED: code[1] if code else ""}
    return found | {f"{MEASURE}{first}": "" for first, *_ in _rows(_part(text, "All that was measured"))}


def _part(text: str, heading: str) -> str:
    return text.partition(f"## {heading}\n")[2].partition("\n## ")[0]


def _rows(text: str) -> list[list[str]]:
    """The rows of all tables in a text, without their heads."""
    rows = [line.strip("|").strip().split(" | ") for line in text.splitlines() if line.startswith("| ")]
    heads = {i - 1 for i, row in enumerate(rows) if row[0] == "---"}
    return [row for i, row in enumerate(rows) if i not in heads and row[0] != "---"]


def differs(text: str, name: str) -> list[str]:
    """The names of what differs between a report and a run today: settings, seeds, arms, measures."""
    wanted, had = expected_run(name), reported_run(text, name)
    keys = {*wanted} | {key for key in had if key.startswith(("`", MEASURE))}
    return sorted(key for key in keys if wanted.get(key) != had.get(key))


def is_of_this_engine(text: str, name: str) -> bool:
    """Whether the code that decided a report's numbers is unchanged."""
    had = reported_run(text, name)
    return all(had.get(key) == f"`{now}`" for key, now in decided_by(name).items())


def index(folder: Path) -> str:
    """The page that lists the reports of a folder."""
    rows = []
    for name in (*shipped_experiments(), *STUDIES):
        path = folder / f"{name}.md"
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        status = HERE if is_of_this_engine(text, name) else EARLIER
        if other := differs(text, name):
            status += f"; since then changed: {', '.join(other[:SHOWN])}"
            status += f" and {len(other) - SHOWN} more" * (len(other) > SHOWN)
        title = text.partition("\n")[0].removeprefix("# ")
        rows.append((f"[{name}]({path.name})", title, reported_run(text, name).get("seeds", ""), status))
    return f"{HEAD}\n{markdown_table(('report', 'what it is', 'seeds', 'what decided it'), rows)}\n"


if __name__ == "__main__":
    into = Path(sys.argv[1])
    (into / INDEX).write_text(index(into), encoding="utf-8")
