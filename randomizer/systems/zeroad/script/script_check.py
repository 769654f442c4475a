"""Problems of a random map script and of its metadata that can be seen without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import NamedTuple

from randomizer.model.basics.json_places import place_in_json
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.model.settings.metadata import Metadata, check_metadata
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.engine.script_run import Script, syntax_problem
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, TEXT, Token, tokens
from randomizer.systems.zeroad.installation.game_names import templates_of, unknown_names
from randomizer.systems.zeroad.installation.script_forms import (
    GLOBAL_FUNCTION,
    MODULE,
    TOP_LEVEL,
    find_forms,
    installed_form,
    name_form,
)
from randomizer.systems.zeroad.map.planes import MOST_ALONG, STEP, is_edge
from randomizer.systems.zeroad.script.script_location import (
    OWN_MOD,
    SCRIPTS,
    ScriptLocation,
    metadata_name,
)

DEPRECATED: Mapping[str, str] = {
    "ExportMap": "newer games have no Engine.ExportMap: return the map from generateMap",
    "SetProgress": "newer games have no Engine.SetProgress: yield the percentage in generateMap",
    "g_MapSettings": "g_MapSettings is deprecated: generateMap is given the settings",
}
"""Source: the game's page on the internals of random maps, which calls them deprecated."""

_CLOSING = {")": "(", "]": "[", "}": "{"}
"""The brackets that close, each with the one that opens."""
_TEMPLATE = re.compile(r"(?:gaia|structures|units)/[\w/]*\w|actor\|[\w/]+\.xml")
"""Quoted texts that are whole names of templates; others can be parts of one."""

_STARTS = ("generateMap", "GenerateMap", "ExportMap")
"""The names by which scripts make a map, those of the newest release first."""


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
        bracket_marks = tuple(_brackets(token_list))

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


class _Mark(NamedTuple):
    """A problem at a token."""

    token: Token
    severity: Severity
    code: str
    message: str


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


def _brackets(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield the first bracket without its partner.

    Where a bracket closes another one than the last that is open, either can be at fault. It is the
    open one if all others have partners without it, as in "{ zzz( }".
    """
    open_tokens: list[Token] = []
    index = _skip_pairs(token_list, open_tokens)
    if index is None:
        if open_tokens:
            yield _not_closed(open_tokens[-1])
        return

    closing = token_list[index]
    is_opening_at_fault = False
    if open_tokens and _has_only_pairs(token_list[index:], open_tokens[:-1]):
        is_opening_at_fault = True
    elif any(opening.text == _CLOSING[closing.text] for opening in open_tokens):
        is_opening_at_fault = not _has_only_pairs(token_list[index + 1 :], open_tokens)

    if is_opening_at_fault:
        yield _not_closed(open_tokens[-1])
    else:
        message = f'this "{closing.text}" closes nothing'
        yield _Mark(closing, Severity.ERROR, "script-bracket", message)


def _skip_pairs(token_list: Sequence[Token], open_tokens: list[Token]) -> int | None:
    """Return the index of the first bracket that does not close the last open one, None if all do.

    ``open_tokens`` are the brackets that are open before; it is changed to those open there.
    """
    for index, token in enumerate(token_list):
        if token.kind == TEXT:  # a template: its braces belong to its fixed parts
            if token.text.startswith("}") and open_tokens and open_tokens[-1].kind == TEXT:
                open_tokens.pop()
            if token.text.endswith("${"):
                open_tokens.append(token)
        elif token.kind == OTHER and token.text in _CLOSING.values():
            open_tokens.append(token)
        elif token.kind == OTHER and token.text in _CLOSING:
            if not open_tokens or open_tokens[-1].text != _CLOSING[token.text]:
                return index
            open_tokens.pop()
    return None


def _has_only_pairs(token_list: Sequence[Token], open_tokens: Sequence[Token]) -> bool:
    """Return whether all brackets have partners, those that are open before included."""
    still_open = list(open_tokens)
    return _skip_pairs(token_list, still_open) is None and not still_open


def _not_closed(opening: Token) -> _Mark:
    """Return the problem of a bracket, or of a part of a template, that is never closed."""
    message = f'this "{opening.text[-1]}" is never closed'
    return _Mark(opening, Severity.ERROR, "script-bracket", message)


def _deprecated(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield the deprecated globals, and the deprecated functions where they are Engine's."""
    for index, token in enumerate(token_list):
        if token.kind != NAME or token.text not in DEPRECATED:
            continue
        if token.text.startswith("g_") or _is_of_engine(token_list, index):
            message = DEPRECATED[token.text]
            yield _Mark(token, Severity.HINT, "script-deprecated", message)


_PROGRESS = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)
"""A number as a script writes a progress: 12, 12.5 or .5."""

_TOKENS_OF_NUMBER = 4
"""A number has three tokens at most, as in "12.5"; a longer expression is none."""


