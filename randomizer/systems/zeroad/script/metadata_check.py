"""Finds the problems of a metadata file of 0 A.D.: what the game or its document minds.

A script ``hills.js`` has a metadata file ``hills.json`` beside it: its title, its preview and what
can be chosen. ``check_metadata`` finds the problems that are those of every game.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from randomizer.model.basics.json_places import place_in_json
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.model.settings.metadata import Metadata, check_metadata
from randomizer.systems.zeroad.map.planes import MAX_ALONG, STEP, is_edge
from randomizer.systems.zeroad.script.script_location import metadata_name

_CIRCULAR = (
    '"CircularMap" is missing: scripts make a square map then, '
    "though the game's document calls round ones the default"
)
"""The hint on metadata without this setting."""

_SIZE = f'"Size" is a multiple of {STEP} up to {MAX_ALONG}; another one is ignored'
"""The warning on a size that no map has."""


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
