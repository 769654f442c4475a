"""The setup of a roll: a generator with its settings; its providers; and the maps that it makes.

A ``RollProvider`` (the script of a map, the form of a wargame table) gives ``Rolling`` a
``RollSetup``. Panels that work out something of many maps compare ``RolledMaps``, to see whether
their results are still those of the current setup and map.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Protocol

from PySide6.QtCore import SignalInstance

from randomizer.generator import MapGenerator
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import error
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.settings.setting import checked_settings
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import settings_for


@dataclass(frozen=True)
class RollSetup:
    """A generator with its settings; with a key and a base it makes one map."""

    text: str
    """The text of the script; "" for a generator without a script."""

    generator: Callable[[], MapGenerator]
    """Makes the generator; it is called on a job's thread, and raises ProblemError."""

    settings: Mapping[str, object]
    """The values of the generator's settings, by name; they are not checked yet."""

    script_name: str = ""
    """The file name of the script; "" for a generator without a script."""

    only_replaces_layer: bool = False
    """True if a roll can only replace the rolled layer and not be a new layer above it.

    The generator would take the rolled layer for the ground on which it builds.
    """

    searches_for_locks: bool = False
    """True if the generator tries map after map for one that keeps the locks."""

    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    """The further files of the script, by name."""

    seed_count: int = SEED_LIMIT
    """Chance chooses among the seeds below this."""

    map_count: int | None = None
    """The number of maps that a seed has, all of which keep the locks; None: maps without end."""

    check_script: Callable[[], None] | None = None
    """Raises ProblemError if the script has errors with which no map is rolled.

    It is called on a job's thread, before a roll. None: the generator finds all errors.
    """

    is_followed: bool = False
    """True if the map follows the text while it is typed, without being asked for a roll."""

    def has_script_of(self, roll: Roll) -> bool:
        """Return whether ``roll`` is of the script of this name, whatever its text and settings.

        A generator without a script is its own. Raises ProblemError if there is no generator.
        """
        has_script = bool(self.text or roll.script)
        if has_script:
            return roll.script_name == self.script_name
        return roll.generator == self.generator().name

    def locked_base(self, base: Base) -> Base:
        """Return the base whose locks this generator must keep.

        A generator that searches map after map is bound by what was rolled and locked; what was
        painted and locked lies above its roll (``Base.with_paint_above``). All others build around
        what is locked, and so must know all locks.
        """
        if self.searches_for_locks:
            return base.with_paint_above()
        return base

    def generator_for(self, base: Base) -> tuple[MapGenerator, dict[str, object]]:
        """Return the generator and its checked settings, to roll onto ``base``.

        Raises ProblemError if there is no generator, if it makes maps of another system than that
        of ``base``, or if a setting is wrong.
        """
        generator = self.generator()
        if generator.system is not base.system:
            raise error(
                "other-system",
                f"{generator.metadata.name} makes {with_article(generator.system.title)}; "
                f"this map is {with_article(base.system.title)}",
            )
        return generator, checked_settings(settings_for(generator), self.settings)


AskForInput = Callable[[], object]
"""Asks the user for what a roll needs, such as dice, or goes on with questions that were begun.

The roll follows once all is entered.
"""


class RollProvider(Protocol):
    """Gives ``Rolling`` a setup for some kinds of map: the script shown or a system's own form."""

    @property
    def setup_changed(self) -> SignalInstance:
        """Emitted, without arguments, when ``setup`` or ``why_not`` may return something else."""

    def serves_map(self) -> bool:
        """Return whether this provider rolls maps like the current one."""

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return the setup of a roll onto the current map; called only if ``serves_map()``.

        With a ``key`` it includes the choices for that map alone, such as dice that are fixed; with
        None it has only those that all maps share.
        """

    def setup_of_step(self, key: DrawKey) -> RollSetup:
        """Return the setup of a step to the map of a key, which was perhaps shown before.

        It then includes what was chosen for that map alone, so that the map comes back as it was.
        """

    def asker(self) -> AskForInput | None:
        """Return a function that asks the user for what a roll needs; None if it needs nothing."""

    def why_not(self) -> str:
        """Return why the program cannot roll the setup onto the current map, as text.

        "" if it can. A roll for which the user can be asked (``asker``) can be begun all the same.
        """

    def loading(self) -> bool:
        """Return whether another script is being loaded into the current map: a roll waits for it.

        ``setup_changed`` is emitted when it is loaded.
        """


@dataclass(frozen=True, eq=False)
class RolledMaps:
    """All maps that a setup makes on a base.

    Two are equal if their maps look the same. Odds, counts, fairness and the gallery are worked out
    anew when the current one is not equal to theirs.
    """

    setup: RollSetup
    base: Base

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RolledMaps):
            return NotImplemented
        return self.has_rolls_of(other) and self.base.has_same_layers_above(other.base)

    def has_rolls_of(self, other: RolledMaps) -> bool:
        """Return whether both have the same rolls, whatever layers are above them."""
        return _rolls(self.setup) == _rolls(other.setup) and self.base.has_same_rolls(other.base)

    __hash__ = None  # type: ignore[assignment] # bases are compared by their arrays


def _rolls(setup: RollSetup) -> tuple[object, ...]:
    """Return the values on which the maps of a setup depend, to be compared."""
    suffix = PurePath(setup.script_name).suffix  # it says which language the script is in
    return suffix, setup.text, setup.texts, setup.settings
