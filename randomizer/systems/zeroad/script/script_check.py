"""Finds the problems of a random map script that can be seen without running it.

    script_problems(text, location, texts={})       # deprecated calls, missing libraries ...

Each check is a function that gets the script with its tokens, and yields the problems that it
finds. The syntax is checked by the engine of JavaScript; its message is often about a place far
behind a bracket that is missing, so such a bracket is looked for here (``brackets``).
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

_DEPRECATED_CALLS: Mapping[str, str] = {
    "ExportMap": "newer games have no Engine.ExportMap: return the map from generateMap",
    "SetProgress": "newer games have no Engine.SetProgress: yield the percentage in generateMap",
}
"""The deprecated functions of ``Engine``, each with the hint on it.

Source: the game's page on the internals of random maps.
"""

_DEPRECATED_GLOBALS: Mapping[str, str] = {
    "g_MapSettings": "g_MapSettings is deprecated: generateMap is given the settings",
}
"""The deprecated global names, each with the hint on it; the source is the same."""

_TEMPLATE = re.compile(r"(?:gaia|structures|units)/[\w/]*\w|actor\|[\w/]+\.xml")
"""Quoted texts that are whole names of templates; others can be parts of one."""

_MAP_MAKERS = ("generateMap", "GenerateMap", "ExportMap")
"""The names by which scripts make a map, those of the newest release first."""

PROGRESS = "script-progress"
"""The code of a progress that the game does not take."""

_PROGRESS = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
"""A number as a script writes a progress: 12, 12.5 or .5."""

_MAX_TOKENS_OF_NUMBER = 3
"""The number of tokens of a number: "12.5" has three. A longer expression is none."""

_WANTED = {
    MODULE: "export function* generateMap(settings)",
    GLOBAL_FUNCTION: "function* GenerateMap(settings)",
    TOP_LEVEL: "a call of Engine.ExportMap(map)",
}
"""What a script of each form has."""


class _CheckedScript(NamedTuple):
    """What the checks look at."""

    text: str
    tokens: Sequence[Token]
    location: ScriptLocation
    texts: Mapping[str, str]
    """The further texts of the script, by their paths from the folder of scripts."""
    path: str | None
    """The path that problems name, None for a script without a file."""

    def problem_at(self, token: Token, severity: Severity, code: str, message: str) -> Problem:
        """Return a problem at a token."""
        start = place_of(self.text, token.start)
        end = place_of(self.text, token.end)
        return Problem(severity, code, message, self.path, *start, *end)

    def problem_of_whole(self, severity: Severity, code: str, message: str) -> Problem:
        """Return a problem of the script as a whole, which is shown at its beginning."""
        return Problem(severity, code, message, self.path, 1, 1)


def script_problems(
    text: str, location: ScriptLocation, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems of a script.

    A syntax error comes first, then problems in the order of the text, then those of the whole
    script.
    """
    script = _CheckedScript(text, list(tokens(text)), location, texts, path)

    # A bracket without its partner is named in place of the syntax error, which would be about
    # what follows. Without an engine nothing else of the syntax is checked.
    syntax_error = syntax_problem(Script(location.path, text))
    bracket_problems: list[Problem] = []
    if syntax_error is not None or not has_engine():
        bracket_problems = list(_check_brackets(script))

    problems = [
        *bracket_problems,
        *_check_deprecated_names(script),
        *_check_progress(script),
        *_check_libraries(script),
        *_check_templates(script),
        *_check_form(script),
    ]
    problems.sort(key=lambda problem: (problem.line or 0, problem.column or 0))
    if syntax_error is not None and not bracket_problems:
        problems.insert(0, syntax_error.at_path(path))
    problems += _check_engine(script)
    problems += _check_map_is_made(script)
    return tuple(problems)


# --- the script as a whole ----------------------------------------------------------------------


def _check_engine(script: _CheckedScript) -> Iterator[Problem]:
    """Yield a hint if the syntax was not checked."""
    if not has_engine():
        message = "only the brackets are checked: the engine mini-racer is not installed"
        yield script.problem_of_whole(Severity.HINT, "script-engine", message)


def _check_map_is_made(script: _CheckedScript) -> Iterator[Problem]:
    """Yield a warning if the script neither makes a map nor loads a library that may do so."""
    names = {token.text for token in script.tokens if token.kind == NAME}
    if "LoadLibrary" not in names and names.isdisjoint(_MAP_MAKERS):
        message = "the script makes no map: it has no function* generateMap(settings)"
        yield script.problem_of_whole(Severity.WARNING, "script-no-map", message)


