"""Fixes for words of a period that became undefined when their type got another name.

A person who writes "ocean" over "sea" where the terrain type is defined leaves ``sea`` in all other
lines, where it is an undefined word now. The fix writes the new name there, too.

The idea: the new name is that of a type which no line uses, since all lines still use the old one.
If there are several such types, the packaged periods tell which one had the old name, as most
periods began as a copy of one (``_likely_names``). ``read_traced`` passes the problems of a period
through ``offer_renames``::

    "." "ocean" "sky blue" ttype        ; was "sea" before
    40 sea infantry moves               ; undefined now: the fix writes ``ocean``
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from randomizer.model.problems import Fix, Problem, TextEdit
from randomizer.systems.xconq.period.checks import TypeDefinitions
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.words import RESOURCES, TERRAINS, UNITS

UNDEFINED = "period-undefined-word"
"""The code of the problem of an undefined word."""

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""A name that can be written as a word, without quotes."""

_TEXT_OR_COMMENT = re.compile(r'"[^"]*"|;[^\n]*')
"""A text in quotes, or a comment; what remains of a line without them are its words."""

_DEFINITION = re.compile(
    r"""
    "[^"]*" \s+        # the character that stands for the type in maps
    "([^"]*)" \s+      # 1: the name
    "[^"]*" \s+        # the colour of a terrain, or a note on units and resources
    ([urt])type\b      # 2: the letter of the kind, see _LETTERS
    """,
    re.VERBOSE,
)
"""The definition of a type, such as ``"." "sea" "sky blue" ttype``."""

_LETTERS = {UNITS: "u", RESOURCES: "r", TERRAINS: "t"}
"""The letters of the kinds of types in ``_DEFINITION``."""


def offer_renames(
    file: PeriodFile, problems: Sequence[Problem], period: Period, types: TypeDefinitions
) -> list[Problem]:
    """Return the problems of a period; those of undefined words have fixes that write another name.

    The names are those of types that the text defines and uses nowhere. ``file`` is the period's
    own text; problems of included files stay as they are.
    """
    problems_by_word: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        if _is_undefined_word(problem):
            problems_by_word[_text_at(file, problem)].append(problem)
    if not problems_by_word:
        return list(problems)

    candidates = unused_types(file, period, types)
    packaged_names = _packaged_names()
    renames_by_word: dict[str, list[Fix]] = {}
    for word, problems_of_word in problems_by_word.items():
        names = []
        # A word that the text defines is no old name of a type: its definition has another fault.
        if f'"{word}" define' not in file.text:
            names = _likely_names(word, candidates, packaged_names)
        renames_by_word[word] = [_fix(word, name, problems_of_word) for name in names]

    problems_with_renames: list[Problem] = []
    for problem in problems:
        if _is_undefined_word(problem):
            word = _text_at(file, problem)
            # A word that stands once is likelier a slip than a type that got another name.
            renames_first = len(problems_by_word[word]) > 1
            problems_with_renames.append(
                _with_renames(problem, renames_by_word[word], renames_first=renames_first)
            )
        else:
            problems_with_renames.append(problem)
    return problems_with_renames


def _is_undefined_word(problem: Problem) -> bool:
    """Return whether a problem is that of an undefined word in the period's own text."""
    return problem.code == UNDEFINED and problem.path is None


def _with_renames(problem: Problem, renames: Sequence[Fix], *, renames_first: bool) -> Problem:
    """Return a problem with these fixes before or behind those that it has."""
    if not renames:
        return problem
    if renames_first:
        fixes = [*renames, *problem.fixes]
    else:
        fixes = [*problem.fixes, *renames]
    first_fix, *other_fixes = fixes
    return replace(problem, fix=first_fix, other_fixes=tuple(other_fixes))


def _text_at(file: PeriodFile, problem: Problem) -> str:
    """Return the piece of the text at which a problem is; it is in one line."""
    assert problem.line is not None, "an undefined word has a position"
    assert problem.column is not None
    assert problem.end_column is not None
    start = file.starts[problem.line - 1]
    return file.text[start + problem.column - 1 : start + problem.end_column - 1]


class UnusedType(NamedTuple):
    """A type that nothing in the text refers to, by its name or its character."""

    name: str

    kind: str
    """``UNITS``, ``RESOURCES`` or ``TERRAINS``."""

    number: int
    """Its number among the types of its kind."""


def unused_types(file: PeriodFile, period: Period, types: TypeDefinitions) -> list[UnusedType]:
    """Return the types of the text whose name can be a word, and that it uses nowhere."""
    # In its definition the name stands in quotes, so it is none of the words.
    words = set(_TEXT_OR_COMMENT.sub(" ", file.text).split())
    candidates: list[UnusedType] = []
    for kind, definitions in types.items():
        for index, definition in enumerate(definitions):
            name = str(definition.token.value)
            if definition.file.name is not None or not _WORD.fullmatch(name):
                continue
            # Characters of terrain types are no words: they stand in maps only.
            has_character = kind != TERRAINS and period.types(kind)[index].char in words
            if name not in words and not has_character:
                candidates.append(UnusedType(name, kind, index))
    return candidates


_NamesByKind = dict[str, list[str]]
"""The names of a period's types by their kind, in the order of their numbers."""


def _likely_names(
    word: str, candidates: Sequence[UnusedType], packaged_names: Sequence[_NamesByKind]
) -> list[str]:
    """Return the names that the type called ``word`` may have got, the likeliest first.

    ``candidates`` are the types that the text uses nowhere, ``packaged_names`` those of each
    packaged period.

    1. The one with the number that ``word`` has in a packaged period, since most periods
       begin as a copy of one: the first terrain of a copy, "ocean", was "sea" there.
    2. The one whose name no packaged period knows: a person has invented it. Several such
       names would be guesses, so there must be only one.
    """
    names_with_same_number: list[str] = []
    invented_names: list[str] = []
    for unused_type in candidates:
        if _has_number_of(word, unused_type, packaged_names):
            names_with_same_number.append(unused_type.name)
        elif not any(unused_type.name in names[unused_type.kind] for names in packaged_names):
            invented_names.append(unused_type.name)
    if len(invented_names) > 1:
        return names_with_same_number
    return names_with_same_number + invented_names


def _has_number_of(
    word: str, unused_type: UnusedType, packaged_names: Sequence[_NamesByKind]
) -> bool:
    """Return whether a packaged period has a type called ``word`` with the number of another."""
    number = unused_type.number
    for names_by_kind in packaged_names:
        names = names_by_kind[unused_type.kind]
        if number < len(names) and names[number] == word:
            return True
    return False


def _packaged_names() -> list[_NamesByKind]:
    """Return for each packaged period the names of its types by kind, in the order of numbers."""
    packaged_names = []
    for metadata in packaged_metadata():
        definitions = _DEFINITION.findall(packaged_text(metadata.script))
        names_by_kind: _NamesByKind = {}
        for kind, letter in _LETTERS.items():
            names_by_kind[kind] = [
                name for name, kind_letter in definitions if kind_letter == letter
            ]
        packaged_names.append(names_by_kind)
    return packaged_names


def _fix(word: str, name: str, problems: Sequence[Problem]) -> Fix:
    """Return the fix that writes a name at the positions of all problems of a word."""
    edits: list[TextEdit] = []
    for problem in problems:
        assert problem.line is not None, "an undefined word has a position"
        assert problem.column is not None
        assert problem.end_line is not None
        assert problem.end_column is not None
        edit = TextEdit(problem.line, problem.column, problem.end_line, problem.end_column, name)
        edits.append(edit)
    return Fix(f"Write “{name}” for each “{word}”", tuple(edits))
