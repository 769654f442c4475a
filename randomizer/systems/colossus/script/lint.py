"""Warnings, hints and some errors about scripts that parse but are probably not as intended.

``lint`` checks the syntax tree; lists, hazards and hexsides have files of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.lint_hazards import hazard_problems
from randomizer.systems.colossus.script.lint_lists import list_problems
from randomizer.systems.colossus.script.lint_pairs import pair_problems
from randomizer.systems.colossus.script.parser import Parsed, parse
from randomizer.systems.colossus.script.source import Source, definitions, in_order_of_text, replace
from randomizer.systems.colossus.script.syntax import (
    Area,
    Label,
    Script,
    StartList,
    Statement,
    Title,
    Tower,
)
from randomizer.systems.colossus.script.words import LIVE_LABELS


def check(text: str, path: str | None = None) -> tuple[Parsed, tuple[Problem, ...]]:
    """Parse a script and lint it: the result, and all problems in the order of the text."""
    parsed = parse(text, path)
    return parsed, in_order_of_text([*parsed.problems, *lint(parsed.script, text, path)])


def check_script(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return all problems of a script, in the order of the text."""
    return check(text, path)[1]


def lint(script: Script, text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return the problems of ``script``, parsed from ``text``, in the order of the text."""
    source = Source(text, path)
    broken = _labels_set_by_broken_statements(script, source)
    return in_order_of_text(
        [
            *list_problems(script, source, broken),
            *hazard_problems(script, source, broken),
            *pair_problems(script, source),
            *_once_only(script, source),
            *_comment_at_the_end(source),
        ]
    )


def _labels_set_by_broken_statements(script: Script, source: Source) -> frozenset[str]:
    """Labels that the text defines more often than the parsed script does."""
    written = Counter(label.name for label in definitions(source))
    written -= Counter(s.name for s in script.statements if isinstance(s, Label))
    areas = sum(isinstance(statement, Area) for statement in script.statements)
    live = LIVE_LABELS if sum(token.type == "AREA" for token in source.tokens) > areas else ()
    return frozenset((*written, *live))


def _once_only(script: Script, source: Source) -> Iterator[Problem]:
    """STARTLIST, TITLE, SUBTITLE and TOWER: only the last of each has an effect."""
    by_keyword: dict[str, list[Statement]] = {}
    for statement in script.statements:
        match statement:
            case Title(sub=sub):
                by_keyword.setdefault("SUBTITLE" if sub else "TITLE", []).append(statement)
            case Tower():
                by_keyword.setdefault("TOWER", []).append(statement)
            case StartList():
                by_keyword.setdefault("STARTLIST", []).append(statement)
                yield source.problem("startlist-fails-in-game", statement.span)
    for keyword, statements in by_keyword.items():
        for statement, later in pairwise(statements):
            edits = [replace(statement.span, "")]
            line = later.span.line
            yield source.problem("set-again", statement.span, edits, keyword=keyword, line=line)


def _comment_at_the_end(source: Source) -> Iterator[Problem]:
    """Yield a comment in a last line without a line end."""
    last = source.tokens[-1] if source.tokens else None
    if last is not None and last.type == "COMMENT" and last.end_pos == len(source.text):
        edits = [source.edit(last.end_pos, last.end_pos, source.newline)]
        place = source.span(last.start_pos, last.end_pos)
        yield source.problem("comment-without-newline", place, edits)
