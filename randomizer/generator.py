"""The class of generators: how every system makes maps.

It follows 0 A.D.: a generator is a script plus a metadata file whose ``settings`` name and describe
it. ``generate`` is a Python generator that yields its progress in percent (1 .. 100, or ``BUSY``)
and returns the layers; closing it cancels.

Systems write subclasses of ``MapGenerator``. The desk and the command line roll with them by
``run`` (``generator_run``) onto a ``Base`` (``roll_base``).
"""

from __future__ import annotations

from collections.abc import Generator, Mapping

from randomizer.model.basics.dice import SEED_LIMIT
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.planes.planes import Plane
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.settings.setting import Setting
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet
from randomizer.roll_base import Base

NO_MORE_MAPS = "no-more-maps"
"""The code of the error of a map whose seed has none of this number, nor of a higher one."""


BUSY = 0
"""The progress of a generator that works, but cannot say how much of the work is done."""

Generating = Generator[int, None, Generated]
"""A roll under way: it yields its progress in percent and returns what was made."""


class MapGenerator:
    """The base class of generators, of which the catalogue lists one object each.

    A generator keeps no state between rolls, so several can roll by it at once. A subclass gives
    ``name``, ``metadata`` and ``system`` and overrides ``generate``:

        def generate(self, settings, key, base):
            yield 1                     # percent
            layer = Layer(0, "Rolled", planes={"terrain": ...})
            return Generated((layer,), key.number)
    """

    name: str
    """Its name in the catalogue and on the command line; "" for a script of the user's own."""
    metadata: Metadata
    """Its title, its description and more, as its metadata file has them."""
    system: System
    """The system whose maps it makes."""
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
    """True if another process does its work, or several threads do.

    Then the pool of processes rolls its maps on a thread (``processes.pool``).
    """
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
        """True if the ``settings`` are at hand.

        False if asking for them would read files first, as those of scripts of 0 A.D. do.
        """
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
        """Return the records of a new map that waits for a person before it is rolled.

        For example a table of dice asks a person to throw real dice and to enter them. Empty where
        the settings leave nothing to a person: then the map is rolled at once.
        """
        return {}

    def describe_unrolled_map(self, _records: Mapping[str, MapRecord]) -> str:
        """Return how far a person is with a map of such records: "17 of about 65 dice entered".

        "" for maps that wait for nothing.
        """
        return ""

    def settings_of_others(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings for other maps that are to be like a map with these settings.

        They lack what belongs to that map alone, such as dice that a person has entered for it.
        """
        return settings

    def settings_needing_roll(self, settings: Mapping[str, object]) -> Mapping[str, object]:
        """Return the settings without those that a rolled map can be given afterwards.

        Maps whose settings differ in these alone, such as names of players, are rolled alike.
        Settings that were not chosen have their defaults, as far as these are at hand.
        """
        if not self.settings_read:
            return settings
        defaults = {setting.name: setting.default for setting in self.settings}
        return {**defaults, **settings}

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
