"""Games that load maps from a directory: the base class of their hosts.

A system whose maps a game loads has a ``GameHost`` (``catalog.GAME_HOSTS``). Methods that read can
be slow: the desk calls them off the UI thread. Its attributes are available at once.

An export is planned (``ExportPlan``), shown to a person, carried out, and kept as a receipt
(``ExportReceipt``), by which it can be taken back. A ``Player`` starts the game on one map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from randomizer.formats.format import Format
from randomizer.games.export_plan import ExportPlan
from randomizer.games.game import Game
from randomizer.games.slots import MapGroup, MapSlot, SlotLevel
from randomizer.languages.language import SourceText


class GameHost:
    """The base class of games that load maps, of which the catalogue lists one object each.

    A host has no state: it opens a ``Game``, which belongs to the caller. The parameter ``game`` of
    its methods is always one that it has opened itself, of its own subclass of ``Game``: therefore
    their type is Any.

        game = host.open_game(host.find_game(chosen_path))
        plan = host.plan_exports(game, {"Plains": data}, "My variant")
    """

    # --- what every host gives --------------------------------------------------------------

    system: str
    """The name of the system whose maps the game plays."""
    title: str
    """The game's name."""
    directory: str
    """The words for the directory that a person has to choose: "the directory of Colossus"."""
    levels: tuple[SlotLevel, ...]
    """The levels of its places: one (slots) or two (groups, slots)."""
    map_noun: str
    """The game's word for a map, singular, lower case."""
    format: Format
    """The format of its map files."""

    # --- what a host may give ---------------------------------------------------------------

    directory_example = ""
    """What such a directory holds, as the end of a sentence; "" if ``directory`` says enough."""
    found_directory = ""
    """What the directory is called if it need not be that of the game, but for instance the user's
    folder of mods; "" if it is the game's own."""
    has_pictures = False
    """True if its games have a ``Game.picture``."""
    player = ""
    """Its ``Player`` as ``module:name``, which is imported only when it is used; "" if the game
    cannot be started."""
    rolls_scripts = False
    """True if its games roll maps by scripts, which ``plan_script_export`` puts there."""
    further_files = ""
    """A sentence about files of the game that only *Export as* writes; "" for none."""

    # --- its game on the disk ---------------------------------------------------------------

    def open_game(self, path: str | Path) -> Game:
        """Open the game at ``path``. Raises ProblemError if there is none."""
        raise NotImplementedError

    def find_game(self, path: str | Path) -> Path:
        """Return what to give to ``open_game`` where a person chose ``path``, or something near.

        Raises ProblemError, which says what to choose, if no game or several are near.
        """
        return Path(path)

    def usual_directory(self) -> Path | None:
        """Return what to give to ``open_game`` where nobody has chosen anything."""
        return None

    def fault_of_game(self, game: Any) -> str:
        """Return what is wrong with a game that was found, as a sentence; "" if nothing is."""
        return ""

    def why_no_group(self, _game: Any, folder: str) -> str:
        """Return why a folder of its game, of this name, is none of the groups, as a sentence.

        It is asked only for folders that are none; a game without groups is never asked.
        """
        return f"The folder “{folder}” is no {self.levels[0].name} of {self.title}."

    def missing_folder(self, game: Any) -> str:
        """Return a sentence about a folder of its game that an export has yet to make.

        "" if all folders are there.
        """
        return ""

    # --- exports ----------------------------------------------------------------------------

    def versions(self) -> Sequence[str]:
        """Return the versions of the game for which exports differ, the likeliest first."""
        return ()

    def name_of_new_slot(self, stem: str) -> str:
        """Return a valid name of a new slot for a map whose file has this name, without suffix.

        "" leaves the usual name (``SlotLevel.new``).
        """
        return ""

    def folder_of_further_files(self, game: Any, group: str) -> Path | None:
        """Return the folder in which *Export as* begins for ``further_files`` of a group.

        None is the folder of the last file.
        """
        return None

    def origin(self, group: MapGroup, slot: MapSlot) -> str:
        """Say in a few words where a slot's map comes from."""
        raise NotImplementedError

    def plan_exports(
        self, game: Any, maps: Mapping[str, bytes], group: str, version: str = ""
    ) -> ExportPlan:
        """Plan what exporting map files (by slot) to a group of its game would do, and problems.

        ``version`` is one of ``versions``, "" the likeliest. Every host has this method.
        """
        raise NotImplementedError

    def plan_script_export(
        self, game: Any, source: SourceText, slot: str, group: str
    ) -> ExportPlan:
        """Plan what exporting a script to a slot of its game would do, and problems.

        ``source`` has its text as it is now and its further texts. Only for a host that
        ``rolls_scripts``.
        """
        raise NotImplementedError
