"""docs/society.md: its programs run as written, and its parameters are all told."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from sandbox.society import BetaGranter, Growth, GrowthParameters

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "society.md").read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.S)
PRINTED = re.findall(r"It prints\n\n```\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize(("program", "printed"), zip(PROGRAMS, PRINTED, strict=True), ids=["growth", "save", "items"])
def test_a_program_prints_what_the_page_says(program: str, printed: str, tmp_path: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert ran.stdout == printed


def test_every_parameter_is_told() -> None:
    assert {*GrowthParameters.__struct_fields__} <= {*re.findall(r"`(\w+)", PAGE)} | {"target", "source"}


def test_the_graph_goes_out_as_gexf_and_comes_back(tmp_path: Path) -> None:
    society = Growth(GrowthParameters(steps=20), BetaGranter(), 3)
    society.grow()
    path = tmp_path / "society.gexf"
    nx.write_gexf(society.graph(), path)
    back = nx.read_gexf(path, node_type=int)
    assert dict(back.nodes(data="type")) == {i: "R" if of_r else "B" for i, of_r in enumerate(society.types)}
    assert {(a, b): w for a, b, w in back.edges(data="weight")} == {
        pair: float(weight.sum()) for pair, weight in society.arcs.items()
    }
