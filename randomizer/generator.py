"""The class of generators: how every system makes maps.

It follows 0 A.D.: a generator is a script plus a metadata file whose ``settings`` name and describe
it. ``generate`` is a Python generator that yields its progress (1 .. 100; 0: busy, and nobody knows
how long) and returns the layers; closing it cancels.

Systems write subclasses of ``MapGenerator``; the desk and the command line roll with ``run`` onto a
``Base``. Begin with these three.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
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
from randomizer.model.rolls.rolled_layers import layer_above, touched_layer
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.model.things.things import Thing

Progress = Callable[[int], None]

SEARCH_LIMIT = 2_000_000
"""The largest number of maps that are tried for one that keeps the locks.

A larger limit finds maps for stricter locks, and makes a search that fails take longer. The
progress of a search is its share of this number.
"""

_FIRST_PERCENT = 1
"""The progress of a search at its beginning: 0 would say that nobody knows how long it takes."""

_PERCENTS_OF_SEARCH = 98
"""A search goes from 1 to 99 percent: 100 is the finished roll."""

NO_MORE_MAPS = "no-more-maps"
"""The code of the error of a map whose seed has none of this number, nor of a higher one."""

_DIGEST_DIGITS = 32
"""The hex digits of a digest that are kept, 128 bits: two bases do not share them by chance."""


def percent_of_search(maps_tried: int) -> int:
    """Return the progress (1 .. 99) of a search for a map that keeps the locks."""
    return _FIRST_PERCENT + maps_tried * _PERCENTS_OF_SEARCH // SEARCH_LIMIT


def tried_by(percent: int) -> int:
    """Return the approximate number of maps tried at a progress of ``percent``."""
    return max(0, percent - _FIRST_PERCENT) * SEARCH_LIMIT // _PERCENTS_OF_SEARCH


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


# Defaults of ``Base``. A dataclass takes a read-only mapping as a default only from a factory.
NOTHING_COVERED: Mapping[str, NDArray[np.bool_]] = MappingProxyType({})
NO_RECORDS: Mapping[str, MapRecord] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Base:
    """The base of a roll: the visible layers below it, and the locked values that it must keep.

    A request for a roll makes one from the map (``under``), and it does not change with the map
    from then on: its arrays are copies, so that the roll can run on another thread.

        base = Base.under(battlemap, len(battlemap.layers))    # onto all layers
        generated = run(generator, settings, DrawKey(seed, 0), base)
    """

    system: System
    grid: Grid
    composite: Composite
    """What the visible layers below the roll show."""
    shown: Composite
    """The same with the layers that a re-roll replaces: locked elements keep the values of these.
    """
    locked_cells: NDArray[np.bool_]
    """True for the locked cells, shape (height, width)."""
    locked_sides: NDArray[np.bool_]
    """True for the locked sides of cells, shape (height, width, degree)."""
    covered: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NOTHING_COVERED)
    """A mask of each plane, in its shape: True where a visible layer above the roll covers it.

    Whatever is rolled there, locked or not, is not seen. Planes that nothing covers are absent.
    """
    painted: Mapping[str, NDArray[np.bool_]] = field(default_factory=lambda: NOTHING_COVERED)
    """A mask of each plane: True where a hand has painted into the layers that a re-roll replaces.

    That paint will lie above the roll (docs/adr/0005-targets.md). Until then it is no more than
    ``shown``: a lock on it binds the roll, so that a map is searched that has it of its own, unless
    the generator can never make it (``free_impossible_paint``).
    """
    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records of the map that a hand set or changed, by name: a roll keeps them."""
    above: Layer | None = None
    """The layers that will lie above the roll, as one (``layer_above``); None if there are none.

    The roll does not depend on it; measures of the finished map do.
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
        """Return a mask of a plane, in its shape: True where the value of ``shown`` must be kept.

        These elements are locked, and no layer above the roll covers them.
        """
        locks = self.locks(spec.place)
        covered = self.covered.get(spec.name)
        if covered is None:
            return locks
        return locks & ~covered

    def same_as(self, other: Base) -> bool:
        """Return whether the same maps are rolled onto both bases, and measured among the same
        things of the layers above.
        """
        if (self.system, self.grid, self.records) != (other.system, other.grid, other.records):
            return False
        if _things_above(self) != _things_above(other):
            return False
        if self.system.open_terrain_set and self.bare and other.bare:
            # Each map brings a terrain set of its own, so the codes of these two say nothing.
            return True
        if not self.composite.same_as(other.composite):
            return False
        return all(self._locks_same_values(other, spec) for spec in self.system.shown_planes)

    def _locks_same_values(self, other: Base, spec: PlaneSpec) -> bool:
        """Return whether both bases lock the same elements of a plane, with the same values."""
        mask = self.locked_mask(spec)
        if not np.array_equal(mask, other.locked_mask(spec)):
            return False
        values = self.shown.planes[spec.name]
        other_values = other.shown.planes[spec.name]
        return np.array_equal(values[mask], other_values[mask])

    def seen_as(self, other: Base) -> bool:
        """Return whether the same values and properties will lie above a roll onto either."""
        if self.above is None or other.above is None:
            return self.above is other.above
        if self.above.properties != other.above.properties:
            return False
        planes = self.above.planes
        other_planes = other.above.planes
        if planes.keys() != other_planes.keys():
            return False
        return all(np.array_equal(plane, other_planes[name]) for name, plane in planes.items())

    def alone(self) -> Base:
        """Return the same base for the rolls alone, without what lies above them."""
        return replace(self, above=None)

    @property
    def bare(self) -> bool:
        """True if no layer lies below or above the roll and no value is locked."""
        return self._is_blank_below and self.above is None and not self.locked

    @property
    def _is_blank_below(self) -> bool:
        return all(map(is_blank, self.composite.planes.values()))

    def locks(self, place: Place) -> NDArray[np.bool_]:
        """Return the locks of elements of one kind, True where locked.

        The shape is (height, width) for cells, (height, width, degree) for sides and
        (height + 1, width + 1) for corners.
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
        """Return this base and a roll onto it with the values of both as codes of one terrain set.

        It is the terrain set of the roll. Terrains that the base shows and the roll lacks are
        added at its end, as missing; one that is only renamed in it (``called_as_in``) is not.
        """
        if generated.terrain_set is None or generated.terrain_set == self.terrain_set:
            return self, generated
        system = self.system
        base_terrain_set = called_as_in(self.terrain_set, generated.terrain_set)
        layer_below = Layer(0, "", planes=dict(self.composite.planes))
        shown_layer = Layer(0, "", planes=dict(self.shown.planes))
        layers = [layer_below, shown_layer]
        if self.above is not None:
            layers.append(self.above)
        terrain_set = with_missing(system, layers, base_terrain_set, generated.terrain_set)

        layer_below, shown_layer, *layers_above = (
            translated_layer(system, layer, base_terrain_set, terrain_set) for layer in layers
        )
        base = replace(
            self,
            composite=replace(self.composite, terrain_set=terrain_set, planes=layer_below.planes),
            shown=replace(self.shown, terrain_set=terrain_set, planes=shown_layer.planes),
        )
        if layers_above:
            base = replace(base, above=layers_above[0])
        return base, replace(generated, terrain_set=terrain_set)

    def ground(self, rolled: Generated | None = None) -> str:
        """Return the digest of all that a roll onto the base depends on, but for the generator.

        It has 32 hex digits. Rolls keep it (``Roll.ground``), to tell later whether the map below
        them has changed. On an empty base the grid and the terrain set that the roll ``rolled``
        brings count instead of those of the base. A record of the map's script is part of the
        generator, so it does not count.
        """
        from hashlib import sha256  # not needed before the first paint

        grid = self.grid
        terrain_set: TerrainSet | None = self.terrain_set
        is_empty = self._is_blank_below and not self.locked
        if is_empty and rolled is not None:
            grid = rolled.grid or grid
            terrain_set = rolled.terrain_set or terrain_set
        if is_empty and self.system.open_terrain_set:
            # No value refers to a terrain, and each map brings its own ones.
            terrain_set = None
        facts = [
            (self.system.name, grid.layout.name, grid.width, grid.height, grid.wrap),
            self._texts_of_records(),
            sorted(self.composite.properties.items()),
            terrain_set,
        ]
        digest = sha256(repr(facts).encode())
        if grid.mask is not None:
            digest.update(np.packbits(grid.mask).tobytes())
        for spec in self.system.shown_planes:
            below = self.composite.planes[spec.name]
            # One number stands for a uniform plane, so that most planes cost no pass over bytes.
            if is_blank(below) or bool((below == below.flat[0]).all()):
                digest.update(b"%d" % below.flat[0])
            else:
                digest.update(below.tobytes())
            mask = self.locked_mask(spec)
            if mask.any():
                values = self.shown.planes[spec.name][mask]
                digest.update(np.packbits(mask).tobytes() + values.tobytes())
        return digest.hexdigest()[:_DIGEST_DIGITS]

    def _texts_of_records(self) -> list[tuple[str, str]]:
        """Return name and text of each record that is not of the map's script, by name."""
        script = self.system.script_record
        script_records: tuple[str, ...] = ()
        if script:
            script_records = (script, further_record(script, ""))
        return [
            (name, record.text)
            for name, record in sorted(self.records.items())
            if not name.startswith(script_records)
        ]

    def as_layer(self) -> Layer:
        """Return the composite below as one layer; the arrays of its planes are no copies."""
        composite = self.composite
        return Layer(
            0,
            "",
            planes=dict(composite.planes),
            properties=dict(composite.properties),
        )

    @classmethod
    def under(cls, battlemap: BattleMap, below: int, *replaced: int) -> Base:
        """Return the base of a roll at stack position ``below``.

        ``replaced`` are the stack positions of the rolled layers that a re-roll replaces. If these
        are parts of one roll, everything that a locked one sets is locked, covered or not.
        """
        composite_below = battlemap.composite(below)
        replaced_layers = [battlemap.layers[position] for position in replaced]
        composite_shown = composite_below
        if replaced_layers:
            layers = [*battlemap.layers[:below], *replaced_layers]
            composite_shown = compose(
                battlemap.system, battlemap.terrain_set, battlemap.grid, layers
            )

        cells_of_locked_parts = _cells_of_locked_parts(battlemap, replaced_layers)
        first_above = max([below, *(position + 1 for position in replaced)])
        covered = _covered(battlemap, first_above)
        for name, mask in covered.items():
            if battlemap.system.plane(name).place is Place.CELL:
                mask &= ~cells_of_locked_parts
        return cls(
            system=battlemap.system,
            grid=battlemap.grid,
            composite=composite_below,
            shown=composite_shown,
            locked_cells=battlemap.locked_cells | cells_of_locked_parts,
            locked_sides=battlemap.locked_sides.copy(),
            covered=covered,
            painted=_painted(battlemap, replaced),
            records={name: record for name, record in battlemap.records.items() if record.touched},
            above=layer_above(battlemap, below, replaced),
            assets=battlemap.assets,
        )