def _check_form(script: _CheckedScript) -> Iterator[Problem]:
    """Warn of a script in the form of another release than the one that is installed."""
    # The last mod that has the game's own scripts tells the form: its files replace earlier ones.
    installed = installed_form(reversed(script.location.mods))
    forms = find_forms(script.text)
    if installed is None or not forms or installed in forms:
        return
    own_script = OWN_MOD.read(script.location.path) or b""
    if own_script.decode("utf-8") == script.text:  # it is exported in the form of the game
        return
    form = max(forms)  # the newest, for a script that has parts of several
    start, end = forms[form]
    message = (
        f"this is a script for 0 A.D. {name_form(form)}; the one that is installed wants the form "
        f"of {name_form(installed)}: {_WANTED[installed]}"
    )
    span = (*place_of(script.text, start), *place_of(script.text, end))
    yield Problem(Severity.WARNING, "script-form", message, script.path, *span)


# --- single tokens ------------------------------------------------------------------------------


def _check_brackets(script: _CheckedScript) -> Iterator[Problem]:
    """Yield an error at the first bracket without its partner."""
    unpaired = first_unpaired(script.tokens)
    if unpaired is None:
        return
    # Of a part of a template the last character is the brace.
    bracket = unpaired.token.text[-1]
    message = f'this "{bracket}" closes nothing'
    if unpaired.is_opening:
        message = f'this "{bracket}" is never closed'
    yield script.problem_at(unpaired.token, Severity.ERROR, "script-bracket", message)


def _check_deprecated_names(script: _CheckedScript) -> Iterator[Problem]:
    """Yield a hint on each deprecated global, and on each deprecated function of ``Engine``."""
    for index, token in enumerate(script.tokens):
        if token.kind != NAME:
            continue
        message = _DEPRECATED_GLOBALS.get(token.text)
        if is_of_engine(script.tokens, index):
            message = _DEPRECATED_CALLS.get(token.text, message)
        if message is not None:
            yield script.problem_at(token, Severity.HINT, "script-deprecated", message)


def odd_progress(text: str) -> str:
    """Return the message on a progress that is no whole number of 1 to 100."""
    return f"the progress is {text}: the game takes whole numbers of 1 to 100"


def _check_progress(script: _CheckedScript) -> Iterator[Problem]:
    """Yield a hint on numbers that are yielded, or set as progress, and are no progress.

    Values that the script computes are checked while it runs.
    """
    for index, token in enumerate(script.tokens):
        if token.kind != NAME:
            continue
        if token.text == "yield":
            first = index + 1
            if text_at(script.tokens, first) == "(":
                first += 1
        elif token.text == "SetProgress" and is_of_engine(script.tokens, index):
            first = index + 2  # behind the parenthesis
        else:
            continue
        number = _expression_at(script, first)
        if _PROGRESS.fullmatch(number) and float(number) not in range(1, 101):
            yield script.problem_at(token, Severity.HINT, PROGRESS, odd_progress(number))


def _expression_at(script: _CheckedScript, first: int) -> str:
    """Return the text of an expression from a token on, to the end of its line at most.

    One that is too long for a number is cut behind the token that makes it so: "12.5 + x" becomes
    "12.5+", which is no number.
    """
    expression = ""
    end = script.tokens[first - 1].end
    for token in script.tokens[first : first + _MAX_TOKENS_OF_NUMBER + 1]:
        if token.text in (";", ")", "}"):
            break
        if "\n" in script.text[end : token.start]:
            break  # the semicolon is left out
        expression += token.text
        end = token.end
    return expression


def _check_libraries(script: _CheckedScript) -> Iterator[Problem]:
    """Yield a warning at libraries that are neither among the further texts nor in a mod."""
    for name in library_tokens(script.tokens):
        folder = name.text[1:-1]
        if any(path.startswith(f"{folder}/") for path in script.texts):
            continue
        if any(mod.list(f"{SCRIPTS}/{folder}") for mod in script.location.mods):
            continue
        message = f"there is no library {folder} here: it may come with 0 A.D."
        yield script.problem_at(name, Severity.WARNING, "script-library", message)


def _check_templates(script: _CheckedScript) -> tuple[Problem, ...]:
    """Return warnings of quoted names of templates that the installed game lacks."""
    quoted_texts = {token.text[1:-1] for token in script.tokens if token.kind == TEXT}
    names = {text for text in quoted_texts if _TEMPLATE.fullmatch(text)}
    return unknown_names(templates_of(names), script.location.mods, script.text, script.path)
