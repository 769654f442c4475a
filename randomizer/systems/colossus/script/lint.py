"""Warnings, hints and some errors about scripts that parse but are probably not as intended.

    check_script("AREA D4 HAZARDS Bogg")       # an error: there is no hazard Bogg; a fix: Bog

The editor calls ``check_script`` while a script is written, the command line before it is rolled.
``lint`` puts the checks together. Lists of hexes, hazards and hexsides have files of their own; the
checks here are about whole statements. A problem is a code with values; its sentence and its help
stand in the catalogue that ``Source.problem`` reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.label_definitions import definitions
from randomizer.systems.colossus.script.lint_hazards import hazard_problems
from randomizer.systems.colossus.script.lint_labels import label_problems
from randomizer.systems.colossus.script.lint_lists import list_problems
from randomizer.systems.colossus.script.lint_overruled import overruled_problems
from randomizer.systems.colossus.script.lint_pairs import pair_problems
from randomizer.systems.colossus.script.parser import Parsed, parse
from randomizer.systems.colossus.script.source import Source, in_order_of_text, replacement_edit
from randomizer.systems.colossus.script.syntax import (
    Area,
    Label,
    Script,
    StartList,
    Statement,
    Title,
    Tower,
    keyword_of,
)
from randomizer.systems.colossus.script.words import LIVE_LABELS


class Linted(NamedTuple):
    """A script that was parsed and linted."""

    parsed: Parsed

    problems: tuple[Problem, ...]
    """Those of the parser and of the lint, in the order of the text."""


def parse_and_lint(text: str, path: str | None = None) -> Linted:
    """Parse a script and lint it."""
    parsed = parse(text, path)
    problems = [*parsed.problems, *lint(parsed.script, text, path)]
    return Linted(parsed, in_order_of_text(problems))


def check_script(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return all problems of a script, in the order of the text."""
    return parse_and_lint(text, path).problems


def lint(script: Script, text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return the problems of ``script``, parsed from ``text``, in the order of the text."""
    source = Source(text, path)
    broken_labels = _labels_of_broken_statements(script, source)
    return in_order_of_text(
        [
            *list_problems(script, source, broken_labels),
            *label_problems(script, source),
            *hazard_problems(script, source, broken_labels),
            *pair_problems(script, source),
            *overruled_problems(script, source, broken_labels),
            *_start_lists(script, source),
            *_statements_set_again(script, source),
            *_unended_comment(source),
            *_empty_script(source),
        ]
    )


def _labels_of_broken_statements(script: Script, source: Source) -> frozenset[str]:
    """Return the labels that are set by statements that did not parse.

    Their contents are unknown. These are the labels that the text defines more often than the
    parsed script does, and leftover and usedup if an AREA is broken, since every AREA sets them.
    """
    definition_counts = Counter(label.name for label in definitions(source))
    for statement in script.statements:
        if isinstance(statement, Label):
            definition_counts[statement.name] -= 1
    names = {name for name, count in definition_counts.items() if count > 0}
    written_areas = sum(token.type == "AREA" for token in source.tokens)
    parsed_areas = sum(isinstance(statement, Area) for statement in script.statements)
    if written_areas > parsed_areas:
        names.update(LIVE_LABELS)
    return frozenset(names)


def _start_lists(script: Script, source: Source) -> Iterator[Problem]:
    """Yield a problem for each STARTLIST: the game fails at it."""
    for statement in script.statements:
        if isinstance(statement, StartList):
            yield source.problem("startlist-fails-in-game", statement.span)


def _statements_set_again(script: Script, source: Source) -> Iterator[Problem]:
    """Yield a problem for each STARTLIST, TITLE, SUBTITLE or TOWER that a later one overrides."""
    statements_by_keyword: dict[str, list[Statement]] = {}
    for statement in script.statements:
        if isinstance(statement, StartList | Title | Tower):
            statements_by_keyword.setdefault(keyword_of(statement), []).append(statement)
    for keyword, statements in statements_by_keyword.items():
        for statement, following in pairwise(statements):
            edits = [replacement_edit(statement.span, "")]
            line = following.span.line
            yield source.problem("set-again", statement.span, edits, keyword=keyword, line=line)


def _unended_comment(source: Source) -> Iterator[Problem]:
    """Yield the problem of a comment in a last line that has no line end."""
    if not source.tokens:
        return
    last = source.tokens[-1]
    if last.type == "COMMENT" and last.end_pos == len(source.text):
        edits = [source.edit(last.end_pos, last.end_pos, source.newline)]
        span = source.span(last.start_pos, last.end_pos)
        yield source.problem("comment-without-newline", span, edits)


def _empty_script(source: Source) -> Iterator[Problem]:
    """Yield the problem of a script without any text, such as a file that was made to be filled."""
    if not source.text.strip():
        yield source.problem("empty-script", source.span(0, len(source.text)))
