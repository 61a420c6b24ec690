"""What logs of earlier versions hold: an event of its own for what the act before it wrote about. Now the act itself
says so (`Writing` in feed/events.py), and nothing makes this event any more. It does to the state what it always did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sandbox.core.events import Event, Stamp
from sandbox.feed.events import WritingDetails
from sandbox.people.mood import Pad
from sandbox.phones.handlers import keep_written, remember_wrote
from sandbox.phones.model import HasPhones, WrittenItem


class OldWrote(WrittenItem, Event, frozen=True, omit_defaults=True, kw_only=True):
    """What the actor wrote in the event that is its cause is about. why: what made them write, a clause."""

    KIND: ClassVar[str] = "wrote"
    CITES: ClassVar[tuple[str, ...]] = ("cites",)
    mood: Pad = Pad(0.0, 0.0, 0.0)
    why: str = ""
    variants: tuple[str, ...] = ()

    @property
    def about(self) -> WritingDetails:
        """Itself, as in a `Writing`."""
        return self

    @property
    def reason(self) -> str:
        """Why it was written, as in a `Writing`."""
        return self.why


def old_wrote(w: HasPhones, e: OldWrote, stamp: Stamp) -> None:
    posts, account = w.feed.posts, w.feed.handles.get(stamp.actor, -1)
    if e.kind == "post" and (e.number >= posts.n or posts.author.item(e.number) != account):
        raise ValueError(f"there is no post {e.number} of {stamp.actor}")
    keep_written(w, e.kind, e.number, e, stamp)


HANDLERS: dict[type[Event], Callable[..., None]] = {OldWrote: old_wrote}
REMEMBER: dict[type[Event], Callable[..., None]] = {OldWrote: remember_wrote}
