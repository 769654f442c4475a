"""Problems of a random map script and of its metadata that can be seen without running it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from randomizer.model.json_places import place_in_json
from randomizer.model.metadata import check_metadata
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.engine.script_run import Script, syntax_problem
from randomizer.systems.zeroad.engine.tokens import NAME, OTHER, TEXT, Token, tokens
from randomizer.systems.zeroad.installation.game_names import templates_of, unknown_names
from randomizer.systems.zeroad.map.planes import MOST_ALONG, STEP, is_edge
from randomizer.systems.zeroad.script.script_place import SCRIPTS, ScriptPlace

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
    marked = [*brackets, *_deprecated(token_list), *_libraries(token_list, place, texts)]
    written = {token.text[1:-1] for token in token_list if token.kind == TEXT}
    templates = {each for each in written if _TEMPLATE.fullmatch(each)}
    named = unknown_names(templates_of(templates), place.mods, text, path)
    problems = [
        Problem(severity, code, message, path, *_places(text, token))
        for token, severity, code, message in sorted(marked, key=lambda each: each[0].start)
    ]
    problems = sorted((*problems, *named), key=lambda each: (each.line or 0, each.column or 0))
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
    """The first bracket without its partner."""
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
        message = DEPRECATED.get(token.text) if token.kind == NAME else None
        if message and (token.text.startswith("g_") or _is_engines(token_list, at)):
            yield token, Severity.HINT, "script-deprecated", message


def _libraries(
    token_list: Sequence[Token], place: ScriptPlace, texts: Mapping[str, str]
) -> Iterator[_Mark]:
    """Libraries that are nowhere to be found."""
    for name in _library_tokens(token_list):
        folder = name.text[1:-1]
        ours = any(each.startswith(f"{folder}/") for each in texts)
        if not ours and not any(mod.list(f"{SCRIPTS}/{folder}") for mod in place.mods):
            message = f"there is no library {folder} here: it may come with 0 A.D."
            yield name, Severity.WARNING, "script-library", message


def _library_tokens(token_list: Sequence[Token]) -> Iterator[Token]:
    """The names in calls of Engine.LoadLibrary; a computed name is left out."""
    for at, token in enumerate(token_list[:-3]):
        if token.text == "LoadLibrary" and _is_engines(token_list, at):
            bracket, name, end = token_list[at + 1 : at + 4]
            if (bracket.text, name.kind, end.text) == ("(", TEXT, ")"):
                yield name


def _is_engines(token_list: Sequence[Token], at: int) -> bool:
    return at > 1 and (token_list[at - 2].text, token_list[at - 1].text) == ("Engine", ".")


def library_names(text: str) -> tuple[str, ...]:
    """The libraries that a script or library names, each once. A computed name is left out."""
    names = (name.text[1:-1] for name in _library_tokens(list(tokens(text))))
    return tuple(dict.fromkeys(names))


CIRCULAR = (
    '"CircularMap" is missing: scripts make a square map then, '
    "though the game's document calls round ones the default"
)
SIZE = f'"Size" is a multiple of {STEP} up to {MOST_ALONG}; another one is ignored'


def check_map_metadata(data: bytes | str, path: str | None = None) -> tuple[Problem, ...]:
    """Return all problems of a metadata file of 0 A.D."""
    metadata, problems = check_metadata(data, path)
    if metadata is None:
        return problems
    text = data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
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