def _things_above(base: Base) -> dict[int, Thing]:
    """Return the things of the layers above a roll, by id."""
    if base.above is None:
        return {}
    return dict(base.above.things)


def _cells_of_locked_parts(
    battlemap: BattleMap, replaced_layers: Sequence[Layer]
) -> NDArray[np.bool_]:
    """Return a mask (height, width) of the cells that locked layers of a roll in parts set.

    A roll of one layer has no parts, so its lock counts for nothing here.
    """
    mask = np.zeros_like(battlemap.locked_cells)
    if len(replaced_layers) < 2:
        return mask
    for layer in replaced_layers:
        if not layer.locked:
            continue
        for spec in battlemap.system.shown_planes:
            if spec.place is Place.CELL and spec.name in layer.planes:
                mask |= layer.planes[spec.name] != spec.unset
    return mask


def _painted(battlemap: BattleMap, replaced: Sequence[int]) -> dict[str, NDArray[np.bool_]]:
    """Return ``Base.painted`` for the rolled layers at these stack positions.

    Hidden layers do not count: their paint stays hidden, above the roll, too.
    """
    if not battlemap.locked_cells.any() and not battlemap.locked_sides.any():
        return {}  # only locks on paint are asked for
    touched = touched_layer(battlemap, replaced, visible=True)
    system = battlemap.system
    return {name: values != system.plane(name).unset for name, values in touched.planes.items()}


