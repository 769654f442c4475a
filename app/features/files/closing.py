"""Asks about unsaved work before open maps are closed, and closes them.

To *leave* a map is to close it or to quit: the user must have saved its changes or discarded them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.background.actions import ActionLock, run
from app.desk.desk import Desk
from app.document.map_files import new_map
from app.features.files.saving import Saving
from app.widgets.dialogs.choice import ask
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.layout.builders import plain_text
from randomizer.model.basics.plurals import listed

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


ONLY_IN_A_PROJECT = (
    "The exported files hold what can be seen. Only a project keeps layers, seeds and rolls."
)
"""The reason to save a map that was exported and not changed since."""


class Closing(QObject):
    """Asks what to do with unsaved work, and closes open maps."""

    def __init__(self, desk: Desk, saving: Saving) -> None:
        super().__init__(desk)
        self._desk = desk
        self._saving = saving
        self._asking = ActionLock(self)
        """Taken while unsaved maps are asked about: there is one question at a time."""

    def close_current(self) -> None:
        """Close the current map, as ``close`` does."""
        self.close(self._desk.document.current_map)

    def close(self, open_map: OpenMap) -> None:
        """Close an open map, once its unsaved work was asked about.

        The desk always shows a map: the last one is not closed, but replaced by an empty one.
        """
        run(self._close(open_map))

    async def _close(self, open_map: OpenMap) -> None:
        """Ask about unsaved work of a map and close it, unless it was closed while waiting."""
        document = self._desk.document
        if not await self.confirm_leaving([open_map]) or open_map not in document.maps:
            return
        if len(document.maps) > 1:
            # A script closes with its map. That of the last map stays open, beside the empty map.
            may_close_script = await self._desk.scripts.unsaved.ask_before_closing(open_map)
            if not may_close_script or open_map not in document.maps:
                return
        if len(document.maps) == 1:  # others may have been closed meanwhile
            document.replace_map(new_map(open_map.battlemap.system))
        else:
            document.close_map(open_map)

    async def confirm_leaving(self, maps: Iterable[OpenMap]) -> bool:
        """Ask about unsaved work of open maps; return whether they may be left."""
        maps_to_leave = tuple(maps)
        return await self._confirm_when_idle(lambda: maps_to_leave)

    async def confirm_leaving_all(self) -> bool:
        """Ask about unsaved work of all open maps; return whether they may be left."""
        return await self._confirm_when_idle(lambda: self._desk.document.maps)

    async def _confirm_when_idle(self, maps_to_leave: Callable[[], tuple[OpenMap, ...]]) -> bool:
        """Wait until no file is being written and no other question is shown, then ask."""
        await self._saving.idle()
        async with self._asking:
            return await self._ask_until_nothing_is_unsaved(maps_to_leave)

    async def _ask_until_nothing_is_unsaved(
        self, maps_to_leave: Callable[[], tuple[OpenMap, ...]]
    ) -> bool:
        """Ask about maps with unsaved work until none is left.

        Return False if the user cancels, or if a map was not written. ``maps_to_leave`` is called
        after each answer: while a question is shown or a file is written, maps can come, go and be
        changed.
        """
        document = self._desk.document
        # The maps whose changes the user gives up: they are not asked about again.
        discarded: set[OpenMap] = set()
        while True:
            self._commit_typing_and_cancel_stroke()
            unsaved = []
            for open_map in maps_to_leave():
                is_open = open_map in document.maps
                if is_open and open_map.unsaved and open_map not in discarded:
                    unsaved.append(open_map)
            if not unsaved:
                return True
            match await self._ask_about_unsaved(unsaved):
                case QMessageBox.StandardButton.Discard:
                    discarded.update(unsaved)
                case QMessageBox.StandardButton.Cancel:
                    return False
                case QMessageBox.StandardButton.Save | QMessageBox.StandardButton.SaveAll:
                    if not await self._save_all(unsaved):
                        return False

    async def _ask_about_unsaved(self, unsaved: list[OpenMap]) -> QMessageBox.StandardButton:
        """Ask about these maps, of which a single one is made current first.

        Return the button that was pressed: Save (SaveAll for several maps), Discard or Cancel.
        """
        document = self._desk.document
        buttons = QMessageBox.StandardButton
        details = ""
        if len(unsaved) == 1:
            open_map = unsaved[0]
            document.make_current(open_map)
            text = self._text_about_current()
            if open_map.is_exported:
                details = ONLY_IN_A_PROJECT
            save = buttons.Save
        else:
            names = listed([document.name_of(open_map) for open_map in unsaved])
            text = f"{len(unsaved)} maps have changes that are not saved: {names}."
            save = buttons.SaveAll
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Unsaved changes",
            plain_text(text),
            save | buttons.Discard | buttons.Cancel,
            self._desk.frame,
        )
        box.setInformativeText(plain_text(details))
        box.setDefaultButton(save)
        return buttons(await ask(box))

    def _text_about_current(self) -> str:
        """Return the sentence that tells that the current map is not saved."""
        document = self._desk.document
        name = document.name_of(document.current_map)
        if document.current_map.is_exported:
            return f"{name} was exported as it is, but is not saved."
        script_document = self._desk.scripts.current
        script_path = script_document.script.path
        if script_document.in_map and script_path is not None and not script_document.unsaved:
            # A person who has just saved the script of the map may take the map for saved.
            return (
                f"The map {name} has changes that are not saved. Its script is saved in "
                f"{script_path.name}."
            )
        return f"{name} has changes that are not saved."

    async def _save_all(self, maps: list[OpenMap]) -> bool:
        """Save one map after the other, each made current; False if one was not written."""
        document = self._desk.document
        for open_map in maps:
            if open_map not in document.maps:
                continue
            document.make_current(open_map)
            if not await self._saving.write(open_map):
                return False
        return True

    def _commit_typing_and_cancel_stroke(self) -> None:
        """Put what is still being typed into the map, and undo a stroke that is not finished."""
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        self._desk.document.cancel_stroke()
