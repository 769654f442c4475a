"""The generator protocol: every system's way of making maps, in one shape.

It is 0 A.D.'s: a script plus a metadata file whose ``settings`` name and describe it. Generating is
a Python generator that yields its progress (1 .. 100) and returns the layers; closing it cancels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from randomizer.battlemap import BattleMap, Composite, Layer, System, composite
from randomizer.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.grid import Grid
from randomizer.problems import Problem, ProblemError, Severity, error

Progress = Callable[[int], None]


class DrawKey(NamedTuple):
    """Which map: the seed (0 .. 2**32 - 1) and the map's number under that seed (from 0)."""

    seed: int
    number: int

    def checked(self) -> DrawKey:
        """The key itself. Raises ProblemError if it is out of range."""
        if not 0 <= self.seed < SEED_LIMIT:
            raise error("seed-range", f"a seed is a whole number from 0 to {SEED_LIMIT - 1}")
        if not 0 <= self.number < NUMBER_LIMIT:
            raise error("number-range", f"a map number is 0 to {NUMBER_LIMIT - 1}")
        return self


class NamedCells(NamedTuple):
    """A place in a script and the cells that it is about.

    Lines and columns count from 1, the end is just behind the last character.
    """

    line: int
    column: int
    end_line: int
    end_column: int
    cells: frozenset[int]

    def holds(self, line: int, column: int) -> bool:
        """Whether a cursor before this column of this line stands in the place or at its end."""
        start, end = (self.line, self.column), (self.end_line, self.end_column)
        return start <= (line, column) <= end


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing a person can choose before a roll. ``choices`` empty: any value of ``kind``.

    ``least`` and ``most`` are the ends of a number's range (None: no end).
    """

    name: str
    kind: type
    help: str
    default: object = None
    choices: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def in_range(self, value: int) -> bool:
        """Whether a number is not beyond the ends."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )


@dataclass(frozen=True)
class Metadata:
    """The ``settings`` of a generator's metadata file (0 A.D.'s names in the file).

    ``base_terrain`` and ``base_height`` are what the ground is before the script starts, where the
    file says so. ``others`` keeps every setting that is not ours.
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


def read_metadata(data: bytes | str, path: str | None = None) -> Metadata:
    """The metadata of a JSON file. Raises ProblemError where it is not one or lacks a name.

    ``BaseTerrain`` may be a list or one name; it and ``BaseHeight`` may be absent, as they are in
    every real file of 0 A.D.
    """
    try:
        document = json.loads(data)
    except json.JSONDecodeError as reason:
        raise ProblemError(
            Problem(
                Severity.ERROR,
                "metadata-json",
                f"this is not JSON: {reason.msg}",
                path,
                reason.lineno,
                reason.colno,
            )
        ) from reason
    except UnicodeDecodeError as reason:
        raise error("metadata-json", "a metadata file is UTF-8 text", path=path) from reason
    settings = document.get("settings") if isinstance(document, dict) else None
    if not isinstance(settings, dict):
        raise error("metadata-settings", 'a metadata file is {"settings": {...}}', path=path)
    rest = dict(settings)

    def take(name: str, kind: type | tuple[type, ...], default: Any) -> Any:
        value = rest.pop(name, default)
        if value is not default and (
            not isinstance(value, kind) or isinstance(value, bool) != (kind is bool)
        ):
            raise error("metadata-kind", f'"{name}" cannot be {json.dumps(value)}', path=path)
        return value

    def names(name: str) -> tuple[str, ...]:
        value = take(name, (list, str), ())
        values = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(entry, str) for entry in values):
            raise error("metadata-kind", f'"{name}" is a list of names', path=path)
        return values

    for required in ("Name", "Script"):
        if required not in settings:
            raise error("metadata-missing", f'"{required}" is missing', path=path)
    return Metadata(
        name=take("Name", str, ""),
        script=take("Script", str, ""),
        description=take("Description", str, ""),
        base_terrain=names("BaseTerrain"),
        base_height=take("BaseHeight", int, None),
        preview=take("Preview", str, None),
        circular_map=take("CircularMap", bool, False),
        keywords=names("Keywords"),
        others=rest,
    )


@dataclass(frozen=True, eq=False)
class Base:
    """What a roll starts from: the composite of the visible layers below, and the locks.

    ``shown`` is the composite with the layer that a re-roll replaces: a locked place keeps the
    value it has there.
    """

    system: System
    grid: Grid
    composite: Composite
    shown: Composite
    locked_cells: NDArray[np.bool_]
    locked_sides: NDArray[np.bool_]

    @property
    def locked(self) -> bool:
        """Whether anything is locked."""
        return bool(self.locked_cells.any() or self.locked_sides.any())

    @classmethod
    def under(cls, battlemap: BattleMap, below: int, replaced: int | None = None) -> Base:
        """The base of a roll at stack position ``below``.

        ``replaced`` is the stack position of the rolled layer that a re-roll replaces.
        """
        beneath = battlemap.composite(below)
        shown = beneath
        if replaced is not None:
            shown = composite(
                battlemap.system,
                battlemap.grid,
                [*battlemap.layers[:below], battlemap.layers[replaced]],
            )
        return cls(
            battlemap.system,
            battlemap.grid,
            beneath,
            shown,
            battlemap.locked_cells.copy(),
            battlemap.locked_sides.copy(),
        )


@dataclass(frozen=True, eq=False)
class Generated:
    """What a generator made: layers (ids to be given by the map), the number found, words.

    ``tried`` is how many maps were tried (more than one only under locks). ``notes`` are problems
    that did not stop the roll.
    """

    layers: tuple[Layer, ...]
    number: int
    tried: int = 1
    log: tuple[str, ...] = ()
    notes: tuple[Problem, ...] = ()


def roll_name(layer: Layer) -> str:
    """The name a rolled layer gets by itself: script, seed and map number."""
    assert layer.roll is not None
    stem = layer.roll.script_name.rsplit(".", 1)[0] or "Script"
    return f"{stem}, seed {layer.roll.seed} no. {layer.roll.number}"


Generating = Generator[int, None, Generated]


class MapGenerator(Protocol):
    """One entry of the catalogue. ``name`` is its word there and on the command line.

    ``text`` is the script that is rolled, "" for a generator that needs none.
    """

    name: str
    metadata: Metadata
    text: str
    system: System
    settings: tuple[Setting, ...]

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Make a map. Raises ProblemError when there can be none."""
        ...


