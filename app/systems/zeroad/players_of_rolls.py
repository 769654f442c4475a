"""Keeps the number of players of rolls equal to that of the map of 0 A.D.

A person can change the players of a map by hand, in the panel *Setup*. Then a roll keeps them, so
that the setting *Players* of rolls has to show their number.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.systems.zeroad.map.players import PLAYERS_SETTING, change_player_count, player_count
from randomizer.systems.zeroad.map.records import PLAYERS, SETTINGS, settings_of_map


class PlayersOfRolls(QObject):
    """Keeps the setting *Players* of the rolls in step with the players of the current map.

    The map decides: a roll keeps the players that a user changed. So the setting shows their
    number, and a user who chooses another number there changes the map.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._document = desk.document
        self._scripts = desk.scripts
        connect(self._document.changed, self._on_map_changed)
        connect(self._scripts.settings.changed, self._on_settings_changed)
        connect(self._scripts.settings.chosen, self._on_settings_chosen)

    def _count_on_map(self) -> int | None:
        """Return the number of players of the map, without Gaia; None if it does not say."""
        battlemap = self._document.battlemap
        says_players = battlemap.system.name == "zeroad" and PLAYERS in settings_of_map(battlemap)
        if says_players:
            return player_count(battlemap)
        return None

    def _has_changed_players(self) -> bool:
        """Return whether a user has changed the record with the players, or anything else in it."""
        record = self._document.battlemap.records.get(SETTINGS)
        return record is not None and record.touched

    def _on_map_changed(self, region: Region) -> None:
        """Update the setting after a change of the record with the players."""
        if SETTINGS in region.records:
            self._update_setting()

    def _on_settings_changed(self) -> None:
        """Correct settings that the program has set, as when a rolled map was opened."""
        if self._has_changed_players():
            self._update_setting()

    def _update_setting(self) -> None:
        """Set the setting to the number of players of the map, and tell the user.

        Nothing changes if the map does not say the number, or the script has no such setting.
        """
        count = self._count_on_map()
        settings = self._scripts.settings.values
        declared = {setting.name: setting for setting in self._scripts.settings.declared()}
        players = declared.get(PLAYERS_SETTING)
        if count is None or players is None:
            return
        if settings.get(PLAYERS_SETTING, players.default) != count:
            self._scripts.settings.set({**settings, PLAYERS_SETTING: count})
            rolled = counted(count, "player")
            self._desk.say(f"Rolls make {rolled} from now on, as many as the map has.")

    def _on_settings_chosen(self, values: Mapping[str, object]) -> None:
        """Change the map to as many players as the user chooses, if its players were changed.

        On any other map the choice is for the next roll only.
        """
        count = values.get(PLAYERS_SETTING)
        if not self._has_changed_players() or not isinstance(count, int):
            return
        if count != self._count_on_map():
            make_edit = partial(change_player_count, count=count)
            self._document.change_map(make_edit, f"Have {counted(count, 'player')}")


def make(desk: Desk) -> None:
    """Keep the setting *Players* equal to the number of players of the map."""
    PlayersOfRolls(desk)  # a child of the desk, which keeps it
