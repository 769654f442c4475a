"""Reads the metadata file of a generator or a script: a JSON file in the format of 0 A.D.

    {
      "settings": {
        "Name": "Hills",                    # the title of the map, for people
        "Script": "hills.js",               # the file beside it that makes the map
        "Description": "Hills and a lake.",
        "Preview": "hills.png"
      }
    }

``read_metadata`` raises for a file with errors, ``check_metadata`` returns all problems, which the
editor of scripts shows. Settings that only the game knows stay as they stand in the file
(``Metadata.others``), and are only warned of.

Source: the project's copy of 0 A.D.'s page on the internals of random maps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from randomizer.model.basics.bounded_json import fault_in_data, measure_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.basics.json_places import JsonPath, place_in_json
from randomizer.model.problems import Problem, ProblemError, Severity, error, has_errors, place_of
from randomizer.model.settings.metadata_kinds import faults_of_others, short_json
from randomizer.model.settings.setting import KINDS

LARGEST_METADATA = 1_000_000
"""The most bytes of a metadata file."""

MAX_FAULTS = 20
"""The most problems of ``Metadata.others`` in one file.

The position of each is looked for in the text, so more of them would take longer.
"""

DEEPEST = 100
"""The depth to which lists and objects of a file can be nested; Python's own reader of JSON ends
with a RecursionError at about ten times as many."""

BASE_TERRAIN = "BaseTerrain"
"""0 A.D.'s name of the setting with the terrain of the ground before a script starts."""

BASE_HEIGHT = "BaseHeight"
"""0 A.D.'s name of the setting with the height of that ground."""

GROUND_SETTINGS = (BASE_TERRAIN, BASE_HEIGHT)
"""The names of the settings that ``Metadata.ground`` can have."""


@dataclass(frozen=True)
class Metadata:
    """The ``settings`` of a generator's metadata file; there they have 0 A.D.'s names."""

    name: str
    """The title of the map in lists of the game."""

    script: str
    """The name of the script's file."""

    description: str

    base_terrain: tuple[str, ...] = ()
    """The terrains of the ground before the script starts; () if the file says none."""

    base_height: int | None = None
    """The height of that ground; None if the file says none."""

    preview: str | None = None
    """The name of the file with a picture; None if the file names none."""

    circular_map: bool | None = None
    """True for a round map; None if the file does not say."""

    keywords: tuple[str, ...] = ()

    others: Mapping[str, object] = field(default_factory=dict)
    """Every other setting as it stands, by its name."""

    @property
    def ground(self) -> dict[str, object]:
        """The settings of the ground before the script starts, by 0 A.D.'s names."""
        chosen: dict[str, object] = {}
        if self.base_terrain:
            chosen[BASE_TERRAIN] = self.base_terrain[0]
        if self.base_height is not None:
            chosen[BASE_HEIGHT] = self.base_height
        return chosen


def read_metadata(data: bytes | str, path: str | None = None) -> Metadata:
    """Return the metadata of a JSON file (UTF-8). Raises ProblemError with all its errors."""
    metadata, problems = check_metadata(data, path)
    if metadata is None:
        raise ProblemError(problem for problem in problems if problem.severity is Severity.ERROR)
    return metadata


_NAMES_SCRIPT = re.compile(rb'"Script"\s*:\s*"')
"""The setting that names a script, anywhere in a file."""

_SETTINGS_FIRST = re.compile(rb'[\s\xef\xbb\xbf]*\{\s*"settings"\s*:')
"""The beginning of a file whose first member is "settings"; a byte order mark may come first."""


def is_metadata(data: bytes) -> bool:
    """Return whether these are the bytes of a metadata file, with errors or without.

    They are if there is an object "settings"; or if that is missing, but a script is named.
    """
    if len(data) > LARGEST_METADATA:
        return False
    if _SETTINGS_FIRST.match(data):  # even if the JSON behind it is broken
        return True
    try:
        _parse_settings(data, None)
    except ProblemError as failed:
        lacks_settings = failed.problems[0].code == "metadata-settings"
        return lacks_settings and _NAMES_SCRIPT.search(data) is not None
    return True


def check_metadata(
    data: bytes | str, path: str | None = None
) -> tuple[Metadata | None, tuple[Problem, ...]]:
    """Return the metadata of a JSON file (UTF-8), and all its problems; None if one is an error.

    A missing name or script is an error, a missing description a warning. ``BaseTerrain`` is a list
    of names; a single one is taken, with a warning. It and ``BaseHeight`` can be absent, as they
    are in every real file of 0 A.D. A setting that is null counts as absent. One of the others
    that has a value of the wrong kind is a warning (``metadata_kinds``).
    """
    try:
        text, settings = _parse_settings(data, path)
    except ProblemError as failed:
        return None, failed.problems
    reader = _MetadataReader(text, settings, path)
    metadata = Metadata(
        name=reader.take_required_text("Name", Severity.ERROR),
        script=reader.take_required_text("Script", Severity.ERROR),
        description=reader.take_required_text("Description", Severity.WARNING),
        base_terrain=reader.take_texts(BASE_TERRAIN),
        base_height=reader.take_checked(BASE_HEIGHT, int, None),
        preview=reader.take_checked("Preview", str, None),
        circular_map=reader.take_checked("CircularMap", bool, None),
        keywords=reader.take_texts("Keywords"),
    )
    metadata = replace(metadata, others=reader.remaining_settings)  # without those above
    for fault in islice(faults_of_others(metadata.others), MAX_FAULTS):
        reader.add_problem(fault.path, fault.code, fault.message, fault.severity)
    problems = tuple(reader.problems)
    if has_errors(problems):
        return None, problems
    return metadata, problems


