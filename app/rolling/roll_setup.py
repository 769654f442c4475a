"""What is rolled: a generator with its settings, who says which, and which maps that gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Protocol

from PySide6.QtCore import SignalInstance

from randomizer.generator import Base, DrawKey, MapGenerator, settings_for
from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.basics.plurals import with_article
from randomizer.model.map.layer import NO_TEXTS, Roll
from randomizer.model.problems import error
from randomizer.model.settings.setting import checked_settings


@dataclass(frozen=True)
class RollSetup:
    """A generator with its settings; a key and a base added give one map.

    ``text`` is the script's text, ``script_name`` its file name: both are "" for a generator
    without a script. ``texts`` are its further files, by name. ``generator`` makes the generator;
    it is called on a job's thread and raises ProblemError. ``replaces`` is True if a roll can only
    replace the rolled layer and not lie on top of it, because the generator would take that layer
    for ground. ``searches`` is True if the generator tries map after map for one that keeps
    the locks. Chance chooses among the seeds below ``seeds``. ``maps``: a seed has so many maps,
    and all of them keep the locks; 0: it has maps without end.
    """

    text: str
    generator: Callable[[], MapGenerator]
    settings: Mapping[str, object]
    script_name: str = ""
    replaces: bool = False
    searches: bool = False
    texts: Mapping[str, str] = field(default_factory=lambda: NO_TEXTS)
    seeds: int = SEED_LIMIT
    maps: int = 0

    def has_script_of(self, roll: Roll) -> bool:
        """Return whether ``roll`` is of the same script, though of another text or settings.

        Without a text that is the same generator. Raises ProblemError where there is none.
        """
        if self.text or roll.script:
            return roll.script_name == self.script_name
        return roll.generator == self.generator().name

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


class AsksForRoll(Protocol):
    """Asks the user for what a roll needs, such as dice; the roll follows when all is there."""

    def __call__(self) -> object:
        """Ask; what was begun and not ended goes on."""


class RollProvider(Protocol):
    """Gives ``Rolling`` a setup for some kinds of map: the script shown or a system's own form."""

    @property
    def setup_changed(self) -> SignalInstance:
        """``setup_changed()``: the setup is another, or whether it can be rolled."""

    def serves_map(self) -> bool:
        """Return whether this provider rolls maps like the current one."""

    def setup(self, key: DrawKey | None = None) -> RollSetup:
        """Return what a roll rolls now; asked only if ``serves_map()``.

        With a ``key`` also what was chosen for that map alone; None: only what all maps share.
        """

    def asker(self) -> AsksForRoll | None:
        """Return what asks the user for what a roll needs, None if nothing has to be asked."""

    def why_not(self) -> str:
        """Return why the program cannot roll the setup onto the current map, as text.

        "" if it can. A roll for which the user can be asked (``asker``) can be begun all the same.
        """

    def loading(self) -> bool:
        """Return whether another script is on its way into the current map: a roll waits for it.

        ``setup_changed`` tells when that is over.
        """


@dataclass(frozen=True, eq=False)
class RolledMaps:
    """All maps that a setup makes on a base; equal to another if both look the same.

    Odds, counts, fairness and the gallery depend on it.
    """

    setup: RollSetup
    base: Base

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RolledMaps):
            return NotImplemented
        return self.has_rolls_of(other) and self.base.seen_as(other.base)

    def has_rolls_of(self, other: RolledMaps) -> bool:
        """Return whether both have the same rolls, whatever lies above them."""
        return _rolls(self.setup) == _rolls(other.setup) and self.base.same_as(other.base)

    __hash__ = None  # type: ignore[assignment] # bases are compared by their arrays


def _rolls(setup: RollSetup) -> tuple[object, ...]:
    """Return what a setup's maps depend on; the suffix of a script says what reads it."""
    return PurePath(setup.script_name).suffix, setup.text, setup.texts, setup.settings
