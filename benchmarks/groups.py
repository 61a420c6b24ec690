"""All groups of figures, and the help text that lists them."""

from __future__ import annotations

from benchmarks.branches import BRANCHES_GROUP
from benchmarks.cards import CARDS_GROUP, RECEIPT_GROUP
from benchmarks.drama import DRAMA_GROUP
from benchmarks.feed import FEED_GROUP
from benchmarks.lab import LAB_GROUP
from benchmarks.memory import MEMORY_GROUP
from benchmarks.minds import MINDS_GROUP
from benchmarks.old import OLD_GROUP
from benchmarks.peers import PEERS_GROUP
from benchmarks.phones import PHONES_GROUP
from benchmarks.played import PLAYED_GROUP
from benchmarks.policy import POLICY_GROUP
from benchmarks.replay import REPLAY_GROUP, SEEK_GROUP
from benchmarks.run import FigureGroup
from benchmarks.screen import FRAME_GROUP, KEY_GROUP, PLAY_GROUP, START_GROUP
from benchmarks.slow_line import LINE_GROUP
from benchmarks.society import SOCIETY_GROUP
from benchmarks.ties import TIES_GROUP
from benchmarks.town import DAY_GROUP, HEAD_GROUP

FIGURE_GROUPS = {
    group.name: group
    for group in (
        DAY_GROUP,
        HEAD_GROUP,
        SEEK_GROUP,
        REPLAY_GROUP,
        DRAMA_GROUP,
        MEMORY_GROUP,
        START_GROUP,
        FRAME_GROUP,
        KEY_GROUP,
        PLAY_GROUP,
        LINE_GROUP,
        FEED_GROUP,
        POLICY_GROUP,
        SOCIETY_GROUP,
        PHONES_GROUP,
        MINDS_GROUP,
        LAB_GROUP,
        TIES_GROUP,
        CARDS_GROUP,
        PLAYED_GROUP,
        RECEIPT_GROUP,
        BRANCHES_GROUP,
        OLD_GROUP,
        PEERS_GROUP,
    )
}


def groups_help() -> str:
    """Every group and its figures, a line each."""
    return "\n".join(line for group in FIGURE_GROUPS.values() for line in _group_lines(group))


def _group_lines(group: FigureGroup) -> list[str]:
    about = group.about if group.usual else f"(only if named) {group.about}"
    lines = [f"  {'':9}{spec.name:16}{spec.says}{spec.unit and f' ({spec.unit})'}" for spec in group.figures]
    if about:
        return [f"  {group.name:9}{about}", *lines]
    return [f"  {group.name:9}{lines[0][11:]}", *lines[1:]]
