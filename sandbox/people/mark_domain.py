"""Marks as a domain. They are kept with the moods they move (people/mood.py)."""

from __future__ import annotations

from sandbox.core.domain import Domain
from sandbox.people.mark_handlers import HANDLERS

MARKS = Domain("marks", handlers=HANDLERS)
