"""The setup of a roll: a generator with its settings, and how the desk rolls its maps.

    setup = RollSetup(text, make_generator, {"Lakes": 3}, script_name="Lakes.rnd")
    generator, settings = setup.generator_for(base)     # to roll a map onto a base

A *generator* makes maps. Which of them it makes is said by a *seed* and a *number*, from 0 on; the
two together are the *key*. Its maps are rolled onto a *base*: what lies below, and the *locks* on
cells whose values a roll must keep. A ``RollProvider`` (the script of a map, the form of a wargame
table) gives ``Rolling`` a setup, and ``RollRequest`` adds the key and where the map goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from randomizer.base_locks import with_paint_above
from randomizer.generator import MapGenerator
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import error
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import settings_for


@dataclass(frozen=True)
class RollBehaviour:
    """How the desk rolls the maps of a setup; the maps themselves do not depend on it."""

    only_replaces_layer: bool = False
    """True if a roll can only replace the rolled layer and not be a new layer above it.

    The generator would take the rolled layer for the ground on which it builds.
    """

    searches_for_locks: bool = False
    """True if the generator tries map after map for one that keeps the locks."""

    keeps_all_locks: bool = False
    """True if every map keeps the locks, so that none need be tried for them."""

    seed_count: int = SEED_LIMIT
    """Chance chooses among the seeds below this."""

    map_count: int | None = None
    """The number of maps that a seed has; None if there is no limit."""

    check_script: Callable[[], None] | None = None
    """Raises ProblemError if the script has errors with which no map is rolled.

    It is called on a job's thread, before a roll. None: the generator finds all errors.
    """

    is_followed: bool = False
    """True if the map follows the text while it is typed, without being asked for a roll."""


@dataclass(frozen=True)
class RollSetup:
    """A generator with its settings; with a key and a base it makes one map.

    Generators come from scripts or from the catalogue::

        the generator is                    text        script_name     generator_name
        a script, of the user or packaged   its text    "Lakes.rnd"     ""
        a random map of an installed game   ""          "islands.js"    "Islands"
        a form without a script             ""          ""              "Cordery"
    """

    text: str
    """The text of the script; "" for a generator of the catalogue."""

    make_generator: Callable[[], MapGenerator]
    """Returns the generator; it is called on a job's thread, and raises ProblemError."""

    settings: Mapping[str, object]
    """The values of the generator's settings, by name; they are not checked yet."""

    script_name: str = ""
    """The file name of the script; its suffix says in which language the script is."""

    generator_name: str = ""
    """The name of a generator in the catalogue; "" for a script with a text."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The further files of the script, by name."""

    behaviour: RollBehaviour = RollBehaviour()
    """How the desk rolls these maps."""

    def has_script_of(self, roll: Roll) -> bool:
        """Return whether ``roll`` is of the script of this name, whatever its text and settings.

        If neither has a text, the names of their generators are compared.
        """
        if self.text or roll.script:
            return roll.script_name == self.script_name
        return roll.generator == self.generator_name

    def makes_same_maps_as(self, other: RollSetup) -> bool:
        """Return whether both make the same maps from the same keys, on the same base."""
        return self._values_for_maps() == other._values_for_maps()

    def _values_for_maps(self) -> tuple[object, ...]:
        """Return the values on which the maps depend. Of a script's name only the suffix counts."""
        suffix = PurePath(self.script_name).suffix
        return suffix, self.generator_name, self.text, self.texts, self.settings

    def base_with_binding_locks(self, base: Base) -> Base:
        """Return a base with those locks that this generator must keep.

        A person has painted a lake and locked it. A generator that builds around locked cells gets
        the lock. For one that tries map after map, until a lake lies there by chance, the search
        could go on for ever: it may roll anything there, and the painted lake is laid above the
        roll (``with_paint_above``). It must keep the locks of rolled cells only.
        """
        if self.behaviour.searches_for_locks:
            return with_paint_above(base)
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
