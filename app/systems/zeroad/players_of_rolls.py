"""Keeps the players of rolls equal to those of the map of 0 A.D.: their number, and new names.

A person can change the players of a map by hand, in the panel *Setup*. Then a roll keeps them, so
that the setting *Players* of rolls has to show their number. A name that is typed into the table of
the settings is given to the map at once, since no map has to be rolled for a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.qt_guard import connect
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.systems.zeroad.generators.player_data import player_names
from randomizer.systems.zeroad.map.player_form import NAME, change_player
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
        """Give the map the names and the number of players that the user chooses."""
        self._change_names(values)
        self._change_count(values)

    def _change_names(self, values: Mapping[str, object]) -> None:
        """Rename the players of the map as in the settings, whose former values are still set.

        Only where the map was rolled from the script, and is otherwise as the settings say: for
        names alone it is not rolled again. Else the choice is for the next roll.
        """
        generator = self._scripts.current.generator
        count = self._count_on_map()
        if generator is None or count is None or not self._scripts.follower.has_chosen_settings:
            return
        former_values = self._scripts.settings.values
        needs_roll = generator.settings_needing_roll(values) != generator.settings_needing_roll(
            former_values
        )
        if needs_roll:
            return
        former_names = player_names(generator.metadata, former_values, count)
        names = player_names(generator.metadata, values, count)
        for number, (former_name, name) in enumerate(zip(former_names, names, strict=True), 1):
            if name != former_name:
                rename = partial(change_player, number=number, name=NAME.name, value=name)
                field = f"0 A.D. player {number} {NAME.name}"  # quick changes are one undo step
                self._document.change_map(rename, "Change a player", field)

    def _change_count(self, values: Mapping[str, object]) -> None:
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