def free_impossible_paint(
    generator: MapGenerator, settings: Mapping[str, object], base: Base
) -> Base:
    """Return a base without the locks on paint that no map of a generator can keep.

    A hex that was painted and locked would else refuse every roll, though the same hex stays as it
    is without a lock: its paint moves above the roll. Locks that can be kept, and those on what was
    not painted, stay.
    """
    if not base.painted or not base.locked:
        return base
    for problem in generator.impossible_locks(settings, base):
        base = _without_lock_on_paint(base, problem)
    return base


def _without_lock_on_paint(base: Base, problem: Problem) -> Base:
    """Return a base in which the paint on a problem's cell, or on its side, covers the roll."""
    if problem.cell is None:
        return base
    place = Place.CELL
    index = problem.cell
    if problem.side is not None:
        place = Place.SIDE
        index = problem.cell * base.grid.degree + problem.side
    covered = dict(base.covered)
    for name, painted in base.painted.items():
        if base.system.plane(name).place is place and painted.flat[index]:
            mask = covered.get(name, np.zeros(painted.shape, np.bool_)).copy()
            mask.flat[index] = True
            covered[name] = mask
    return replace(base, covered=covered)


def _covered(battlemap: BattleMap, first_above: int) -> dict[str, NDArray[np.bool_]]:
    """Return ``Base.covered``: masks of what visible layers from a stack position on set."""
    masks: dict[str, NDArray[np.bool_]] = {}
    for layer in battlemap.layers[first_above:]:
        if not layer.visible:
            continue
        for spec in battlemap.system.shown_planes:
            values = layer.planes.get(spec.name)
            if values is None:
                continue
            is_set = values != spec.unset
            if is_set.any():
                mask = masks.setdefault(spec.name, np.zeros(values.shape, np.bool_))
                mask |= is_set
    return masks


