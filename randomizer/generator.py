"""The class of generators: how every system makes maps.

It follows 0 A.D.: a generator is a script plus a metadata file whose ``settings`` name and describe
it. ``generate`` is a Python generator that yields its progress (1 .. 100; 0: busy, and nobody knows
how long) and returns the layers; closing it cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.installed import answers_of
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.basics.texts import clean_line
from randomizer.model.edits.terrain_codes import called_as_in, translated_layer, with_missing
from randomizer.model.gate.gate import (
    check_grid,
    check_layer,
    check_map_records,
    check_own_terrain_set,
    check_things,
)
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import NO_TEXTS, Layer, Roll, roll_name
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.corners import locks_of
from randomizer.model.planes.planes import Place, Plane, PlaneSpec, is_blank
from randomizer.model.problems import Problem, error
from randomizer.model.records.assets import NO_ASSETS, Assets
from randomizer.model.records.map_records import MapRecord, further_record
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.rolled_layers import layer_above
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing

Progress = Callable[[int], None]

SEARCH_LIMIT = 2_000_000
"""The most maps tried for one that keeps the locks; the progress is relative to it."""


NO_MORE_MAPS = "no-more-maps"
"""The code of the error of a map whose seed has none of this number, nor of a higher one."""


def percent_of_search(tried: int) -> int:
    """Return the progress (1 .. 99) of a search for a map that keeps the locks."""
    return 1 + tried * 98 // SEARCH_LIMIT


def tried_by(percent: int) -> int:
    """Return the approximate number of maps tried at a progress of ``percent``."""
    return max(0, percent - 1) * SEARCH_LIMIT // 98


class DrawKey(NamedTuple):
    """Identifies a map: the seed (0 .. 2**32 - 1) and the map's number under that seed (from 0)."""

    seed: int
    number: int

    def checked(self) -> DrawKey:
        """Return the key itself. Raises ProblemError if it is out of range."""
        if not 0 <= self.seed < SEED_LIMIT:
            raise error("seed-range", f"a seed is a whole number from 0 to {SEED_LIMIT - 1}")
        if not 0 <= self.number < NUMBER_LIMIT:
            raise error("number-range", f"a map number is 0 to {NUMBER_LIMIT - 1}")
        return self


