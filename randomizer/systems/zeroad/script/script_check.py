"""Finds the problems of a random map script that can be seen without running it.

    script_problems(text, location, texts={})       # deprecated calls, missing libraries ...

Most checks look at the tokens of the script, and yield *marks*: problems at a token. The syntax is
checked by the engine of JavaScript; its message is often about a place far behind a bracket that is
missing, so such a bracket is looked for here (``brackets``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from randomizer.model.problems import Problem, Severity, place_of
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_syntax import syntax_problem
from randomizer.systems.zeroad.engine.tokens import NAME, TEXT, Token, text_at, tokens
from randomizer.systems.zeroad.installation.game_names import templates_of, unknown_names
from randomizer.systems.zeroad.installation.script_forms import (
    GLOBAL_FUNCTION,
    MODULE,
    TOP_LEVEL,
    find_forms,
    installed_form,
    name_form,
)
from randomizer.systems.zeroad.script.brackets import first_unpaired
from randomizer.systems.zeroad.script.engine_calls import is_of_engine, library_tokens
from randomizer.systems.zeroad.script.script_location import OWN_MOD, SCRIPTS, ScriptLocation

DEPRECATED: Mapping[str, str] = {
    "ExportMap": "newer games have no Engine.ExportMap: return the map from generateMap",
    "SetProgress": "newer games have no Engine.SetProgress: yield the percentage in generateMap",
    "g_MapSettings": "g_MapSettings is deprecated: generateMap is given the settings",
}
"""What is deprecated, with the hint on it.

Source: the game's page on the internals of random maps.
"""

_TEMPLATE = re.compile(r"(?:gaia|structures|units)/[\w/]*\w|actor\|[\w/]+\.xml")
"""Quoted texts that are whole names of templates; others can be parts of one."""

_STARTS = ("generateMap", "GenerateMap", "ExportMap")
"""The names by which scripts make a map, those of the newest release first."""

PROGRESS = "script-progress"
"""The code of a progress that the game does not take."""

_PROGRESS = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
"""A number as a script writes a progress: 12, 12.5 or .5."""

_TOKENS_OF_NUMBER = 4
"""A number has three tokens at most, as in "12.5"; a longer expression is none."""

_WANTED = {
    MODULE: "export function* generateMap(settings)",
    GLOBAL_FUNCTION: "function* GenerateMap(settings)",
    TOP_LEVEL: "a call of Engine.ExportMap(map)",
}
"""What a script of each form has."""


class _Mark(NamedTuple):
    """A problem at a token."""

    token: Token
    severity: Severity
    code: str
    message: str


def script_problems(
    text: str, location: ScriptLocation, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems of a script, in the order of the text, but its syntax error first.

    Where that is a bracket, the bracket is named; without an engine only brackets are looked at.
    """
    token_list = list(tokens(text))
    syntax_error = syntax_problem(Script(location.path, text))
    bracket_marks: tuple[_Mark, ...] = ()
    if syntax_error is not None or not has_engine():
        bracket_marks = tuple(_bracket(token_list))

    marks = [
        *bracket_marks,
        *_deprecated(token_list),
        *_progress(token_list),
        *_libraries(token_list, location, texts),
    ]
    marks.sort(key=lambda mark: mark.token.start)
    problems = [_problem_of_mark(mark, text, path) for mark in marks]
    templates = templates_of(_quoted_templates(token_list))
    problems += unknown_names(templates, location.mods, text, path)
    problems += _form_problems(text, location, path)
    problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))

    if syntax_error is not None and not bracket_marks:
        problems.insert(0, syntax_error.at_path(path))
    if not has_engine():
        message = "only the brackets are checked: the engine mini-racer is not installed"
        problems.append(Problem(Severity.HINT, "script-engine", message, path, 1, 1))
    if not _can_make_map(token_list):
        message = "the script makes no map: it has no function* generateMap(settings)"
        problems.append(Problem(Severity.WARNING, "script-no-map", message, path, 1, 1))
    return tuple(problems)


def _problem_of_mark(mark: _Mark, text: str, path: str | None) -> Problem:
    """Return the problem of a mark in a script."""
    start = place_of(text, mark.token.start)
    end = place_of(text, mark.token.end)
    return Problem(mark.severity, mark.code, mark.message, path, *start, *end)


