"""Problems of the metadata file of a random map script, beyond those of every metadata file."""

from __future__ import annotations

from randomizer.model.json_places import place_in_json
from randomizer.model.metadata import check_metadata
from randomizer.model.problems import Problem, Severity, place_of
from randomizer.systems.zeroad.map.planes import MOST_ALONG, STEP, is_edge

CIRCULAR = (
    '"CircularMap" is missing: scripts make a square map then, '
    "though the game's document calls round ones the default"
)
SIZE = f'"Size" is a multiple of {STEP} up to {MOST_ALONG}; another one is ignored'


def check_map_metadata(data: bytes | str, path: str | None = None) -> tuple[Problem, ...]:
    """All problems of a metadata file of 0 A.D."""
    metadata, problems = check_metadata(data, path)
    if metadata is None:
        return problems
    text = data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
    found = list(problems)
    size = metadata.others.get("Size")
    if type(size) is int and not is_edge(size):
        found.append(_problem(text, "Size", Severity.WARNING, "zeroad-size", SIZE, path))
    if metadata.circular_map is None:
        hint = _problem(text, "CircularMap", Severity.HINT, "zeroad-circular", CIRCULAR, path)
        found.append(hint)
    return tuple(found)


def _problem(
    text: str, name: str, severity: Severity, code: str, message: str, path: str | None
) -> Problem:
    start, end = place_in_json(text, ["settings", name])
    return Problem(severity, code, message, path, *place_of(text, start), *place_of(text, end))
