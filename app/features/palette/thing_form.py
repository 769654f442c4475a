"""The form of the picked things, or of the thing that is placed next when none is picked.

What its fields are, and what a change of one does, is said by thing_settings.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.features.palette.label_focus import LabelFocus
from app.features.palette.thing_settings import ANGLE, OWNER, change_thing, settings_of_things
from app.qt_guard import connect
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.model.basics.plurals import counted
from randomizer.model.edits.edit import Region
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.map.kinds_on_map import kinds_of
from randomizer.model.map.things_at import thing_text
from randomizer.model.settings.setting import Setting
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import ToolOptions


class ThingForm(QWidget):
    """Shows what the picked things have in common; every change is one undo step for all of them.

    With nothing picked it shows, and changes, the thing that is placed next
    (``ToolOptions.thing``). After a thing was placed by hand its text gets the keyboard
    (``label_focus``).
    """

    def __init__(self, document: MapDocument, options: ToolOptions) -> None:
        super().__init__()
        self._document = document
        self._options = options
        self._settings: tuple[Setting, ...] = ()
        """The fields of the form."""
        self.heading = plain_label()
        self.heading.setWordWrap(True)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.form = CommittedForm()
        lay_out(QVBoxLayout(self), self.heading, self.form, margins=0)
        self.label_focus = LabelFocus(self.form, document)
        """Gives the label of a thing that was placed the keyboard."""
        self._refresh_timer = QTimer(self, singleShot=True)
        """Runs from a change of the map until the form shows it: the form is outdated then."""
        connect(self._refresh_timer.timeout, self.show_things)
        connect(options.thing_placed, self._on_thing_placed)
        connect(self.form.committed, self._commit)
        connect(options.changed, self.show_things)
        connect(document.picked_changed, self._show_soon)
        connect(document.changed, self._on_changed)
        connect(document.map_replaced, self.show_things)
        self.show_things()

    @property
    def up_to_date(self) -> bool:
        """True if the form shows the things as they are on the map now."""
        return not self._refresh_timer.isActive()

    def _on_changed(self, region: Region) -> None:
        """Follow an edit that can have changed the things or their kinds."""
        if region.things or region.structure or region.records:
            self._show_soon()

    def _show_soon(self) -> None:
        """Show the things once for all changes of this turn of the event loop."""
        self._refresh_timer.start(0)

    # --- showing ----------------------------------------------------------------------------

    def show_things(self) -> None:
        """Show the things as they are now, and give the text of one just placed the keyboard."""
        self._refresh_timer.stop()
        things = self._things()
        kinds = self._kinds()
        self.setVisible(bool(things))
        if not things:
            return
        self.heading.setText(self._heading(things, kinds))
        rules = self._document.battlemap.system.thing_rules
        self._settings, values = settings_of_things(things, kinds, rules)
        self.form.set_settings(self._settings, values)
        self.label_focus.focus_if_placed(kinds.get(things[0].kind))

    def _on_thing_placed(self) -> None:
        """Show the thing that was just placed, and give its text the keyboard then."""
        self.label_focus.focus_next_shown()
        self._show_soon()

    def _things(self) -> list[Thing]:
        """Return the things that are shown: the picked ones, or the one that is placed next."""
        if self._document.picked:
            return self._document.picked
        if self._options.thing is not None:
            return [self._options.thing]
        return []

    def _kinds(self) -> dict[str, ThingKind]:
        """Return the kinds of the map and of the things that are shown, by name."""
        battlemap = self._document.battlemap
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        for thing in self._things():
            if thing.kind in kinds:
                continue
            # A kind of the game that the map does not declare.
            kind = battlemap.system.thing_kind(battlemap, thing.kind)
            if kind is not None:
                kinds[kind.name] = kind
        return kinds

    def _heading(self, things: Sequence[Thing], kinds: Mapping[str, ThingKind]) -> str:
        """Return the text above the form: the thing, or the number of several."""
        if len(things) > 1:
            return counted(len(things), "thing")
        text = thing_text(things[0], kinds)
        if self._document.picked:
            return text
        return f"New: {text}"

    # --- changing ---------------------------------------------------------------------------

    def _commit(self, name: str) -> None:
        """Give the value of the field ``name`` to all things that are shown."""
        value = self.form.values()[name]
        things = self._things()
        new_things = [change_thing(thing, name, value) for thing in things]
        if new_things == things:
            return
        if name == OWNER:
            self._options.choose_owner(new_things[0].owner)
        if not self._document.picked:
            self._options.choose(thing=new_things[0])  # the form shows the thing placed next
            return
        if name == ANGLE and self._options.is_one_of_next_kind(things):
            self._turn_next_thing(new_things[0].angle)
        self._push_change(name, new_things)

    def _turn_next_thing(self, angle: float) -> None:
        """Place the next thing at an angle: who has turned a wall goes on with the next one so."""
        next_thing = self._options.thing
        if next_thing is not None:
            self._options.choose(thing=replace(next_thing, angle=angle))

    def _push_change(self, name: str, new_things: Sequence[Thing]) -> None:
        """Change the field ``name`` of the picked things by one undo step.

        The change can be refused, as for a locked layer; the document tells why.
        """
        title = next(setting.title for setting in self._settings if setting.name == name)
        edit = change_things(self._document.battlemap, new_things)
        self._document.push(edit, f"Change {title.lower()}")
        self._show_soon()  # after a refusal the form shows the old value again