def odd_progress(text: str) -> str:
    """Return the message on a progress that is no whole number of 1 to 100."""
    return f"the progress is {text}: the game takes whole numbers of 1 to 100"


PROGRESS = "script-progress"
"""The code of a progress that the game does not take."""


def _progress(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield numbers that are yielded, or given to Engine.SetProgress, and are no progress.

    What is worked out is looked at while the script runs.
    """
    for index, token in enumerate(token_list):
        if token.kind != NAME:
            continue
        if token.text == "yield":
            first = index + 1
            if _text_at(token_list, first) == "(":
                first += 1
        elif token.text == "SetProgress" and _is_of_engine(token_list, index):
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


def _text_at(token_list: Sequence[Token], index: int) -> str:
    """Return the text of a token, an empty one behind the last."""
    if index < len(token_list):
        return token_list[index].text
    return ""


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


_WANTED = {
    MODULE: "export function* generateMap(settings)",
    GLOBAL_FUNCTION: "function* GenerateMap(settings)",
    TOP_LEVEL: "a call of Engine.ExportMap(map)",
}
"""What a script of each form has."""


def _libraries(
    token_list: Sequence[Token], location: ScriptLocation, texts: Mapping[str, str]
) -> Iterator[_Mark]:
    """Yield the libraries that are neither among the further ``texts`` of the script nor in a mod.

    ``texts`` are by path from the folder of scripts.
    """
    for name in _library_tokens(token_list):
        folder = name.text[1:-1]
        is_in_texts = any(path.startswith(f"{folder}/") for path in texts)
        if not is_in_texts and not any(mod.list(f"{SCRIPTS}/{folder}") for mod in location.mods):
            message = f"there is no library {folder} here: it may come with 0 A.D."
            yield _Mark(name, Severity.WARNING, "script-library", message)


def _library_tokens(token_list: Sequence[Token]) -> Iterator[Token]:
    """Yield the names in calls of Engine.LoadLibrary; a computed name is left out."""
    for index, token in enumerate(token_list[:-3]):
        if token.text == "LoadLibrary" and _is_of_engine(token_list, index):
            bracket, name, end = token_list[index + 1 : index + 4]
            if (bracket.text, name.kind, end.text) == ("(", TEXT, ")"):
                yield name


def _is_of_engine(token_list: Sequence[Token], index: int) -> bool:
    """Return whether "Engine." stands before a token."""
    if index < 2:
        return False
    return token_list[index - 2].text == "Engine" and token_list[index - 1].text == "."


def library_names(text: str) -> tuple[str, ...]:
    """Return the libraries that a script or library names, each once.

    A computed name is left out.
    """
    names = (name.text[1:-1] for name in _library_tokens(list(tokens(text))))
    return tuple(dict.fromkeys(names))


_CIRCULAR = (
    '"CircularMap" is missing: scripts make a square map then, '
    "though the game's document calls round ones the default"
)
"""The hint on metadata without this setting."""

_SIZE = f'"Size" is a multiple of {STEP} up to {MOST_ALONG}; another one is ignored'


def metadata_of_script(
    script: str, texts: Mapping[str, str], path: str | None
) -> tuple[Metadata | None, tuple[Problem, ...]]:
    """Return the metadata among the further texts of a script, None without or with errors.

    The problems are its errors and warnings, and name the metadata file, which stands beside the
    file ``path`` of the script.
    """
    name = metadata_name(script)
    text = texts.get(name)
    if text is None:
        return None, ()
    metadata_path = name
    if path is not None:
        metadata_path = str(PurePath(path).with_name(name))
    metadata, _problems = check_metadata(text, metadata_path)
    problems = check_map_metadata(text, metadata_path)
    return metadata, tuple(problem for problem in problems if problem.severity is not Severity.HINT)


def check_map_metadata(data: bytes | str, path: str | None = None) -> tuple[Problem, ...]:
    """Return all problems of a metadata file of 0 A.D."""
    metadata, problems = check_metadata(data, path)
    if metadata is None:
        return problems
    if isinstance(data, str):
        text = data.removeprefix("\ufeff")
    else:
        text = data.decode("utf-8-sig")
    result = list(problems)
    size = metadata.others.get("Size")
    if type(size) is int and not is_edge(size):
        result.append(_problem(text, "Size", Severity.WARNING, "zeroad-size", _SIZE, path))
    if metadata.circular_map is None:
        hint = _problem(text, "CircularMap", Severity.HINT, "zeroad-circular", _CIRCULAR, path)
        result.append(hint)
    return tuple(result)


def _problem(
    text: str, name: str, severity: Severity, code: str, message: str, path: str | None
) -> Problem:
    """Return a problem of a setting of metadata; ``text`` is that of the file."""
    start, end = place_in_json(text, ["settings", name])
    return Problem(severity, code, message, path, *place_of(text, start), *place_of(text, end))
