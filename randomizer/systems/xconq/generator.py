"""The generator of the catalogue: a period makes a world, countries and units."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base, DrawKey, Generated, Generating
from randomizer.model.grid import Grid
from randomizer.model.layer import NO_TEXTS, Layer, Roll, roll_name
from randomizer.model.layouts import OBLIQUE
from randomizer.model.map_records import MapRecord
from randomizer.model.metadata import Metadata
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, ProblemError, Severity, error
from randomizer.model.setting import Setting
from randomizer.model.system import System
from randomizer.model.terrain import TerrainSet
from randomizer.model.terrain_codes import translated_layer, with_missing
from randomizer.model.things import Things
from randomizer.systems.xconq.countries.settlement import Settlement, settlement
from randomizer.systems.xconq.packaged_periods import packaged_metadata, packaged_text
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.period.reading import read_period
from randomizer.systems.xconq.records import PERIOD, PERIOD_OF, SIDES, Side, Sides, as_record
from randomizer.systems.xconq.system import MOST_ALONG, SYSTEM, TERRAIN, USUAL_SIZE
from randomizer.systems.xconq.terrain_set import terrain_set_of
from randomizer.systems.xconq.units import things_of
from randomizer.systems.xconq.world.relief import (
    LEAST_SIDE,
    Relief,
    WorldSettings,
    relief_of,
    relief_steps,
)
from randomizer.systems.xconq.world_terrain import classified, roughness, terrain_type

SIZE, ALT_ROUGHNESS, WET_ROUGHNESS, COUNTRIES = (
    "size",
    "alt-roughness",
    "wet-roughness",
    "countries",
)
USUAL_COUNTRIES, MOST_COUNTRIES = 2, 30

_SIZE_WORDS = (
    f"the size of a world is columns x rows, each from {LEAST_SIDE} to {MOST_ALONG}, like 60x30"
)

_ROUGHNESS = "0 makes few large {}, 100 many small ones; unset: as the period says"

SETTINGS = (
    Setting(
        SIZE,
        str,
        "Columns x rows of the world, like 60x30; unset: those of the map",
        "",
        title="Size",
        group="World",
    ),
    Setting(
        ALT_ROUGHNESS,
        int,
        _ROUGHNESS.format("seas and lands"),
        least=0,
        most=100,
        title="Roughness of the land",
        group="World",
        unset="the period's",
    ),
    Setting(
        WET_ROUGHNESS,
        int,
        _ROUGHNESS.format("wet and dry regions"),
        least=0,
        most=100,
        title="Roughness of the moisture",
        group="World",
        unset="the period's",
    ),
    Setting(
        COUNTRIES,
        int,
        "How many sides begin with a country of their own; 0: the terrain alone, without units",
        USUAL_COUNTRIES,
        least=0,
        most=MOST_COUNTRIES,
        title="Countries",
        group="Countries",
        zero="none, the terrain alone",
    ),
)


class PeriodGenerator:
    """A period's text with the texts of the files that it includes, by the names as written.

    ``path`` is the file that problems name.
    """

    system: System = SYSTEM
    settings: tuple[Setting, ...] = SETTINGS

    def __init__(
        self,
        name: str,
        metadata: Metadata,
        text: str,
        texts: Mapping[str, str] = NO_TEXTS,
        path: str | None = None,
    ) -> None:
        self.name, self.metadata, self.text = name, metadata, text
        self.texts, self.path = texts, path

    def grid(self, settings: Mapping[str, object]) -> Grid:
        """The grid of a new world. Raises ProblemError for a size that no world has."""
        return Grid(OBLIQUE, *(_size(settings) or USUAL_SIZE), wrap=True)

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """A layer with terrain and units, and the records, terrain set and grid of the map.

        A period among the records of the base, changed by hand, takes the place of the text.
        Raises ProblemError for a period with errors or a size that no world has.
        """
        text, texts = self._texts(base)
        period = self._period(text, texts)
        of_map = (base.grid.width, base.grid.height)
        size = _checked(_size(settings) or of_map)
        same_grid = size == of_map
        world = World(period, settings, key)
        relief = yield from world.relief_steps(*size)
        fitting = classified(relief, period)
        codes, notes = fitting.codes, []
        if fitting.unmatched and fitting.example is not None:
            notes.append(_unmatched(fitting.unmatched, fitting.example, period))
        terrain_set = terrain_set_of(period)
        if same_grid:
            codes, terrain_set, kept = _with_kept(codes, terrain_set, base)
            notes += [] if kept is None else [kept]
        yield 96
        count = settings.get(COUNTRIES, USUAL_COUNTRIES)
        settled = Settlement()
        if isinstance(count, int) and count:
            settled = settlement(codes, period, count, key, world.codes)
        yield 99
        grid = base.grid if same_grid else Grid(OBLIQUE, *size, wrap=True, lean=base.grid.lean)
        layer = Layer(
            0,
            "",
            planes={TERRAIN.name: codes},
            things=Things(things_of(settled.units, period, grid)),
            roll=Roll(
                self.name,
                self.metadata.script,
                text,
                dict(settings),
                key.seed,
                key.number,
                texts=texts,
            ),
        )
        layer.name = roll_name(layer)
        yield 100
        return Generated(
            (layer,),
            key.number,
            notes=(*notes, *settled.notes),
            records=_records(text, texts, settled),
            terrain_set=terrain_set,
            grid=None if same_grid else grid,
        )

    def _texts(self, base: Base) -> tuple[str, Mapping[str, str]]:
        """The text of the period and those of its included files."""
        record = base.records.get(PERIOD)
        touched = {
            name.removeprefix(PERIOD_OF): each.text
            for name, each in base.records.items()
            if name.startswith(PERIOD_OF)
        }
        texts = {**self.texts, **touched} if touched else self.texts
        return self.text if record is None else record.text, texts

    def _period(self, text: str, texts: Mapping[str, str]) -> Period:
        """The period. Raises ProblemError if it has errors."""
        result = read_period(text, self.path, texts)
        if result.period is None:
            raise ProblemError(result.problems)
        return result.period


class World:
    """The worlds of a period for one key, of any size."""

    def __init__(self, period: Period, settings: Mapping[str, object], key: DrawKey) -> None:
        self._period, self._settings, self._key = period, settings, key

    def _chosen(self, width: int, height: int) -> WorldSettings:
        rough = (
            roughness(self._period, word, self._settings.get(word))
            for word in (ALT_ROUGHNESS, WET_ROUGHNESS)
        )
        return WorldSettings(width, height, *rough)

    def relief_steps(self, width: int, height: int) -> Generator[int, None, Relief]:
        """The relief of a world; yields progress (1 .. 95)."""
        steps = relief_steps(self._chosen(width, height), self._key)
        while True:
            try:
                percent = next(steps)
            except StopIteration as end:
                relief: Relief = end.value
                return relief
            yield max(1, percent * 95 // 100)

    def codes(self, width: int, height: int) -> NDArray[np.uint8]:
        """The terrain types of a world, at once."""
        return classified(relief_of(self._chosen(width, height), self._key), self._period).codes


def _size(settings: Mapping[str, object]) -> tuple[int, int] | None:
    """The chosen columns and rows, None if none are. Raises ProblemError."""
    chosen = str(settings.get(SIZE, "")).strip()
    if not chosen:
        return None
    found = re.fullmatch(r"(\d{1,5})\s*[x×]\s*(\d{1,5})", chosen, re.ASCII)
    if found is None:
        raise error("world-size", f"{_SIZE_WORDS}, not {chosen:.40}")
    return _checked((int(found[1]), int(found[2])))


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    """The size of a world itself. Raises ProblemError for one that no world has."""
    if not all(LEAST_SIDE <= edge <= MOST_ALONG for edge in size):
        raise error("world-size", f"{_SIZE_WORDS}, not {size[0]}x{size[1]}")
    return size


def _unmatched(count: int, example: tuple[int, int], period: Period) -> Problem:
    """The warning of the real program, which goes on, too."""
    used = terrain_type(period, "default-terrain")
    name = period.terrains[used or 0].name
    altitude, moisture = example
    message = (
        f"{counted(count, 'hex', 'hexes')} fit no terrain type, for instance one with altitude "
        f"{altitude} % and moisture {moisture} %: they become {name}"
    )
    return Problem(Severity.WARNING, "terrain-gap", message)


def _with_kept(
    codes: NDArray[np.uint8], wanted: TerrainSet, base: Base
) -> tuple[NDArray[np.uint8], TerrainSet, Problem | None]:
    """The terrain with what is locked as it was; what it needs comes into the set as missing."""
    kept = base.kept(TERRAIN)
    if not kept.any():
        return codes, wanted, None
    values = np.where(kept, base.shown.planes[TERRAIN.name], TERRAIN.unset).astype(TERRAIN.dtype)
    only = Layer(0, "", planes={TERRAIN.name: values})
    known = with_missing(SYSTEM, [only], base.terrain_set, wanted)
    values = translated_layer(SYSTEM, only, base.terrain_set, known).planes[TERRAIN.name]
    message = f"{counted(int(kept.sum()), 'locked hex', 'locked hexes')} kept their terrain"
    return (
        np.where(kept, values, codes).astype(TERRAIN.dtype),
        known,
        Problem(Severity.HINT, "locked-kept", message),
    )


def _records(text: str, texts: Mapping[str, str], settled: Settlement) -> dict[str, MapRecord]:
    """The records of the map: the period, what it includes, and the sides."""
    records = {PERIOD: MapRecord(text)}
    records |= {PERIOD_OF + name: MapRecord(each) for name, each in texts.items()}
    if settled.sides:
        records[SIDES] = as_record(Sides(tuple(Side(name) for name in settled.sides)))
    return records


def packaged() -> tuple[PeriodGenerator, ...]:
    """The packaged periods, that of new maps first; none is read yet."""
    return tuple(
        PeriodGenerator(known.name, known, packaged_text(known.script))
        for known in packaged_metadata()
    )


def from_texts(
    text: str, script: str, texts: Mapping[str, str], path: str | None = None
) -> PeriodGenerator:
    """A period of the user's own. ``script`` is its file name, ``path`` the one in problems."""
    name = PurePath(script).stem
    return PeriodGenerator("", Metadata(name, script, ""), text, texts, path or script)
