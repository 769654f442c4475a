"""Fixes for words that became undefined when somebody gave their type another name.

Whoever writes "ocean" over "sea" where the type is defined leaves "sea" in all other lines. The
fix writes the new name there, too.
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

_DEFINITION = re.compile(r'"[^"]*"\s+"([^"]*)"\s+"[^"]*"\s+([urt])type\b')
"""The definition of a type, with its name and the letter of its kind."""

_LETTERS = {UNITS: "u", RESOURCES: "r", TERRAINS: "t"}
"""The letters of the kinds of types in ``_DEFINITION``."""


def offer_renames(
    file: PeriodFile, problems: Sequence[Problem], period: Period, types: TypeDefinitions
) -> list[Problem]:
    """Return problems of a period, where undefined words have fixes that write another name.

    The names are those of types that the text defines and uses nowhere. ``file`` is the period's
    own text; problems of included files stay as they are.
    """
    problems_by_word: dict[str, list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.code == UNDEFINED and problem.path is None:
            problems_by_word[_text_at(file, problem)].append(problem)
    if not problems_by_word:
        return list(problems)
    unused_types = _unused_types(file, period, types)
    fixes_by_word: dict[str, list[Fix]] = {}
    for word, problems_of_word in problems_by_word.items():
        names = _likely_names(word, unused_types, file)
        fixes_by_word[word] = [_fix(word, name, problems_of_word) for name in names]

    offered: list[Problem] = []
    for problem in problems:
        fixes: list[Fix] = []
        if problem.code == UNDEFINED and problem.path is None:
            fixes = fixes_by_word[_text_at(file, problem)]
        if fixes:
            if len(problems_by_word[_text_at(file, problem)]) > 1:
                fixes = [*fixes, *problem.fixes]
            else:
                # In a single place a slip is likelier than a type that got another name.
                fixes = [*problem.fixes, *fixes]
            first_fix, *other_fixes = fixes
            offered.append(replace(problem, fix=first_fix, other_fixes=tuple(other_fixes)))
        else:
            offered.append(problem)
    return offered


def _text_at(file: PeriodFile, problem: Problem) -> str:
    """Return the piece of the text at which a problem is; it is in one line."""
    assert problem.line is not None, "an undefined word has a position"
    assert problem.column is not None
    assert problem.end_column is not None
    start = file.starts[problem.line - 1]
    return file.text[start + problem.column - 1 : start + problem.end_column - 1]


class _UnusedType(NamedTuple):
    """A type that nothing in the text refers to, by its name or its character."""

    name: str
    kind: str

    number: int
    """Its number among the types of its kind."""


def _unused_types(file: PeriodFile, period: Period, types: TypeDefinitions) -> list[_UnusedType]:
    """Return the types of the text whose name can be a word, and that it uses nowhere."""
    words = set(_TEXT_OR_COMMENT.sub(" ", file.text).split())
    unused_types: list[_UnusedType] = []
    for kind, definitions in types.items():
        for number, definition in enumerate(definitions):
            name = str(definition.token.value)
            if definition.file.name is not None or not _WORD.fullmatch(name):
                continue
            # Characters of terrain types are no words: they stand in maps only.
            has_character = kind != TERRAINS and period.types(kind)[number].char in words
            if name not in words and not has_character:
                unused_types.append(_UnusedType(name, kind, number))
    return unused_types


def _likely_names(word: str, unused_types: Sequence[_UnusedType], file: PeriodFile) -> list[str]:
    """Return the names that types called ``word`` may have got, the likeliest first.

    That is the type in the place where a packaged period has ``word``, since most periods begin as
    a copy of one; then the one whose name no packaged period knows, if it is the only such one. A
    word that the text defines is none: what it stands for has another fault.
    """
    if f'"{word}" define' in file.text:
        return []
    packaged_names = _packaged_names()
    in_same_place: list[str] = []
    chosen_names: list[str] = []
    for unused_type in unused_types:
        is_packaged = False
        is_in_same_place = False
        for names in packaged_names:
            names_of_kind = names[unused_type.kind]
            is_packaged |= unused_type.name in names_of_kind
            place = names_of_kind[unused_type.number : unused_type.number + 1]
            is_in_same_place |= place == [word]
        if is_in_same_place:
            in_same_place.append(unused_type.name)
        elif not is_packaged:
            chosen_names.append(unused_type.name)
    if len(chosen_names) > 1:
        return in_same_place
    return [*in_same_place, *chosen_names]


def _packaged_names() -> list[dict[str, list[str]]]:
    """Return the names of the types of each packaged period, by kind, in their order."""
    periods = []
    for metadata in packaged_metadata():
        definitions = _DEFINITION.findall(packaged_text(metadata.script))
        names: dict[str, list[str]] = {}
        for kind, letter in _LETTERS.items():
            names[kind] = [name for name, kind_letter in definitions if kind_letter == letter]
        periods.append(names)
    return periods


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