Generating = Generator[int, None, Generated]
"""A roll under way: it yields its progress in percent and returns what was made."""

SYMMETRY = "symmetry"
"""The name of the setting that ``settings_for`` adds in systems whose maps have no starts."""

NO_SYMMETRY = "none"
"""The value of that setting for maps that are not made symmetric; "" is the same."""


class MapGenerator:
    """The base class of generators, of which the catalogue lists one object each.

    A generator keeps no state between rolls, so several can roll by it at once. A subclass gives
    ``name``, ``metadata`` and ``system`` and overrides ``generate``:

        def generate(self, settings, key, base):
            yield 1                     # percent
            layer = Layer(0, "Rolled", planes=self._planes(settings, key, base))
            return Generated((layer,), key.number)
    """

    name: str
    """Its name in the catalogue and on the command line; "" for a script of the user's own."""
    metadata: Metadata
    system: System
    text: str = ""
    """The script, "" for a generator without one."""
    texts: Mapping[str, str] = NO_TEXTS
    """The further files of the script, by name (``Roll.texts``)."""
    settings: tuple[Setting, ...] = ()
    """Its own settings; none has the name ``SYMMETRY``, which ``settings_for`` adds."""
    usual_seeds: int = SEED_LIMIT
    """Where nobody names a seed, one below this number is chosen, as the game itself does."""
    roller_version: int = 1
    """The version of the rules by which it rolls; it goes up when its maps change."""
    rolls_outside: bool = False
    """True if its work is done by a process of its own, or shared by threads."""
    metadata_problems: tuple[Problem, ...] = ()
    """What is wrong with the metadata file, told by a roll."""

    def generate(self, settings: Mapping[str, object], key: DrawKey, base: Base) -> Generating:
        """Make a map. Raises ProblemError if none can be made.

        Locked elements (``Base.locked_mask``) keep their values (``Base.shown``). ``run`` refuses
        a result that changes them; the user can then force it (``forced_roll``).
        """
        raise NotImplementedError

    @property
    def settings_read(self) -> bool:
        """False if asking for ``settings`` would read files first, as scripts of 0 A.D. do."""
        return True

    @property
    def new_map_settings(self) -> tuple[Setting, ...]:
        """The settings in the form for a new map, which cannot offer "as on the present map"."""
        return self.settings

    def why_not(self) -> str:
        """Return why it makes no maps on this computer, as a sentence; "" if it does."""
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

        A lock whose impossibility shows only in a roll has none.
        """
        return ()

    def forced_faults(
        self, _settings: Mapping[str, object], _base: Base, _planes: Mapping[str, Plane]
    ) -> tuple[Problem, ...]:
        """Return warnings of combinations of values that no roll onto the base has.

        ``_planes`` are those of the map with the locked values put back, by name.
        """
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

        offered = tuple(kinds(grid)[1:])  # the first kind is no symmetry: to leave it unset
        if not offered:
            return own_settings_of_script
    # Without choices the value is free text, which a pattern checks.
    pattern = ""
    example = ""
    if not offered:
        pattern = f"{NO_SYMMETRY}|turn[2346]|mirror[0-5]"
        example = "turn2"
    symmetry = Setting(
        SYMMETRY,
        str,
        "The map is made symmetric when it is rolled, its north copied: turn2 (by half a turn), "
        "turn3, turn4, turn6, mirror0 to mirror5 (a line), as its {cells} allow. Odds, filters and "
        "the gallery are of the maps before that. Not with locks.",
        choices=offered,
        title="Symmetry",
        unset="No symmetry",
        pattern=pattern,
        example=example,
    )
    return (*own_settings_of_script, symmetry)


def own_settings(system: System, settings: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a roll without the symmetry that ``settings_for`` has added.

    In systems with starts nothing is taken out: there a setting of that name is the generator's.
    """
    if system.has_starts:
        return dict(settings)
    return {name: value for name, value in settings.items() if name != SYMMETRY}


