"""Problems with a period: their messages, and their positions in a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.period.objects import PeriodFile

Replacement = tuple[int, int, str]
"""The offsets of a part of a text, and what stands there after a fix."""

_LONGEST = 200
"""In characters: a word or a text of the period in a message."""

NO_NAMES: Mapping[str, object] = MappingProxyType({})


@registered(count=1, bytes_each=100 * KB)
@cache
def messages() -> dict[str, dict[str, str]]:
    """Return the rows of ``messages.json`` by the codes of problems.

    A row has the fields severity, message, fix (the title of its fix) and help.
    """
    file = resources.files("randomizer.systems.xconq.period").joinpath("messages.json")
    loaded: dict[str, dict[str, str]] = json.loads(file.read_text("utf-8"))["problems"]
    return loaded


def problem_help(code: str) -> str | None:
    """Return an explanation of a problem with a period; None for other problems."""
    return messages().get(code, {}).get("help")


class Fault(Exception):  # noqa: N818  # not an error of the program: it becomes a Problem
    """A word of the period cannot be executed; ``named`` are the values of the message."""

    def __init__(self, code: str, **named: object) -> None:
        super().__init__(code)
        self.code = code
        self.named = named


def text_order(problem: Problem) -> tuple[bool, int, int]:
    """Return the key by which problems are sorted: those of a whole file come first."""
    return problem.line is not None, problem.line or 0, problem.column or 0


def problem(
    code: str,
    file: PeriodFile,
    span: tuple[int, int] | None,
    named: Mapping[str, object] = NO_NAMES,
    fix: Replacement | None = None,
) -> Problem:
    """Return the problem ``code`` at the offsets ``span`` of a file, or of the file as a whole.

    ``named`` are the values of its message; ``fix`` are the offsets and the new text of its fix,
    which the title of the fix may name as ``change``.
    """
    row = messages()[code]
    first_fix = None
    if fix is not None:
        start, end, text = fix
        title = row["fix"].replace("{change}", text)
        first_fix = Fix(title, (TextEdit(*file.place(start, end), text),))
    message = row["message"]
    for name, value in named.items():
        text_of_value = str(value)
        if len(text_of_value) > _LONGEST:
            text_of_value = f"{text_of_value[:_LONGEST]}…"
        message = message.replace(f"{{{name}}}", text_of_value)
    severity = Severity(row["severity"])
    if span is None:
        return Problem(severity, code, message, file.name, fix=first_fix)
    return Problem(severity, code, message, file.name, *file.place(*span), first_fix)
