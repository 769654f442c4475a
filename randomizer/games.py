"""What a game's own directory offers the desk: variants, terrains, pictures, scripts, exports.

A system whose maps a game loads from its directory has a module with the names of ``GameHost``
(``catalog.GAME_HOSTS``). Everything here that reads or writes may take its time: the desk calls it
off the UI thread. Only ``GameHost.SYSTEM``, ``TITLE``, ``PLACE``, ``FORMAT`` and the words that
are attributes are at hand at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from randomizer.formats import Format
from randomizer.problems import Problem


class Found(Protocol):
    """Where something of the game lies; hashable."""

    @property
    def words(self) -> str:
        """The place for people."""
        ...


class GameTerrain(Protocol):
    """A terrain of a variant; ``battleland`` is None where the game has none for it."""

    @property
    def name(self) -> str:
        """The name that the game's files use."""
        ...

    @property
    def shown_name(self) -> str:
        """The name that players see."""
        ...

    @property
    def battleland(self) -> Found | None:
        """The map file that the game would load."""
        ...


class GameVariant(Protocol):
    """A variant of the game and what is wrong with its files."""

    @property
    def name(self) -> str:
        """Its name, one path component."""
        ...

    @property
    def terrains(self) -> Sequence[GameTerrain]:
        """Its terrains in the game's order."""
        ...

    @property
    def problems(self) -> Sequence[Problem]:
        """What is wrong with its files."""
        ...


class Game(Protocol):
    """A game found on the disk. Safe to read from several threads."""

    @property
    def root(self) -> Path:
        """The directory below which an export lands."""
        ...

    def variants(self) -> Sequence[GameVariant]:
        """All variants; a new variant has the terrains of the first."""
        ...

    def read_battleland(self, variant: str, terrain: str) -> tuple[bytes, Found]:
        """The map file that the game would load. Raises ProblemError where there is none."""
        ...

    def picture(self, name: str) -> bytes | None:
        """The game's picture (PNG or GIF) of a terrain, None without. Raises ProblemError."""
        ...

    def scripts(self) -> Sequence[Path]:
        """The randomizer scripts that lie in the game's directory."""
        ...


class PlannedFile(Protocol):
    """A file that an export would write; ``old`` is what stands there now."""

    @property
    def path(self) -> Path:
        """Where it goes."""
        ...

    @property
    def data(self) -> bytes:
        """What is written."""
        ...

    @property
    def old(self) -> bytes | None:
        """What stands there, None if nothing does."""
        ...

    @property
    def overwrites(self) -> bool:
        """Whether another content is replaced."""
        ...

    @property
    def words(self) -> str:
        """What the file is."""
        ...


class ExportPlan(Protocol):
    """What an export would do; with an error among ``problems`` it cannot be committed."""

    @property
    def root(self) -> Path:
        """The game's directory."""
        ...

    @property
    def variant(self) -> str:
        """Into which variant."""
        ...

    @property
    def new_variant(self) -> bool:
        """Whether the game does not have that variant yet."""
        ...

    @property
    def files(self) -> Sequence[PlannedFile]:
        """Every file that is written."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What will happen, and what the player has to do then."""
        ...

    @property
    def problems(self) -> Sequence[Problem]:
        """What is wrong, the map's own errors included."""
        ...

    @property
    def how_to_play(self) -> str:
        """What the player does to see the map in the game; "" if nothing special."""
        ...

    def words(self) -> Sequence[str]:
        """The whole plan in sentences, but for its problems."""
        ...


class ReceiptFile(Protocol):
    """A file that was exported: its place below the game's directory, its backup if it had one."""

    @property
    def place(self) -> str:
        """With ``/`` between the folders."""
        ...

    @property
    def backup(self) -> str | None:
        """None where nothing was replaced."""
        ...


class ExportReceipt(Protocol):
    """What an export did. One with a ``problem`` can only be shown."""

    @property
    def path(self) -> Path:
        """The receipt itself: what ``GameHost.take_back`` wants."""
        ...

    @property
    def time(self) -> str:
        """ISO 8601 in UTC, "" if not known."""
        ...

    @property
    def variant(self) -> str:
        """Into which variant."""
        ...

    @property
    def terrains(self) -> Sequence[str]:
        """Which terrains."""
        ...

    @property
    def files(self) -> Sequence[ReceiptFile]:
        """Every file that was written."""
        ...

    @property
    def taken_back(self) -> bool:
        """Whether it was taken back already."""
        ...

    @property
    def problem(self) -> Problem | None:
        """Why it cannot be read."""
        ...


class GameHost(Protocol):
    """What a module of ``catalog.GAME_HOSTS`` offers.

    ``SYSTEM`` is the name of the system whose maps the game plays; ``TITLE`` the game's name;
    ``PLACE`` says which directory is meant; ``BACKUPS`` is the folder, below the game's directory,
    that keeps what exports replaced; ``FORMAT`` is the kind of its map files.
    """

    SYSTEM: str
    TITLE: str
    PLACE: str
    BACKUPS: str
    FORMAT: Format

    def open_game(self, path: str | Path) -> Game:
        """The game at ``path``. Raises ProblemError where there is none."""
        ...

    def origin(self, variant: GameVariant, terrain: GameTerrain) -> str:
        """In a few words, where the battleland of a terrain comes from."""
        ...

    def plan_export(self, game: Game, battleland: bytes, variant: str, terrain: str) -> ExportPlan:
        """What exporting a map file would do; problems tell what is wrong. Writes nothing."""
        ...

    def commit_export(self, plan: ExportPlan) -> ExportReceipt:
        """Do it, all or nothing, with a backup. Raises ProblemError."""
        ...

    def receipts(self, game: Game) -> Sequence[ExportReceipt]:
        """All exports into a game, the newest first. Raises ProblemError."""
        ...

    def take_back(self, which: Path) -> ExportReceipt:
        """Undo the export with this receipt, or change nothing and raise ProblemError."""
        ...