def is_symmetric(system: System, settings: Mapping[str, object]) -> bool:
    """Return whether the maps of a system that are rolled with ``settings`` are made symmetric."""
    if system.has_starts:
        return False
    return settings.get(SYMMETRY, NO_SYMMETRY) not in ("", NO_SYMMETRY)


def symmetry_note(system: System, settings: Mapping[str, object]) -> str:
    """Return the sentence beside odds, filters and pictures of many maps; "" without symmetry."""
    if is_symmetric(system, settings):
        return "These are maps before they are made symmetric."
    return ""


def empty_map(
    generator: MapGenerator, chosen: Mapping[str, object], grid: Grid | None = None
) -> BattleMap:
    """Return the new map that a generator is rolled onto.

    ``grid`` replaces the grid that the generator would choose by its settings. Raises ProblemError
    for settings with errors, and for a script with errors.
    """
    system = generator.system
    if grid is None:
        settings = checked_settings(settings_for(generator), chosen)
        grid = generator.grid(own_settings(system, settings))
    terrain_set = generator.terrain_set()
    return BattleMap.new(system, grid, terrain_set=terrain_set)


def _ignore_progress(_percent: int) -> None:
    """Do nothing: the default for callers of ``run`` that show no progress."""


def _never_cancelled() -> bool:
    """Return False: the default for callers of ``run`` that cannot cancel."""
    return False


