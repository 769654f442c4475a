"""Problems with a period: their messages, and their places in a file."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.period.objects import PeriodFile


@cache
def messages() -> dict[str, dict[str, str]]:
    """From ``messages.json``: code -> severity, message, fix (the title of its fix), help."""
    file = resources.files("randomizer.systems.xconq.period").joinpath("messages.json")
    loaded: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8"))["problems"]
    return loaded


def problem_help(code: str) -> str | None:
    """An explanation of a problem with a period; None for other problems."""
    return messages().get(code, {}).get("help")


class Fault(Exception):
    """A word that cannot be executed: the code of the problem and what its message names."""

    def __init__(self, code: str, **named: object) -> None:
        super().__init__(code)
        self.code = code
        self.named = named


def problem(
    code: str,
    file: PeriodFile,
    span: tuple[int, int] | None,
    replacement: tuple[int, int, str] | None = None,
    **named: object,
) -> Problem:
    """The problem ``code`` at the offsets ``span`` of a file; None: without a place.

    ``replacement`` are the offsets and the new text of its fix. The title of the fix may name the
    text as ``change``.
    """
    row = messages()[code]
    fix = None
    if replacement is not None:
        start, end, text = replacement
        title = row["fix"].replace("{change}", text)
        fix = Fix(title, (TextEdit(*file.place(start, end), text),))
    message = row["message"]
    for name, value in named.items():
        message = message.replace(f"{{{name}}}", str(value))
    place = (None, None, None, None) if span is None else file.place(*span)
    return Problem(Severity(row["severity"]), code, message, file.name, *place, fix=fix)


def counted(count: int, thing: str) -> str:
    """A number with a noun, as “1 value” and “2 values”."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
