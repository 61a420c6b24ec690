"""`sandbox doctor`: whether everything the program needs is there, and how to mend what is not."""

from __future__ import annotations

import click

from sandbox.cli.options import MIND
from sandbox.cli.telling import say, say_json

MARKS = {"ok": ("ok", "green"), "warn": ("warn", "yellow"), "fault": ("FAULT", "red")}


@click.command()
@MIND
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for a script.")
def doctor(minds: tuple[str, ...], as_json: bool) -> None:
    """Look whether all is well with this installation, and say how to mend what is not.

    Python and packages, the terminal, the folder of saves, SQLite, the worlds, which keys of model providers are set
    (their names only), and the models of the settings; with --mind a model is asked a question. Exit code 1 if
    there is a fault; warnings are no faults.

    \b
    Examples:
      sandbox doctor
      sandbox doctor --mind ollama_chat/llama3.2
      sandbox doctor --json
    """
    from sandbox.cli.checkup import examine

    found = list(examine(minds))
    fine = all(check.state != "fault" for check in found)

    if as_json:
        say_json({"ok": fine, "checks": [check._asdict() for check in found]})
    else:
        width = max(len(check.name) for check in found)
        for check in found:
            word, colour = MARKS[check.state]
            line = f"  {check.name.ljust(width)}  {check.found}"
            say(line + (f"; {check.mend}" if check.mend else ""), mark=word.ljust(5), colour=colour)
    if not fine:
        raise SystemExit(1)
