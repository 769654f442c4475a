"""The class of generators: how every system makes maps.

It follows 0 A.D.: a generator is a script plus a metadata file whose ``settings`` name and describe
it. ``generate`` is a Python generator that yields its progress (1 .. 100; 0: busy, and nobody knows
how long) and returns the layers; closing it cancels.

Systems write subclasses of ``MapGenerator``; the desk and the command line roll with ``run`` onto a
``Base``. Begin with these three.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from randomizer.installed import answers_of
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.basics.plurals import counted, with_article
from randomizer.model.basics.texts import clean_line
from randomizer.model.gate.gate import (
    check_grid,
    check_layer,
    check_map_records,
    check_own_terrain_set,
    check_things,
)
from randomizer.model.gate.plane_values import MapFrame
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import NO_TEXTS, Roll, roll_name
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem, error
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting, checked_settings
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base

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

    def describe_unrolled_map(self, _records: Mapping[str, MapRecord]) -> str:
        """Return how far a person is with a map of such records: "17 of about 65 dice entered".

        "" for maps that wait for nothing.
        """
        return ""

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
    if base.paint_above is not None:
        generated = replace(generated, paint_above=base.paint_above)
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
    frame = MapFrame(base.system, terrain_set, grid)
    for layer in generated.layers:
        check_layer(frame, layer)
        check_things(layer.things.values())