NOTHING_COVERED: Mapping[str, NDArray[np.bool_]] = MappingProxyType({})
NO_RECORDS: Mapping[str, MapRecord] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Base:
    """The base of a roll: the visible layers below it, and the values that must be kept."""

    system: System
    grid: Grid
    composite: Composite
    """What the visible layers below the roll show."""
    shown: Composite
    """The same with the layer that a re-roll replaces: a locked place keeps its value there."""
    locked_cells: NDArray[np.bool_]
    """Shape (height, width)."""
    locked_sides: NDArray[np.bool_]
    """Shape (height, width, degree)."""
    covered: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NOTHING_COVERED)
    """By plane the places that a visible layer above the roll covers, in the plane's shape.

    Whatever is rolled there, locked or not, is not seen. Planes that nothing covers are absent.
    """
    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records of the map that a hand set or changed, by name: a roll keeps them."""
    above: Layer | None = None
    """All that will lie above the roll (``layer_above``), None if nothing will.

    It changes no roll, but what is seen of it.
    """
    assets: Assets = field(default_factory=lambda: NO_ASSETS)
    """The assets of the map, for a new one with the same terrain set."""

    @property
    def terrain_set(self) -> TerrainSet:
        """The terrain set of the map."""
        return self.composite.terrain_set

    @property
    def locked(self) -> bool:
        """True if any value has to be kept."""
        return any(self.locked_mask(spec).any() for spec in self.system.shown_planes)

    def locked_mask(self, spec: PlaneSpec) -> NDArray[np.bool_]:
        """Return the places of a plane, in its shape, that must keep the values of ``shown``.

        They are locked, and their values can be seen.
        """
        locks = self.locks(spec.place)
        covered = self.covered.get(spec.name)
        if covered is None:
            return locks
        return locks & ~covered

    def same_as(self, other: Base) -> bool:
        """Return whether the same maps are rolled onto both, and measured among the same things
        above.
        """
        if (self.system, self.grid, self.records) != (other.system, other.grid, other.records):
            return False
        if _things_above(self) != _things_above(other):
            return False
        if self.system.open_terrain_set and self.bare and other.bare:
            return True  # every map brings the terrains that it shows
        pairs = []
        for spec in self.system.shown_planes:
            mine = self.shown.planes[spec.name]
            its = other.shown.planes[spec.name]
            pairs.append((self.locked_mask(spec), other.locked_mask(spec)))
            pairs.append((mine[self.locked_mask(spec)], its[other.locked_mask(spec)]))
        return self.composite.same_as(other.composite) and all(
            np.array_equal(first, second) for first, second in pairs
        )

    def seen_as(self, other: Base) -> bool:
        """Return whether the same values and properties will lie above a roll onto either."""
        if self.above is None or other.above is None:
            return self.above is other.above
        mine = self.above.planes
        its = other.above.planes
        return (
            self.above.properties == other.above.properties
            and mine.keys() == its.keys()
            and all(np.array_equal(plane, its[name]) for name, plane in mine.items())
        )

    def alone(self) -> Base:
        """Return the same base for the rolls alone, without what lies above them."""
        return replace(self, above=None)

    @property
    def bare(self) -> bool:
        """True if nothing lies below or above and nothing is locked."""
        below = self.composite.planes.values()
        return all(map(is_blank, below)) and self.above is None and not self.locked

    def locks(self, place: Place) -> NDArray[np.bool_]:
        """Return the locks of cells (h, w), of sides (h, w, degree) or of corners (h + 1, w +
        1).
        """
        return locks_of(place, self.grid, self.locked_cells, self.locked_sides)

    def unlocked(self) -> Base:
        """Return the same base without locks."""
        return replace(
            self,
            locked_cells=np.zeros_like(self.locked_cells),
            locked_sides=np.zeros_like(self.locked_sides),
        )

    def in_terms_of(self, generated: Generated) -> tuple[Base, Generated]:
        """This base and a roll onto it, both in codes of one terrain set.

        It is the roll's, with what the base shows and it lacks at its end, as missing. A terrain
        that is only renamed in it (``called_as_in``) is not lacking.
        """
        if generated.terrain_set is None or generated.terrain_set == self.terrain_set:
            return self, generated
        system = self.system
        before = called_as_in(self.terrain_set, generated.terrain_set)
        layers = [Layer(0, "", planes=dict(each.planes)) for each in (self.composite, self.shown)]
        above = [] if self.above is None else [self.above]
        terrain_set = with_missing(system, [*layers, *above], before, generated.terrain_set)
        below, over = (
            replace(
                each,
                terrain_set=terrain_set,
                planes=translated_layer(system, layer, before, terrain_set).planes,
            )
            for each, layer in zip((self.composite, self.shown), layers, strict=True)
        )
        translated = [translated_layer(system, layer, before, terrain_set) for layer in above]
        base = replace(
            self, composite=below, shown=over, above=translated[0] if translated else None
        )
        return base, replace(generated, terrain_set=terrain_set)

    def ground(self, rolled: Generated | None = None) -> str:
        """Return the digest of all that a roll onto it depends on, but for the generator; 32 hex
        digits.

        Where nothing lies below, the grid and the terrain set that a roll ``rolled`` brings count
        instead of its own. The record of the map's script is part of the generator.
        """
        from hashlib import sha256  # not needed before the first paint

        grid = self.grid
        terrain_set = self.terrain_set
        script = self.system.script_record
        of_script = (script, further_record(script, "")) if script else ()
        empty = not self.locked and all(map(is_blank, self.composite.planes.values()))
        if empty and rolled is not None:
            grid = rolled.grid or grid
            terrain_set = rolled.terrain_set or terrain_set
        facts = [
            (self.system.name, grid.layout.name, grid.width, grid.height, grid.wrap),
            [
                (n, self.records[n].text)
                for n in sorted(self.records)
                if not n.startswith(of_script)
            ],
            sorted(self.composite.properties.items()),
            None if empty and self.system.open_terrain_set else terrain_set,
        ]
        digest = sha256(repr(facts).encode())
        digest.update(b"" if grid.mask is None else np.packbits(grid.mask).tobytes())
        for spec in self.system.shown_planes:
            below = self.composite.planes[spec.name]
            locked = self.locked_mask(spec)
            uniform = is_blank(below) or bool((below == below.flat[0]).all())
            digest.update(b"%d" % below.flat[0] if uniform else below.tobytes())
            if locked.any():
                values = self.shown.planes[spec.name][locked]
                digest.update(np.packbits(locked).tobytes() + values.tobytes())
        return digest.hexdigest()[:32]

    def as_layer(self) -> Layer:
        """Return the composite below as one layer."""
        below = self.composite
        return Layer(
            0,
            "",
            planes=dict(below.planes),
            properties=dict(below.properties),
        )

    @classmethod
    def under(cls, battlemap: BattleMap, below: int, *replaced: int) -> Base:
        """Return the base of a roll at stack position ``below``.

        ``replaced`` are the stack positions of the rolled layers that a re-roll replaces. If these
        are parts of one roll, everything that a locked one sets is locked, covered or not.
        """
        beneath = battlemap.composite(below)
        visible = beneath
        locked = battlemap.locked_cells.copy()
        layers = [battlemap.layers[place] for place in replaced]
        if layers:
            below_them = battlemap.layers[:below]
            visible = compose(
                battlemap.system, battlemap.terrain_set, battlemap.grid, [*below_them, *layers]
            )
        held = np.zeros_like(locked)
        for layer in layers if len(layers) > 1 else ():
            for spec in battlemap.system.shown_planes:
                if layer.locked and spec.name in layer.planes and spec.place is Place.CELL:
                    held |= layer.planes[spec.name] != spec.unset
        covered = _covered(battlemap, max([below, *(place + 1 for place in replaced)]))
        for name, places in covered.items():
            if battlemap.system.plane(name).place is Place.CELL:
                places &= ~held
        return cls(
            battlemap.system,
            battlemap.grid,
            beneath,
            visible,
            locked | held,
            battlemap.locked_sides.copy(),
            covered,
            {name: record for name, record in battlemap.records.items() if record.touched},
            layer_above(battlemap, below, replaced),
            battlemap.assets,
        )


def _things_above(base: Base) -> dict[int, Thing]:
    if base.above is None:
        return {}
    return dict(base.above.things)


def _covered(battlemap: BattleMap, above: int) -> dict[str, NDArray[np.bool_]]:
    """By plane the places set by visible layers from a stack position on; see ``Base.covered``."""
    result: dict[str, NDArray[np.bool_]] = {}
    for layer in battlemap.layers[above:]:
        for spec in battlemap.system.shown_planes:
            values = layer.planes.get(spec.name)
            if layer.visible and values is not None and (values != spec.unset).any():
                covered = result.setdefault(spec.name, np.zeros(values.shape, np.bool_))
                covered |= values != spec.unset
    return result


Generating = Generator[int, None, Generated]

SYMMETRY = "symmetry"
"""The name of the setting that every roll has whose maps hold no starts (``settings_for``)."""

NO_SYMMETRY = "none"


class MapGenerator:
    """One generator of the catalogue. ``name`` is its name there and on the command line.

    ``name`` is "" for a script of the user's own. ``text`` is the script, "" for a generator
    without one; ``texts`` are the further files of a script, by name (``Roll.texts``). ``settings``
    are its own; the name ``SYMMETRY`` is taken (``settings_for``). Seeds below ``usual_seeds`` are
    those to choose from where nobody names one, for instance those of the game itself.
    ``roller_version`` is the version of the rules by which it rolls: it goes up when its maps
    change. ``rolls_outside``: its work is done by a process of its own, or shared by threads.
    """

    name: str
    metadata: Metadata
    system: System
    text: str = ""
    texts: Mapping[str, str] = NO_TEXTS
    settings: tuple[Setting, ...] = ()
    usual_seeds: int = SEED_LIMIT
    roller_version: int = 1
    rolls_outside: bool = False
    metadata_problems: tuple[Problem, ...] = ()
    """What is wrong with the metadata file, told by a roll."""

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Make a map. Raises ProblemError if none can be made.

        What is locked keeps its values: ``Base.locked_mask`` tells where, ``Base.shown`` which.
        ``run`` refuses a result that changes them; the user can then force it (``forced_roll``).
        """
        raise NotImplementedError

    @property
    def settings_read(self) -> bool:
        """True if the settings are there at once: some are read from files when first asked for."""
        return True

    @property
    def new_map_settings(self) -> tuple[Setting, ...]:
        """The settings as a new map is asked for: none is as on a map that is not there yet."""
        return self.settings

    def why_not(self) -> str:
        """Return why it makes no maps here, in words; "" if it does."""
        return ""

    def grid(self, _settings: Mapping[str, object]) -> Grid | None:
        """Return the grid of a new map, None if the settings do not determine one.

        Raises ProblemError for invalid settings.
        """
        return None

    def terrain_set(self) -> TerrainSet | None:
        """Return the terrain set of a new map, None for that of the system.

        Raises ProblemError for a script with errors.
        """
        return None

    def records_of_unrolled_map(self, _settings: Mapping[str, object]) -> Mapping[str, MapRecord]:
        """Return the records of a new map that a person has to go on with, instead of a roll.

        Empty where the settings leave nothing to a person: then the map is rolled.
        """
        return {}

    def preview(self) -> bytes | None:
        """Return a picture (PNG) of one of its maps, None if there is none."""
        return None

    def libraries(self) -> Mapping[str, str]:
        """Return the digests (SHA-256) of the game's files that its script uses, by name.

        It can be slow. The rolls note them.
        """
        return NO_TEXTS

    def impossible_locks(self, _settings: Mapping[str, object], _base: Base) -> tuple[Problem, ...]:
        """Return an error of code ``lock-impossible`` for each lock that no map can keep.

        Only of those that can be told without rolling.
        """
        return ()

    def forced_faults(
        self, _settings: Mapping[str, object], _base: Base, _planes: Mapping[str, Plane]
    ) -> tuple[Problem, ...]:
        """Warnings of values that no roll onto the base has; the planes hold the locked values."""
        return ()


