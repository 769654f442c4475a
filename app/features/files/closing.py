"""The question about unsaved work, asked before open maps are closed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

from app.background.actions import Turn, run
from app.desk.desk import Desk
from app.document.map_files import new_map
from app.features.files.saving import Saving
from app.widgets.dialogs.choice import ask
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.layout.builders import plain_text
from randomizer.model.basics.plurals import listed

if TYPE_CHECKING:
    from app.document.open_map import OpenMap


class Closing(QObject):
    """Asks what to do with unsaved work, and closes open maps."""

    def __init__(self, desk: Desk, saving: Saving) -> None:
        super().__init__(desk)
        self._desk = desk
        self._saving = saving
        self._asking = Turn(self)
        """Taken while unsaved maps are asked about."""

    def close(self, open_map: OpenMap | None = None) -> None:
        """Close an open map (None: the current one), the last one for an empty map."""
        run(self._close(open_map or self._desk.document.current_map))

    async def _close(self, closing: OpenMap) -> None:
        document = self._desk.document
        if not await self.may_leave([closing]) or closing not in document.maps:
            return
        if len(document.maps) > 1 and not await self._desk.scripts.unsaved.may_close(closing):
            return
        if closing not in document.maps:
            return
        if len(document.maps) == 1:
            document.replace_map(new_map(closing.battlemap.system))
        else:
            document.close_map(closing)

    async def may_leave(self, maps: Iterable[OpenMap]) -> bool:
        """Return whether open maps may be left: they are saved, or the user says so."""
        leaving = tuple(maps)
        return await self._may_leave(lambda: leaving)

    async def may_leave_all(self) -> bool:
        """Return whether all open maps may be left: one question for all of them."""
        return await self._may_leave(lambda: self._desk.document.maps)

    async def _may_leave(self, leaving: Callable[[], tuple[OpenMap, ...]]) -> bool:
        await self._saving.idle()
        async with self._asking:
            return await self._ask_to_leave(leaving)

    async def _ask_to_leave(self, leaving: Callable[[], tuple[OpenMap, ...]]) -> bool:
        """Ask about the unsaved of the maps of ``leaving``, and of those that it has afterwards.

        While a question is shown or a file is written other maps can come or be changed.
        """
        document = self._desk.document
        discarded: set[OpenMap] = set()
        while True:
            self._take_up_changes()
            unsaved = [
                open_map
                for open_map in leaving()
                if open_map in document.maps and open_map.unsaved and open_map not in discarded
            ]
            if not unsaved:
                return True
            match await self._ask_about_unsaved(unsaved):
                case QMessageBox.StandardButton.Discard:
                    discarded.update(unsaved)
                case QMessageBox.StandardButton.Cancel:
                    return False
                case _:
                    if not await self._save_all(unsaved):
                        return False

    async def _ask_about_unsaved(self, unsaved: list[OpenMap]) -> QMessageBox.StandardButton:
        document = self._desk.document
        buttons = QMessageBox.StandardButton
        if len(unsaved) == 1:
            document.make_current(unsaved[0])
            text = f"{document.name_of(unsaved[0])} has changes that are not saved."
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
        box.setDefaultButton(save)
        return buttons(await ask(box))

    async def _save_all(self, maps: list[OpenMap]) -> bool:
        """Save one map after the other, each made current; False at the first refusal."""
        document = self._desk.document
        for open_map in maps:
            if open_map in document.maps:
                document.make_current(open_map)
                if not await self._saving.write(open_map):
                    return False
        return True

    def _take_up_changes(self) -> None:
        """Put what is still being typed or drawn into the map, or take it back."""
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        self._desk.document.cancel_stroke()
