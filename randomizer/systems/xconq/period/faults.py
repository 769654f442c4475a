"""Makes the problems of a period from the messages in ``messages.json``, with their positions.

A message has names in braces, for which the caller gives values::

    "period-undefined-word": {"message": "“{word}” is no word known here ...", ...}

    make_problem("period-undefined-word", file, (120, 125), {"word": "ocean"})

A *span* is a pair of offsets in the text of a file. A function of the interpreter that does not
know the span raises a ``Fault``; its caller, which knows it, makes the problem of that.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Fix, Problem, Severity, TextEdit
from randomizer.systems.xconq.period.objects import PeriodFile

Replacement = tuple[int, int, str]
"""A part of a text, by its start and end offset, and the text that replaces it."""

_LONGEST = 200
"""The most characters of a word or a text of the period in a message; longer ones are cut."""

NO_NAMES: Mapping[str, object] = MappingProxyType({})
"""The values of a message without names in braces."""


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
    """A word of the period cannot be executed; caught by the interpreter."""

    def __init__(self, code: str, **named: object) -> None:
        super().__init__(code)
        self.code = code
        """The code of the problem that it becomes."""
        self.named = named
        """The values of the names in the message."""


def text_order_key(problem: Problem) -> tuple[bool, int, int]:
    """Return the key that sorts problems in the order of a text.

    Those of the file as a whole come first.
    """
    return problem.line is not None, problem.line or 0, problem.column or 0


_NAME_IN_BRACES = re.compile(r"\{([a-z]+)\}")
"""A name in a message, for which a value is put in."""


def _filled(message: str, named: Mapping[str, object]) -> str:
    """Return a message with values for the names in braces.

    This is not ``str.format``: messages show code of the language, which has braces of its own.
    """

    def value_text(match: re.Match[str]) -> str:
        """Return the value of a name; other text in braces stays as it is."""
        if match[1] not in named:
            return match[0]
        text = str(named[match[1]])
        if len(text) > _LONGEST:
            text = f"{text[:_LONGEST]}…"
        return text

    return _NAME_IN_BRACES.sub(value_text, message)


def make_problem(
    code: str,
    file: PeriodFile,
    span: tuple[int, int] | None,
    named: Mapping[str, object] = NO_NAMES,
    fix: Replacement | None = None,
) -> Problem:
    """Return the problem with a code at the offsets ``span`` of a file; None: of the whole file.

    ``named`` are the values of the names in its message. ``fix`` is the replacement by its fix; in
    the title of the fix ``{change}`` stands for the new text.
    """
    row = messages()[code]
    problem_fix = None
    if fix is not None:
        start, end, text = fix
        title = row["fix"].replace("{change}", text)
        problem_fix = Fix(title, (TextEdit(*file.place(start, end), text),))
    message = _filled(row["message"], named)
    severity = Severity(row["severity"])
    if span is None:
        return Problem(severity, code, message, file.name, fix=problem_fix)
    return Problem(severity, code, message, file.name, *file.place(*span), fix=problem_fix)
