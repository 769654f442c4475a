"""The metadata file of a generator: a JSON object in the format of 0 A.D.

Source: the project's copy of 0 A.D.'s page on the internals of random maps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from randomizer.model.problems import Problem, ProblemError, Severity, error, place_of
from randomizer.model.setting import KINDS


@dataclass(frozen=True)
class Metadata:
    """The ``settings`` of a generator's metadata file (0 A.D.'s names in the file).

    ``base_terrain`` and ``base_height`` are the ground before the script starts, None if the file
    has none. ``others`` keeps every unknown setting.
    """

    name: str
    script: str
    description: str
    base_terrain: tuple[str, ...] = ()
    base_height: int | None = None
    preview: str | None = None
    circular_map: bool = False
    keywords: tuple[str, ...] = ()
    others: Mapping[str, object] = field(default_factory=dict)

    @property
    def ground(self) -> dict[str, object]:
        """What the file says of the ground, by 0 A.D.'s names: settings of the generator."""
        chosen: dict[str, object] = {}
        if self.base_terrain:
            chosen["BaseTerrain"] = self.base_terrain[0]
        if self.base_height is not None:
            chosen["BaseHeight"] = self.base_height
        return chosen


def read_metadata(data: bytes | str, path: str | None = None) -> Metadata:
    """The metadata of a JSON file (UTF-8). Raises ProblemError with all its problems.

    ``BaseTerrain`` can be a list or one name; it and ``BaseHeight`` can be absent, as they are in
    every real file of 0 A.D. A setting that is null counts as absent.
    """
    try:
        text = data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
    except UnicodeDecodeError as reason:
        raise error("metadata-json", "a metadata file is UTF-8 text", path=path) from reason
    try:
        document = json.loads(text)
    except json.JSONDecodeError as reason:
        line, column = place_of(text, reason.pos)
        message = f"this is not JSON: {reason.msg}"
        problem = Problem(Severity.ERROR, "metadata-json", message, path, line, column)
        raise ProblemError(problem) from reason
    except (ValueError, RecursionError) as reason:
        message = "a number or a nesting in this file is beyond all sense"
        raise error("metadata-json", message, path=path) from reason
    settings = document.get("settings") if isinstance(document, dict) else None
    if not isinstance(settings, dict):
        message = 'a metadata file is {"settings": {...}}'
        raise ProblemError(Problem(Severity.ERROR, "metadata-settings", message, path, 1, 1))
    reader = _MetadataReader(text, settings, path)
    found = Metadata(
        name=reader.needed("Name"),
        script=reader.needed("Script"),
        description=reader.take("Description", str, ""),
        base_terrain=reader.names("BaseTerrain"),
        base_height=reader.take("BaseHeight", int, None),
        preview=reader.take("Preview", str, None),
        circular_map=reader.take("CircularMap", bool, False),
        keywords=reader.names("Keywords"),
        others=reader.rest,
    )
    if reader.problems:
        raise ProblemError(reader.problems)
    return found


class _MetadataReader:
    """Takes one setting after the other out of ``rest``; ``problems`` collects what is wrong."""

    def __init__(self, text: str, settings: dict[str, object], path: str | None) -> None:
        self.rest = dict(settings)
        self.problems: list[Problem] = []
        self._text = text
        self._path = path

    def take(self, name: str, kind: type, default: Any) -> Any:
        """The value of a setting if it is of ``kind``, else the default."""
        value = self.rest.pop(name, None)
        if value is None:
            return default
        if type(value) is not kind:  # bool is a subclass of int
            kinds = "true or false" if kind is bool else KINDS[kind]
            self._wrong(name, "metadata-kind", f'"{name}" is {kinds}, not {_shown(value)}')
            return default
        return value

    def needed(self, name: str) -> str:
        """The text of a required setting."""
        before = len(self.problems)
        value: str = self.take(name, str, "")
        if not value.strip() and len(self.problems) == before:
            self._wrong(name, "metadata-missing", f'"{name}" is missing')
        return value

    def names(self, name: str) -> tuple[str, ...]:
        """The texts of a setting that is a list of them, or a single one."""
        value = self.rest.pop(name, None)
        values = [] if value is None else value if isinstance(value, list) else [value]
        for entry in values:
            if not isinstance(entry, str):
                message = f'"{name}" is a list of names, and {_shown(entry)} is none'
                self._wrong(name, "metadata-kind", message)
                return ()
        return tuple(values)

    def _wrong(self, name: str, code: str, message: str) -> None:
        # json gives no places: the first occurrence of the name after "settings" is taken.
        start = max(0, self._text.find('"settings"'))
        found = re.compile(rf'"{name}"(?=\s*:)').search(self._text, start)
        first, last = (start, start + len('"settings"')) if found is None else found.span()
        places = (*place_of(self._text, first), *place_of(self._text, last))
        self.problems.append(Problem(Severity.ERROR, code, message, self._path, *places))


def _shown(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