def _quoted_templates(token_list: Sequence[Token]) -> set[str]:
    """Return the quoted texts that are whole names of templates."""
    texts = {token.text[1:-1] for token in token_list if token.kind == TEXT}
    return {text for text in texts if _TEMPLATE.fullmatch(text)}


def _can_make_map(token_list: Sequence[Token]) -> bool:
    """Return whether a script names a function that makes a map, or a library that may do so."""
    names = {token.text for token in token_list if token.kind == NAME}
    return "LoadLibrary" in names or not names.isdisjoint(_STARTS)


# --- marks ---


def _bracket(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield the first bracket without its partner."""
    unpaired = first_unpaired(token_list)
    if unpaired is None:
        return
    # Of a part of a template the last character is the brace.
    bracket = unpaired.token.text[-1]
    message = f'this "{bracket}" closes nothing'
    if unpaired.is_opening:
        message = f'this "{bracket}" is never closed'
    yield _Mark(unpaired.token, Severity.ERROR, "script-bracket", message)


def _deprecated(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield the deprecated globals, and the deprecated functions where they are Engine's."""
    for index, token in enumerate(token_list):
        if token.kind != NAME or token.text not in DEPRECATED:
            continue
        if token.text.startswith("g_") or is_of_engine(token_list, index):
            message = DEPRECATED[token.text]
            yield _Mark(token, Severity.HINT, "script-deprecated", message)


def odd_progress(text: str) -> str:
    """Return the message on a progress that is no whole number of 1 to 100."""
    return f"the progress is {text}: the game takes whole numbers of 1 to 100"


def _progress(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield numbers that are yielded, or given to Engine.SetProgress, and are no progress.

    What is worked out is looked at while the script runs.
    """
    for index, token in enumerate(token_list):
        if token.kind != NAME:
            continue
        if token.text == "yield":
            first = index + 1
            if text_at(token_list, first) == "(":
                first += 1
        elif token.text == "SetProgress" and is_of_engine(token_list, index):
            first = index + 2  # behind the parenthesis
        else:
            continue
        number = _expression_at(token_list, first)
        if _PROGRESS.fullmatch(number) and float(number) not in range(1, 101):
            yield _Mark(token, Severity.HINT, PROGRESS, odd_progress(number))


def _expression_at(token_list: Sequence[Token], first: int) -> str:
    """Return the text of an expression from a token on, cut where it is too long for a number."""
    expression = ""
    for token in token_list[first : first + _TOKENS_OF_NUMBER]:
        if token.text in (";", ")", "}"):
            break
        expression += token.text
    return expression


def _libraries(
    token_list: Sequence[Token], location: ScriptLocation, texts: Mapping[str, str]
) -> Iterator[_Mark]:
    """Yield the libraries that are neither among the further ``texts`` of the script nor in a mod.

    ``texts`` are by path from the folder of scripts.
    """
    for name in library_tokens(token_list):
        folder = name.text[1:-1]
        is_in_texts = any(path.startswith(f"{folder}/") for path in texts)
        if not is_in_texts and not any(mod.list(f"{SCRIPTS}/{folder}") for mod in location.mods):
            message = f"there is no library {folder} here: it may come with 0 A.D."
            yield _Mark(name, Severity.WARNING, "script-library", message)


# --- the form of the script ---


def _form_problems(text: str, location: ScriptLocation, path: str | None) -> Iterator[Problem]:
    """Warn of a script in the form of another release than the one that is installed."""
    installed = installed_form(reversed(location.mods))
    forms = find_forms(text)
    own_script = OWN_MOD.read(location.path) or b""
    if installed is None or not forms or installed in forms:
        return
    if own_script.decode("utf-8") == text:  # it is exported in the form of the game
        return
    form = max(forms)
    start, end = forms[form]
    message = (
        f"this is a script for 0 A.D. {name_form(form)}; the one that is installed wants the form "
        f"of {name_form(installed)}: {_WANTED[installed]}"
    )
    place_in_text = (*place_of(text, start), *place_of(text, end))
    yield Problem(Severity.WARNING, "script-form", message, path, *place_in_text)
