"""The setup of a roll: a generator with its settings, and how the desk rolls it.

    setup = RollSetup(text, make_generator, {"Lakes": 3}, script_name="Lakes.rnd")
    generator, settings = setup.generator_for(base)     # to roll a map onto a base

A ``RollProvider`` (the script of a map, the form of a wargame table) gives ``Rolling`` a setup, and
``RollRequest`` adds seed and number, and where the map goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from randomizer.generator import MapGenerator
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import error
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import settings_for


@dataclass(frozen=True)
class RollSetup:
    """A generator with its settings; with a key and a base it makes one map."""

    # What a map depends on, beside its key and its base.

    text: str
    """The text of the script; "" for a generator without a script."""

    make_generator: Callable[[], MapGenerator]
    """Returns the generator; it is called on a job's thread, and raises ProblemError."""

    settings: Mapping[str, object]
    """The values of the generator's settings, by name; they are not checked yet."""

    script_name: str = ""
    """The file name of the script; its suffix says in which language the script is."""

    generator_name: str = ""
    """The name of a generator without a script in the catalogue; "" for one with a script."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The further files of the script, by name."""

    # How the desk rolls such maps.

    only_replaces_layer: bool = False
    """True if a roll can only replace the rolled layer and not be a new layer above it.

    The generator would take the rolled layer for the ground on which it builds.
    """

    searches_for_locks: bool = False
    """True if the generator tries map after map for one that keeps the locks."""

    seed_count: int = SEED_LIMIT
    """Chance chooses among the seeds below this."""

    map_count: int | None = None
    """How many numbers of a seed can be rolled; each of these maps keeps the locks.

    None if there is no limit: then a map can break them.
    """

    check_script: Callable[[], None] | None = None
    """Raises ProblemError if the script has errors with which no map is rolled.

    It is called on a job's thread, before a roll. None: the generator finds all errors.
    """

    is_followed: bool = False
    """True if the map follows the text while it is typed, without being asked for a roll."""

    def has_script_of(self, roll: Roll) -> bool:
        """Return whether ``roll`` is of the script of this name, whatever its text and settings.

        If neither has a script, the names of their generators are compared.
        """
        if self.text or roll.script:
            return roll.script_name == self.script_name
        return roll.generator == self.generator_name

    def has_rolls_of(self, other: RollSetup) -> bool:
        """Return whether both make the same maps, on the same base."""
        return self._values_for_maps() == other._values_for_maps()

    def _values_for_maps(self) -> tuple[object, ...]:
        """Return the values on which the maps depend. Of a script's name only the suffix counts."""
        suffix = PurePath(self.script_name).suffix
        return suffix, self.generator_name, self.text, self.texts, self.settings

    def locked_base(self, base: Base) -> Base:
        """Return the base whose locks this generator must keep.

        A generator that builds around what is locked gets all locks, those of painted cells, too.

        One that searches map after map is bound by locked cells that were rolled only. Its base
        does not show what was painted: that lies above the roll, and hides it there whatever comes
        (``Base.with_paint_above``).
        """
        if self.searches_for_locks:
            return base.with_paint_above()
        return base

    def generator_for(self, base: Base) -> tuple[MapGenerator, dict[str, object]]:
        """Return the generator and its checked settings, to roll onto ``base``.

        Raises ProblemError if there is no generator, if it makes maps of another system than that
        of ``base``, or if a setting is wrong.
        """
        generator = self.make_generator()
        if generator.system is not base.system:
            raise error(
                "other-system",
                f"{generator.metadata.name} makes {with_article(generator.system.title)}; "
                f"this map is {with_article(base.system.title)}",
            )
        definitions = settings_for(generator)
        return generator, checked_settings(definitions, self.settings)
