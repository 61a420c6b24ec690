"""Sandbox: a living town in the terminal, and a laboratory of the same engine."""

__version__ = "0.1.0"
