"""Files of other programs that are known and not read: what the user can do instead."""

from __future__ import annotations

import re

from randomizer.model.problems import Problem, Severity
from randomizer.model.records.assets import why_no_map
from randomizer.systems.interchange.file_signs import MAP_LINE

_AZGAAR = re.compile(rb"[\d.]+\|[^\n|]*azgaar", re.IGNORECASE)
"""The beginning of a map of Azgaar's generator in its own format: a version and its name."""

_GEOJSON = re.compile(rb'\s*\{\s*"type"\s*:\s*"FeatureCollection"')

_GAME_OF_XCONQ_7 = re.compile(rb"(?:[ \t\r\n]+|;[^\n]*+)*+\(game-module\b")
"""The beginning of games, maps and scenarios of Xconq 7: Lisp, with comments."""


def why_not_read(data: bytes) -> Problem | None:
    """Return the problem of a file of a kind that is known and not read here; None for others."""
    picture_message = why_no_map(data)
    if picture_message:
        return Problem(Severity.ERROR, "format-is-picture", picture_message, path=None)
    if _AZGAAR.match(data):
        return _not_read(
            "this is a map of Azgaar's Fantasy Map Generator, and such files lack the points of "
            "its cells: load it there, choose Export, “Export to JSON” and “full”, and open that "
            "file here; or lay a picture of it below a map as a plan"
        )
    if _GAME_OF_XCONQ_7.match(data):
        return _not_read(
            "this is a game or map of Xconq 7, which is not read here: periods (.per) and maps "
            "(.map, .scn) of Xconq 5 are"
        )
    if _GEOJSON.match(data):
        return _not_read(
            "this is GeoJSON, which is not read here: of a world of Azgaar's generator open its "
            "“full” export to JSON"
        )
    map_line = MAP_LINE.search(data)
    if map_line is not None:
        return _not_read(
            "this is a scenario of Wesnoth whose map is a file of its own: open the one that this "
            "line names",
            line=data.count(b"\n", 0, map_line.start()) + 1,
        )
    return None


def _not_read(message: str, *, line: int = 1) -> Problem:
    """Return the error for a file that is not read, at a line (from 1) of its text."""
    return Problem(Severity.ERROR, "format-unknown", message, path=None, line=line, column=1)