def _parse_settings(data: bytes | str, path: str | None) -> tuple[str, dict[str, object]]:
    """Return the text of a metadata file, and its settings. Raises ProblemError."""
    text = _text_of(data, path)
    document = _parse_json(text, path)
    settings = None
    if isinstance(document, dict):
        settings = document.get("settings")
    if not isinstance(settings, dict):
        message = 'a metadata file is {"settings": {...}}'
        raise ProblemError(Problem(Severity.ERROR, "metadata-settings", message, path, 1, 1))
    fault = fault_in_data(settings)
    if fault:
        raise error("metadata-json", f'one of the "settings" {fault}', path=path)
    return text, settings


def _text_of(data: bytes | str, path: str | None) -> str:
    """Return the text of a file without its byte order mark. Raises ProblemError."""
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        raise error("metadata-json", "a metadata file is UTF-8 text", path=path) from reason


def _parse_json(text: str, path: str | None) -> object:
    """Return the value of a JSON text within bounds. Raises ProblemError."""
    try:
        if len(text) > LARGEST_METADATA:
            raise ValueError("it is too long")
        measure_json(text.encode("utf-8", "replace"), DEEPEST)
        document: object = json.loads(text)
    except json.JSONDecodeError as reason:
        line, column = place_of(text, reason.pos)
        message = f"this is not JSON: {reason_of(reason)}"
        problem = Problem(Severity.ERROR, "metadata-json", message, path, line, column)
        raise ProblemError(problem) from reason
    except (ValueError, RecursionError) as reason:
        message = "a number, a nesting or the size of this file is beyond all sense"
        raise error("metadata-json", message, path=path) from reason
    return document


class _MetadataReader:
    """Removes one setting after the other from those of a file, and collects their problems."""

    def __init__(self, text: str, settings: dict[str, object], path: str | None) -> None:
        self.remaining_settings = dict(settings)
        """The settings that no method has returned yet; each removes those that it returns."""
        self.problems: list[Problem] = []
        """The problems of those that were returned, and others that were added."""
        self._text = text
        """The text of the file."""
        self._path = path
        """The file, or another name for it in problems; None if that is clear."""

    def take_checked(self, name: str, kind: type, default: Any) -> Any:
        """Return the value of a setting if it is of ``kind``, else the default."""
        value = self.remaining_settings.pop(name, None)
        if value is None:
            return default
        if type(value) is not kind:  # not isinstance: bool is a subclass of int
            kind_text = KINDS[kind]
            if kind is bool:
                kind_text = "true or false"  # as in the file, not as in a form
            message = f'"{name}" is {kind_text}, not {short_json(value)}'
            self.add_problem([name], "metadata-kind", message)
            return default
        return value

    def take_required_text(self, name: str, severity: Severity) -> str:
        """Return the text of a setting whose absence is a problem of this severity.

        "" if it is absent, or no text.
        """
        problem_count = len(self.problems)
        value: str = self.take_checked(name, str, "")
        has_wrong_kind = len(self.problems) > problem_count
        if not value.strip() and not has_wrong_kind:
            self.add_problem([name], "metadata-missing", f'"{name}" is missing', severity)
        return value

    def take_texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a setting that is a list of texts; () if it is no such list.

        A single text counts as a list of one, with a warning.
        """
        value = self.remaining_settings.pop(name, None)
        if value is None:
            values = []
        elif isinstance(value, list):
            values = value
        else:
            values = [value]
        for entry in values:
            if not isinstance(entry, str):
                message = f'"{name}" is a list of names, and {short_json(entry)} is none'
                self.add_problem([name], "metadata-kind", message)
                return ()
        if isinstance(value, str):
            message = f'"{name}" is a list of names, not a single one'
            self.add_problem([name], "metadata-kind", message, Severity.WARNING)
        return tuple(values)

    def add_problem(
        self, path: JsonPath, code: str, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Add a problem of the setting to which a path below ``settings`` leads."""
        start, end = place_in_json(self._text, ["settings", *path])
        span = (*place_of(self._text, start), *place_of(self._text, end))
        self.problems.append(Problem(severity, code, message, self._path, *span))