def checked_settings(known: tuple[Setting, ...], chosen: Mapping[str, object]) -> dict[str, object]:
    """``chosen`` with every value as its setting's kind; text is read as a number or yes/no.

    Raises ProblemError for an unknown name or a value that does not fit.
    """
    by_name = {setting.name: setting for setting in known}
    result: dict[str, object] = {}
    for name, value in chosen.items():
        setting = by_name.get(name)
        if setting is None:
            names = ", ".join(by_name) or "none"
            raise error("setting-unknown", f"there is no setting {name} here (there are: {names})")
        result[name] = _as_kind(setting, value)
    return result


def _as_kind(setting: Setting, value: object) -> object:
    if setting.kind is bool and isinstance(value, str):
        yes_no = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        value = yes_no.get(value.lower(), value)
    elif setting.kind is int and isinstance(value, str):
        try:
            value = int(value)
        except ValueError:
            raise error("setting-value", f"{setting.name} is a whole number") from None
    if not isinstance(value, setting.kind) or (setting.choices and value not in setting.choices):
        choices = ", ".join(setting.choices) or f"a value of kind {setting.kind.__name__}"
        raise error("setting-value", f"{setting.name} cannot be {value} (expected: {choices})")
    if isinstance(value, int) and not setting.in_range(value):
        ends = f"{setting.least} to {setting.most}"
        raise error("setting-value", f"{setting.name} cannot be {value} (expected: {ends})")
    return value


def run(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    progress: Progress = lambda _percent: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generated | None:
    """Run a generator to its end; None if ``cancelled`` said so on the way.

    ``progress`` hears 1 .. 100. Raises ProblemError as the generator does.
    """
    chosen = checked_settings(generator.settings, settings)
    work = generator.generate(chosen, key.checked(), base)
    try:
        while True:
            percent = next(work)
            if cancelled():
                return None
            progress(percent)
    except StopIteration as end:
        result: Generated = end.value
        return result
    finally:
        work.close()
