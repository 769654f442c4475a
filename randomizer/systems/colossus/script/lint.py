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

from randomizer.model.problems import Problem
from randomizer.systems.colossus.script.label_definitions import definitions
from randomizer.systems.colossus.script.lint_hazards import hazard_problems
from randomizer.systems.colossus.script.lint_lists import list_problems
from randomizer.systems.colossus.script.lint_overruled import overruled_problems
from randomizer.systems.colossus.script.lint_pairs import pair_problems
from randomizer.systems.colossus.script.parser import Parsed, parse
from randomizer.systems.colossus.script.source import Source, in_order_of_text, replace
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
    """Parse a script and lint it.

    Returns the result of the parser, and the problems of both in the order of the text.
    """
    parsed = parse(text, path)
    return parsed, in_order_of_text([*parsed.problems, *lint(parsed.script, text, path)])


def check_script(text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return all problems of a script, in the order of the text."""
    _parsed, problems = check(text, path)
    return problems


def lint(script: Script, text: str, path: str | None = None) -> tuple[Problem, ...]:
    """Return the problems of ``script``, parsed from ``text``, in the order of the text."""
    source = Source(text, path)
    labels_of_broken = _labels_of_broken_statements(script, source)
    return in_order_of_text(
        [
            *list_problems(script, source, labels_of_broken),
            *hazard_problems(script, source, labels_of_broken),
            *pair_problems(script, source),
            *overruled_problems(script, source, labels_of_broken),
            *_statements_set_again(script, source),
            *_unended_comment(source),
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


def _statements_set_again(script: Script, source: Source) -> Iterator[Problem]:
    """Yield a problem for each STARTLIST, TITLE, SUBTITLE or TOWER that a later one overrides.

    Every STARTLIST is a problem by itself as well: the game fails at it.
    """
    statements_by_keyword: dict[str, list[Statement]] = {}
    for statement in script.statements:
        match statement:
            case Title(is_subtitle=True):
                keyword = "SUBTITLE"
            case Title():
                keyword = "TITLE"
            case Tower():
                keyword = "TOWER"
            case StartList():
                keyword = "STARTLIST"
                yield source.problem("startlist-fails-in-game", statement.span)
            case _:
                continue
        statements_by_keyword.setdefault(keyword, []).append(statement)
    for keyword, statements in statements_by_keyword.items():
        for statement, following in pairwise(statements):
            edits = [replace(statement.span, "")]
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
