"""The programs of randomizer scripts: parsed, compiled, and kept while they are in use.

Parsing is the costly part. A packaged script has its syntax tree stored beside it (``Beach.tree``),
and the programs compiled last are cached.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import NamedTuple

from randomizer.model.basics.caches import registered
from randomizer.model.basics.sized_cache import sized_cache
from randomizer.model.problems import Problem, ProblemError, Severity, has_errors
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.script.syntax import Area, Pair, Script, keyword_of

SCRIPTS = files("randomizer.systems.colossus") / "scripts"
"""The folder of the packaged scripts, with their metadata, pictures and syntax trees."""

SCRIPTS_KEPT = 16
"""The number of compiled programs that are cached."""

_CHARACTERS_KEPT = 1 << 16
"""The most characters of all scripts whose programs are cached."""


class CompiledScript(NamedTuple):
    """A script ready to roll."""

    program: Program

    statement_labels: tuple[str, ...]
    """The line and the first words of each statement, to name it as the origin of a value."""


@registered(bytes_a_unit=24)
@sized_cache(max_entries=SCRIPTS_KEPT, max_size=_CHARACTERS_KEPT)
def compiled_script(name: str, text: str, path: str | None) -> CompiledScript:
    """Return the program of a script.

    ``name`` is that of a packaged script, else ""; ``path`` is the file that problems name. Raises
    ProblemError for a script that cannot be rolled: first the mistakes that stopped the
    compilation, then all others that its check finds.
    """
    from randomizer.systems.colossus.rolling.compiler import compile_script

    try:
        tree = None
        if name:
            tree = _stored_tree(name, text)
        if tree is None:
            tree = _parsed(text, path)
        program = compile_script(tree, path)
    except ProblemError as refused:
        other_errors = _other_errors(text, path, refused.problems)
        raise ProblemError((*refused.problems, *other_errors)) from refused
    return CompiledScript(program, _statement_labels(program))


def _stored_tree(name: str, text: str) -> Script | None:
    """Return the syntax tree that is stored beside a packaged script, None for other texts."""
    stored = SCRIPTS.joinpath(f"{name}.tree")
    if not stored.is_file():
        return None
    from randomizer.systems.colossus.script.stored_tree import decoded_tree

    return decoded_tree(stored.read_text("ascii"), text)


def _parsed(text: str, path: str | None) -> Script:
    """Return the syntax tree of a text. Raises ProblemError for syntax errors."""
    from randomizer.systems.colossus.script.parser import parse

    parsed = parse(text, path)
    if has_errors(parsed.problems):
        raise ProblemError(parsed.problems)
    return parsed.script


def _other_errors(text: str, path: str | None, problems: Sequence[Problem]) -> Iterator[Problem]:
    """Yield the errors that the check of a script finds besides those by which it was refused."""
    from randomizer.systems.colossus.script.lint import check_script

    reported_at = {(problem.line, problem.column) for problem in problems}
    for problem in check_script(text, path):
        is_error = problem.severity is Severity.ERROR
        if is_error and (problem.line, problem.column) not in reported_at:
            yield problem


def _statement_labels(program: Program) -> tuple[str, ...]:
    """Return labels of a program's statements, such as "line 8, AREA (innermost)"."""
    labels = []
    for statement in program.script.statements:
        if isinstance(statement, Area | Pair):
            first_words = statement.head
        else:
            first_words = keyword_of(statement)
        labels.append(f"line {statement.span.line}, {first_words}")
    return tuple(labels)
