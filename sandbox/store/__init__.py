"""The save: one SQLite file that keeps every event, and from which any step of a world can be rebuilt."""

from sandbox.store.branch import Listed, branch, saves_list
from sandbox.store.errors import SaveError
from sandbox.store.facts import SaveInfo
from sandbox.store.save import Save
from sandbox.store.verify import Verdict

__all__ = ["Listed", "Save", "SaveError", "SaveInfo", "Verdict", "branch", "saves_list"]
