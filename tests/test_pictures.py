"""A snapshot is called unused where no test asks for it, not where its test waits for another run."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pictures
import pytest
from syrupy.data import Snapshot, SnapshotCollection, SnapshotCollections
from syrupy.report import SnapshotReport


def test_what_a_deselected_test_asks_for_is_not_unused_and_what_none_asks_for_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told, at = SnapshotCollections(), str(tmp_path / "__snapshots__" / "test_a.ambr")
    file = SnapshotCollection(location=at)
    for name in ("test_x[small]", "test_x[small].1", "test_x[gone]", "test_x[small]er", "test_y[wide]"):
        file.add(Snapshot(name=name))
    told.add(file)
    monkeypatch.setattr(pictures, "_unused", lambda report: told)
    items = [SimpleNamespace(nodeid=f"tests/{x}") for x in ("test_a.py::test_x[wide]", "test_a.py::test_x[small]")]
    items.append(SimpleNamespace(nodeid="tests/test_b.py::test_y[wide]"))
    report = SimpleNamespace(collected_items=items, selected_items={items[0].nodeid: "passed"})
    (left,) = pictures.unused(report)
    assert (left.location, {x.name for x in left}) == (at, {"test_x[gone]", "test_x[small]er", "test_y[wide]"})


def test_it_stands_in_for_what_the_report_asks() -> None:
    assert SnapshotReport.unused.fget is pictures.unused