def settings_for(generator: MapGenerator, grid: Grid | None = None) -> tuple[Setting, ...]:
    """Return the settings that a generator is rolled with: its own, then the symmetry of the map.

    The symmetries to choose from are those of ``grid``; None: all, and the roll refuses others.
    """
    return settings_with_symmetry(generator.system, tuple(generator.settings), grid)


def settings_with_symmetry(
    system: System, own_settings_of_script: tuple[Setting, ...], grid: Grid | None = None
) -> tuple[Setting, ...]:
    """Return what ``settings_for`` does for a generator of ``system`` with these settings."""
    if system.has_starts:
        return own_settings_of_script
    offered: tuple[tuple[str, str], ...] = ()
    if grid is not None:
        from randomizer.geometry.symmetry import kinds

        offered = tuple(kinds(grid)[1:])
        if not offered:
            return own_settings_of_script
    symmetry = Setting(
        SYMMETRY,
        str,
        "The map is made symmetric when it is rolled, its north copied: turn2 (by half a turn), "
        "turn3, turn4, turn6, mirror0 to mirror5 (a line), as its {cells} allow. Odds, filters and "
        "the gallery are of the maps before that. Not with locks.",
        choices=offered,
        title="Symmetry",
        unset="No symmetry",
        pattern="" if offered else f"{NO_SYMMETRY}|turn[2346]|mirror[0-5]",
        example="" if offered else "turn2",
    )
    return (*own_settings_of_script, symmetry)


