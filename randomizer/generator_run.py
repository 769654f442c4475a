"""A run of a generator: the new map it begins with, the roll, and the checks of what it made.

    battlemap = empty_map(generator, settings)
    base = Base.under(battlemap, len(battlemap.layers))
    generated = run(generator, settings, DrawKey(seed=7, number=0), base)

``run`` goes to the end at once; ``roll_steps`` stops after each percent, for callers that do other
work in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from randomizer.base_terrains import in_one_terrain_set
from randomizer.generator import Generating, MapGenerator
from randomizer.ground_digest import ground_digest
from randomizer.installed import answers_of
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
from randomizer.model.map.layer import Roll, roll_name
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import (
    SYMMETRY,
    check_symmetry,
    is_symmetric,
    made_symmetric,
    settings_for,
    without_symmetry,
)

Progress = Callable[[int], None]
"""Called with the percent (0 .. 100) that a roll has reached."""


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
        grid = generator.grid(without_symmetry(system, settings))
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
            try:
                percent = next(work)
            except StopIteration as end:
                result: Generated = end.value
                return result
            if cancelled():
                return None
            progress(percent)
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
    generator_settings = without_symmetry(system, chosen)
    check_symmetry(base, chosen)

    with answers_of(generator):
        generated = yield from generator.generate(generator_settings, key.checked(), base)
        _check_result(base, generated)  # here: the generator is to blame for what it refuses
    _check_locks(base, generated)

    # The digest of all on which the roll depends beside its generator: by it the program can tell
    # later whether the layer, rolled again, would be another one.
    ground = ground_digest(base, generated)
    generated = _with_rolls(generated, generator, generator_settings, key, ground)
    if base.paint_above is not None:  # values that the user painted, and that have to be seen
        generated = replace(generated, paint_above=base.paint_above)
    if is_symmetric(system, chosen):
        # Locked values stay as they were checked: ``check_symmetry`` refuses locks that are not
        # symmetric themselves. After ``_with_rolls``: the roll of each layer notes the symmetry
        # beside its settings.
        return made_symmetric(base, generated, str(chosen[SYMMETRY]))
    return generated


def _check_locks(base: Base, generated: Generated) -> None:
    """Raise ProblemError if the result changes a locked value that can be seen."""
    if not base.locked:
        return
    if generated.grid is not None and not generated.grid.same_as(base.grid):
        return  # a locked cell has no counterpart on another grid
    # Both with codes of the terrain set that the map will have.
    base, generated = in_one_terrain_set(base, generated)
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
    layers = []
    for layer in generated.layers:
        layer = replace(layer, roll=replace(layer.roll or roll, ground=ground))
        layer.name = layer.name or roll_name(layer)  # the name follows from the roll
        layers.append(layer)
    return replace(generated, layers=tuple(layers))


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