def run(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    progress: Progress = _ignore_progress,
    cancelled: Callable[[], bool] = _never_cancelled,
) -> Generated | None:
    """Run a generator to its end; None if ``cancelled`` returned True.

    ``progress`` is called with 0 .. 100. Raises ProblemError as ``roll_steps``.
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

    Raises ProblemError as the generator does, for a map of another system than the generator's,
    for settings that it does not have, for a result that no map can hold or that changes locked
    values, and for a symmetry that the map cannot have.
    """
    system = base.system
    if generator.system is not system:
        raise error(
            "other-system",
            f"{generator.metadata.name} makes {with_article(generator.system.title)}; "
            f"this map is {with_article(system.title)}",
        )
    chosen = checked_settings(settings_for(generator), settings)
    generator_settings = own_settings(system, chosen)
    check_symmetry(base, chosen)

    with answers_of(generator):
        generated = yield from generator.generate(generator_settings, key.checked(), base)
        _check_result(base, generated)  # here: the generator is to blame for what it refuses
    _check_locks(base, generated)

    ground = base.ground(generated)
    generated = _with_rolls(generated, generator, generator_settings, key, ground)
    if is_symmetric(system, chosen):
        # After ``_with_rolls``: the roll of each layer notes the symmetry beside its settings.
        return _made_symmetric(base, generated, str(chosen[SYMMETRY]))
    return generated


def check_symmetry(base: Base, settings: Mapping[str, object]) -> None:
    """Raise ProblemError if what is locked would not stay in a map that is made symmetric."""
    if base.locked and is_symmetric(base.system, settings):
        raise error(
            "symmetry-locked",
            "a roll that is made symmetric cannot keep what is locked: "
            "unlock it, or set the symmetry to none",
        )


def _made_symmetric(base: Base, generated: Generated, kind: str) -> Generated:
    """Return the roll with copies of its layers made symmetric, whose rolls say of which kind.

    Raises ProblemError for a grid that cannot have this kind of symmetry.
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
        assert layer.roll is not None, "_with_rolls gave one to every layer"
        settings = {**layer.roll.settings, SYMMETRY: kind}
        layer.roll = replace(layer.roll, settings=settings)
    return replace(generated, layers=layers)


def _check_locks(base: Base, generated: Generated) -> None:
    """Raise ProblemError if the result changes a locked value that can be seen."""
    if not base.locked:
        return
    if generated.grid is not None and not generated.grid.same_as(base.grid):
        return  # a locked cell has no counterpart on another grid
    base, generated = base.in_terms_of(generated)
    layers = [base.as_layer(), *generated.layers]
    composite = compose(base.system, base.terrain_set, base.grid, layers)
    changed_values = 0
    for spec in base.system.shown_planes:
        is_changed = composite.planes[spec.name] != base.shown.planes[spec.name]
        changed_values += int(np.count_nonzero(is_changed & base.locked_mask(spec)))
    if changed_values:
        words = counted(changed_values, "locked value")
        raise error("locks-not-found", f"map {generated.number} changes {words}")


def _with_rolls(
    generated: Generated,
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    ground: str,
) -> Generated:
    """Return the result with copies of its layers, each with a ``roll`` and a name.

    A roll or a name that the generator gave a layer stays; every roll gets ``ground``.
    """
    roll = Roll(
        generator=generator.name,
        script_name=clean_line(generator.metadata.script),
        script=generator.text,
        settings=dict(settings),
        seed=key.seed,
        number=generated.number,
        texts=generator.texts,
    )
    layers = tuple(
        replace(layer, roll=replace(layer.roll or roll, ground=ground))
        for layer in generated.layers
    )
    for layer in layers:
        layer.name = layer.name or roll_name(layer)
    return replace(generated, layers=layers)


def _check_result(base: Base, generated: Generated) -> None:
    """Raise ProblemError for a result without layers, or with values that no map can hold."""
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
