"""The panel of players, environment and camera: forms of the records of a map of 0 A.D."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import monotonic

from PySide6.QtCore import QSignalBlocker, QSize, QTimer
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.desk.desk import Desk
from app.document.undo_history import MergeKey
from app.qt_guard import connect
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import STRETCH, described, labelled, lay_out, plain_label, scrolled
from randomizer.model.edits.edit import Edit, Region
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.zeroad.map.record_fields import (
    LOOKS_AT,
    change_field,
    change_player,
    described_fields,
    described_player,
    fields_of,
    look_at,
    players_of,
)
from randomizer.systems.zeroad.map.records import CAMERA, ENVIRONMENT, SETTINGS

SWATCH = 14
"""The width of a player's colour, in logical pixels."""

RECORDS = frozenset((CAMERA, ENVIRONMENT, SETTINGS))


class PlayersPage(QWidget):
    """A choice of the player, and below it the form of the chosen one."""

    def __init__(self, desk: Desk, do: Callable[..., None]) -> None:
        super().__init__()
        self._desk = desk
        self._do = do
        self.player = described(QComboBox(), "Player", "Whose values are shown below")
        self.player.setIconSize(QSize(SWATCH, SWATCH))
        self.form = CommittedForm()
        self.here = described(
            QPushButton("Look at the &middle of the view"),
            tip="What the player sees first when the game begins",
        )
        self.own = described(
            QPushButton("Look at its &own"), tip="The player first sees what is owned there"
        )
        lay_out(
            QVBoxLayout(self),
            lay_out(QHBoxLayout(), labelled("&Player:", self.player), (self.player, 1)),
            self.form,
            lay_out(QHBoxLayout(), self.here, self.own, STRETCH),
            STRETCH,
            margins=6,
        )
        connect(self.player.currentIndexChanged, self.show_player)
        connect(self.form.committed, self._commit)
        connect(self.here.clicked, self._look_here)
        connect(self.own.clicked, self._look_at_own)

    @property
    def number(self) -> int:
        """The number of the chosen player: 1 is the first."""
        return max(0, self.player.currentIndex()) + 1

    def show_map(self, battlemap: BattleMap) -> None:
        """Show the players of a map."""
        players = players_of(battlemap)[1:]
        chosen = self.number - 1
        with QSignalBlocker(self.player):
            self.player.clear()
            for number, player in enumerate(players, 1):
                _settings, values = described_player(battlemap, number)
                swatch = QPixmap(SWATCH, SWATCH)
                swatch.fill(QColor(str(values["Color"])))
                self.player.addItem(QIcon(swatch), f"{number}: {player.get('Name', '')}")
            self.player.setCurrentIndex(min(chosen, len(players) - 1))
        self.show_player()

    def show_player(self) -> None:
        """Show the values of the chosen player."""
        settings, values = described_player(self._desk.document.battlemap, self.number)
        self.form.set_settings(settings, values)
        self.own.setEnabled(any(each.name in values for each in LOOKS_AT))

    def _commit(self, name: str) -> None:
        make = partial(
            change_player, number=self.number, name=name, value=self.form.values().get(name)
        )
        self._do(make, "Change a player", f"player {self.number} {name}")

    def _look_here(self) -> None:
        canvas = self._desk.canvas
        battlemap = self._desk.document.battlemap
        x, y = canvas.viewport.to_map(canvas.rect().center().toPointF())
        at = (x + 0.5, battlemap.grid.height - y - 0.5)
        self._do(partial(look_at, number=self.number, at=at), "Change a player's camera", "here")

    def _look_at_own(self) -> None:
        self._do(partial(look_at, number=self.number, at=None), "Change a player's camera", "own")


class FieldsPage(QWidget):
    """The form of the fields of a record."""

    def __init__(self, record: str, do: Callable[..., None]) -> None:
        super().__init__()
        self._record = record
        self._do = do
        self._fields = {field.setting.name: field for field in fields_of(record)}
        self.form = CommittedForm()
        lay_out(QVBoxLayout(self), self.form, STRETCH, margins=6)
        connect(self.form.committed, self._commit)

    def show_map(self, battlemap: BattleMap) -> None:
        """Show the values of a map."""
        self.form.set_settings(*described_fields(battlemap, tuple(self._fields.values())))

    def _commit(self, name: str) -> None:
        value = self.form.values().get(name)
        if value is not None:
            make = partial(change_field, field=self._fields[name], value=value)
            self._do(make, f"Change the {self._record}", name)


class SetupPanel(QWidget):
    """A tab for each page; every change is an undo step."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._document = desk.document
        self.players = PlayersPage(desk, self._change)
        self.environment = FieldsPage(ENVIRONMENT, self._change)
        self.camera = FieldsPage(CAMERA, self._change)
        self.tabs = described(QTabWidget(), "Pages of the setup")
        self.tabs.setDocumentMode(True)
        for page, title in (
            (self.players, "P&layers"),
            (self.environment, "&Environment"),
            (self.camera, "&Camera"),
        ):
            self.tabs.addTab(scrolled(page), title)
        self.note = plain_label("Only maps of 0 A.D. have these.", wordWrap=True)
        lay_out(QVBoxLayout(self), self.note, self.tabs, margins=0)
        self._soon = QTimer(self, singleShot=True)
        connect(self._soon.timeout, self.show_map)
        connect(desk.document.changed, self._on_changed)
        connect(desk.document.map_replaced, self.show_map)
        self.show_map()

    def _on_changed(self, region: Region) -> None:
        if region.everything or not RECORDS.isdisjoint(region.records):
            self._soon.start(0)

    def show_map(self) -> None:
        """Show the records of the current map."""
        battlemap = self._document.battlemap
        has_setup = battlemap.system.name == "zeroad"
        self.note.setHidden(has_setup)
        self.tabs.setEnabled(has_setup)
        if has_setup:
            for page in (self.players, self.environment, self.camera):
                page.show_map(battlemap)

    def _change(self, make: Callable[[BattleMap], Edit | None], text: str, field: str) -> None:
        """Do what ``make`` makes of the map; steps of one ``field`` within a second are one."""
        try:
            self._document.push_on(make, text, MergeKey(f"0 A.D. {field}", monotonic()))
        except ValueError as fault:
            self._document.refuse(f"{str(fault)[:1].upper()}{str(fault)[1:]}.")
        self._soon.start(0)


def make(desk: Desk) -> SetupPanel:
    """Return the panel."""
    return SetupPanel(desk)