def own_settings(system: System, settings: Mapping[str, object]) -> dict[str, object]:
    """Return ``settings`` of rolls of a system's maps as the generator itself takes them."""
    return {n: value for n, value in settings.items() if n != SYMMETRY or system.has_starts}


def is_symmetric(system: System, settings: Mapping[str, object]) -> bool:
    """Return whether the maps of a system that are rolled with ``settings`` are made symmetric."""
    return not system.has_starts and settings.get(SYMMETRY, NO_SYMMETRY) not in ("", NO_SYMMETRY)


def symmetry_note(system: System, settings: Mapping[str, object]) -> str:
    """Return what to say of odds, filters and pictures of many maps; "" without symmetry."""
    symmetric = is_symmetric(system, settings)
    if symmetric:
        return "These are maps before they are made symmetric."
    return ""


def empty_map(
    generator: MapGenerator, chosen: Mapping[str, object], grid: Grid | None = None
) -> BattleMap:
    """Return the new map that a generator is rolled onto; ``grid``: instead of the one that it
    chooses.

    Raises ProblemError for settings with errors, and for a script with errors.
    """
    system = generator.system
    if grid is None:
        settings = checked_settings(settings_for(generator), chosen)
        grid = generator.grid(own_settings(system, settings))
    terrain_set = generator.terrain_set()
    return BattleMap.new(system, grid, terrain_set=terrain_set)


