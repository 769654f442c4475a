"""Problems of a random map script and of its metadata that can be seen without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

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
from randomizer.systems.zeroad.script.script_place import (
    OWN_MOD,
    SCRIPTS,
    ScriptPlace,
    metadata_name,
)

DEPRECATED: Mapping[str, str] = {
    "ExportMap": "newer games have no Engine.ExportMap: return the map from generateMap",
    "SetProgress": "newer games have no Engine.SetProgress: yield the percentage in generateMap",
    "g_MapSettings": "g_MapSettings is deprecated: generateMap is given the settings",
}
"""Source: the game's page on the internals of random maps, which calls them deprecated."""

_CLOSING = {")": "(", "]": "[", "}": "{"}
_TEMPLATE = re.compile(r"(?:gaia|structures|units)/[\w/]*\w|actor\|[\w/]+\.xml")
"""Quoted texts that are whole names of templates; others can be parts of one."""
_STARTS = ("generateMap", "GenerateMap", "ExportMap")


def script_problems(
    text: str, place: ScriptPlace, texts: Mapping[str, str], path: str | None = None
) -> tuple[Problem, ...]:
    """Return all problems of a script, in the order of the text, but its syntax error first.

    Where that is a bracket, the bracket is named; without an engine only brackets are looked at.
    """
    token_list = list(tokens(text))
    syntax = syntax_problem(Script(place.path, text))
    brackets = () if syntax is None and has_engine() else tuple(_brackets(token_list))
    marked = [
        *brackets,
        *_deprecated(token_list),
        *_progress(token_list),
        *_libraries(token_list, place, texts),
    ]
    written = {token.text[1:-1] for token in token_list if token.kind == TEXT}
    templates = {word for word in written if _TEMPLATE.fullmatch(word)}
    named = unknown_names(templates_of(templates), place.mods, text, path)
    problems = [
        Problem(severity, code, message, path, *_places(text, token))
        for token, severity, code, message in sorted(marked, key=lambda word: word[0].start)
    ]
    problems += (*named, *_form_problems(text, place, path))
    problems.sort(key=lambda word: (word.line or 0, word.column or 0))
    if syntax is not None and not brackets:
        problems.insert(0, syntax.at_path(path))
    if not has_engine():
        message = "only the brackets are checked: the engine mini-racer is not installed"
        problems.append(Problem(Severity.HINT, "script-engine", message, path, 1, 1))
    names = {token.text for token in token_list if token.kind == NAME}
    if not names & set(_STARTS) and "LoadLibrary" not in names:
        message = "the script makes no map: it has no function* generateMap(settings)"
        problems.append(Problem(Severity.WARNING, "script-no-map", message, path, 1, 1))
    return tuple(problems)


_Mark = tuple[Token, Severity, str, str]


def _places(text: str, token: Token) -> tuple[int, int, int, int]:
    return (*place_of(text, token.start), *place_of(text, token.end))


