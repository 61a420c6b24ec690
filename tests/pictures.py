"""What the report of snapshots calls unused: never one whose test is there and was only not asked for in this run."""

from __future__ import annotations

from pathlib import Path

from syrupy.data import SnapshotCollection, SnapshotCollections
from syrupy.report import SnapshotReport

_unused = SnapshotReport.unused.fget


def unused(report: SnapshotReport) -> SnapshotCollections:
    """Stands in for that property, which knows a test by its name without parameters: those it takes for run are left
    out where all that asks for them, sampled or slow, was deselected. They would go with `--snapshot-update`, too.
    """
    waiting = [item.nodeid for item in report.collected_items if item.nodeid not in report.selected_items]
    found = SnapshotCollections()
    for told in _unused(report):
        stem = Path(told.location).stem
        names = {x.partition("::")[2].replace("::", ".") for x in waiting if Path(x.partition("::")[0]).stem == stem}
        left = SnapshotCollection(location=told.location)
        for snapshot in told:
            if not any(snapshot.name == name or snapshot.name.startswith(f"{name}.") for name in names):
                left.add(snapshot)
        if left.has_snapshots or not len(told):
            found.add(left if left.has_snapshots else told)
    return found