def run(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    progress: Progress = lambda _percent: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generated | None:
    """Run a generator to its end; None if ``cancelled`` returned True.

    ``progress`` is called with 0 .. 100. Raises ProblemError as the generator does, for a map of
    another system than the generator's, and for a result with values that no map has.
    """
    work = roll_steps(generator, settings, key, base)
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


def roll_steps(
    generator: MapGenerator, settings: Mapping[str, object], key: DrawKey, base: Base
) -> Generating:
    """Run a generator step by step: yield its progress and return what it made, checked.

    Raises ProblemError as ``run``.
    """
    system = base.system
    if generator.system is not system:
        raise error(
            "other-system",
            f"{generator.metadata.name} makes {with_article(generator.system.title)}; "
            f"this map is {with_article(system.title)}",
        )
    chosen = checked_settings(settings_for(generator), settings)
    own = own_settings(system, chosen)
    check_symmetry(base, chosen)
    with answers_of(generator):
        result = yield from generator.generate(own, key.checked(), base)
        _check(base, result)
    _check_locks(base, result)
    result = _with_rolls(result, generator, own, key, base.ground(result))
    if is_symmetric(system, chosen):
        return _made_symmetric(base, result, str(chosen[SYMMETRY]))
    return result


def check_symmetry(base: Base, settings: Mapping[str, object]) -> None:
    """Raise ProblemError if what is locked would not stay in a map that is made symmetric."""
    if base.locked and is_symmetric(base.system, settings):
        raise error(
            "symmetry-locked",
            "a roll that is made symmetric cannot keep what is locked: "
            "unlock it, or set the symmetry to none",
        )


def _made_symmetric(base: Base, generated: Generated, kind: str) -> Generated:
    """Return the roll, each layer of it symmetric.

    Raises ProblemError for a grid without such a kind.
    """
    from randomizer.geometry.symmetrize import symmetric_layers
    from randomizer.geometry.symmetry import best_centre, kinds

    grid = generated.grid or base.grid
    offered = [name for name, _words in kinds(grid)]
    if kind not in offered:
        message = f"such a map cannot have the symmetry {kind} (there are: {', '.join(offered)})"
        raise error("no-symmetry", message)
    layers = symmetric_layers(base.system, grid, generated.layers, best_centre(grid, kind))
    for layer in layers:
        assert layer.roll is not None, "every layer has one"
        settings = {**layer.roll.settings, SYMMETRY: kind}
        layer.roll = replace(layer.roll, settings=settings)
    return replace(generated, layers=layers)


def _check_locks(base: Base, generated: Generated) -> None:
    """Raise ProblemError if a locked value that can be seen is another one in the result."""
    if not base.locked or (generated.grid is not None and not generated.grid.same_as(base.grid)):
        return  # what is locked has no place on another grid
    base, generated = base.in_terms_of(generated)
    composite = compose(
        base.system, base.terrain_set, base.grid, [base.as_layer(), *generated.layers]
    )
    lost = sum(
        int(
            (
                base.locked_mask(spec)
                & (composite.planes[spec.name] != base.shown.planes[spec.name])
            ).sum()
        )
        for spec in base.system.shown_planes
    )
    if lost:
        raise error(
            "locks-not-found", f"map {generated.number} changes {counted(lost, 'locked value')}"
        )


def _with_rolls(
    generated: Generated,
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    ground: str,
) -> Generated:
    """Return the result, every layer of it with a ``roll`` and a name."""
    roll = Roll(
        generator.name,
        clean_line(generator.metadata.script),
        generator.text,
        dict(settings),
        key.seed,
        generated.number,
        texts=generator.texts,
    )
    layers = tuple(
        replace(layer, roll=replace(layer.roll or roll, ground=ground))
        for layer in generated.layers
    )
    for layer in layers:
        layer.name = layer.name or roll_name(layer)
    return replace(generated, layers=layers)


def _check(base: Base, generated: Generated) -> None:
    """Check all that a generator made. Raises ProblemError."""
    if not generated.layers:
        raise error("no-layers", "the generator made no layer")
    terrain_set = generated.terrain_set or base.terrain_set
    grid = generated.grid or base.grid
    if generated.terrain_set is not None:
        check_own_terrain_set(base.system, terrain_set)
    if generated.grid is not None:
        check_grid(base.system, grid)
    if generated.records is not None:
        check_map_records(generated.records)
    for layer in generated.layers:
        check_layer(base.system, terrain_set, grid, layer)
        check_things(layer.things.values())