def _brackets(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Yield the first bracket without its partner."""
    opened: list[Token] = []
    for token in token_list:
        if token.kind == TEXT:  # a template: its braces belong to its fixed parts
            if token.text.startswith("}") and opened and opened[-1].kind == TEXT:
                opened.pop()
            if token.text.endswith("${"):
                opened.append(token)
        elif token.kind == OTHER and token.text in _CLOSING.values():
            opened.append(token)
        elif token.kind == OTHER and token.text in _CLOSING:
            if not opened or opened[-1].text != _CLOSING[token.text]:
                message = f'this "{token.text}" closes nothing'
                yield token, Severity.ERROR, "script-bracket", message
                return
            opened.pop()
    if opened:
        yield opened[-1], Severity.ERROR, "script-bracket", f'"{opened[-1].text[-1]}" is not closed'


def _deprecated(token_list: Sequence[Token]) -> Iterator[_Mark]:
    for at, token in enumerate(token_list):
        if token.kind == NAME:
            message = DEPRECATED.get(token.text)
        else:
            message = None
        if message and (token.text.startswith("g_") or _is_engines(token_list, at)):
            yield token, Severity.HINT, "script-deprecated", message


_PROGRESS = re.compile(r"\d+(?:\.\d*)?|\.\d+", re.ASCII)


def odd_progress(text: str) -> str:
    """Return the message on a progress that is no whole number of 1 to 100."""
    return f"the progress is {text}: the game takes whole numbers of 1 to 100"


PROGRESS = "script-progress"
"""The code of a progress that the game does not take."""


def _progress(token_list: Sequence[Token]) -> Iterator[_Mark]:
    """Numbers that are yielded, or given to Engine.SetProgress, and are no progress.

    What is worked out is looked at while the script runs.
    """
    for at, token in enumerate(token_list):
        is_call = token.text == "SetProgress" and _is_engines(token_list, at)
        if token.kind != NAME or (token.text != "yield" and not is_call):
            continue
        first = at + 2 if is_call else at + 1
        written = ""
        for following in token_list[first : first + 4]:
            if following.text in (";", ")", "}"):
                break
            written += following.text
        if _PROGRESS.fullmatch(written) and float(written) not in range(1, 101):
            yield token, Severity.HINT, PROGRESS, odd_progress(written)


def _form_problems(text: str, place: ScriptPlace, path: str | None) -> Iterator[Problem]:
    """Warn of a script in the form of another release than the one that is installed."""
    installed = installed_form(reversed(place.mods))
    forms = find_forms(text)
    own_script = OWN_MOD.read(place.path) or b""
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


def _libraries(
    token_list: Sequence[Token], place: ScriptPlace, texts: Mapping[str, str]
) -> Iterator[_Mark]:
    """Libraries that are nowhere to be found."""
    for name in _library_tokens(token_list):
        folder = name.text[1:-1]
        ours = any(text.startswith(f"{folder}/") for text in texts)
        if not ours and not any(mod.list(f"{SCRIPTS}/{folder}") for mod in place.mods):
            message = f"there is no library {folder} here: it may come with 0 A.D."
            yield name, Severity.WARNING, "script-library", message


def _library_tokens(token_list: Sequence[Token]) -> Iterator[Token]:
    """Yield the names in calls of Engine.LoadLibrary; a computed name is left out."""
    for at, token in enumerate(token_list[:-3]):
        if token.text == "LoadLibrary" and _is_engines(token_list, at):
            bracket, name, end = token_list[at + 1 : at + 4]
            if (bracket.text, name.kind, end.text) == ("(", TEXT, ")"):
                yield name


def _is_engines(token_list: Sequence[Token], at: int) -> bool:
    return at > 1 and (token_list[at - 2].text, token_list[at - 1].text) == ("Engine", ".")


def library_names(text: str) -> tuple[str, ...]:
    """Return the libraries that a script or library names, each once.

    A computed name is left out.
    """
    names = (name.text[1:-1] for name in _library_tokens(list(tokens(text))))
    return tuple(dict.fromkeys(names))


CIRCULAR = (
    '"CircularMap" is missing: scripts make a square map then, '
    "though the game's document calls round ones the default"
)
SIZE = f'"Size" is a multiple of {STEP} up to {MOST_ALONG}; another one is ignored'


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
    if path is None:
        where = name
    else:
        where = str(PurePath(path).with_name(name))
    metadata = check_metadata(text, where)[0]
    problems = check_map_metadata(text, where)
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
        result.append(_problem(text, "Size", Severity.WARNING, "zeroad-size", SIZE, path))
    if metadata.circular_map is None:
        hint = _problem(text, "CircularMap", Severity.HINT, "zeroad-circular", CIRCULAR, path)
        result.append(hint)
    return tuple(result)


def _problem(
    text: str, name: str, severity: Severity, code: str, message: str, path: str | None
) -> Problem:
    start, end = place_in_json(text, ["settings", name])
    return Problem(severity, code, message, path, *place_of(text, start), *place_of(text, end))
