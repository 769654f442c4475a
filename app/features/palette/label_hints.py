"""Messages about the form of things while its label or text is typed for a thing just placed."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.desk.desk import Desk
from app.features.palette.thing_form import ThingForm
from app.qt_guard import connect, later


class LabelHints(QObject):
    """Tells where keys go while a label is typed, and whether the map shows it afterwards."""

    def __init__(self, desk: Desk, form: ThingForm) -> None:
        super().__init__(form)
        self._desk = desk
        connect(form.label_focus.field_entered, self.tell_of_keyboard)
        connect(form.label_focus.map_focus_requested, self.end_naming)

    def tell_of_keyboard(self, field_name: str) -> None:
        """Tell that keys go into the form now, and how the map gets them again.

        Nothing is said if the tool has a message about the placed thing, such as that the game will
        not accept it there: that one stays.
        """
        tools = self._desk.tools
        if tools.things.result_text(self._desk.document):
            return
        if field_name == "label":
            self._desk.say_until_next_step("Type its label. Enter or Escape returns to the map.")
        else:
            self._desk.say_until_next_step("Type its text. Escape returns to the map.")

    def end_naming(self) -> None:
        """Give the map the keyboard again after Enter in the label of a thing."""
        self._desk.canvas.setFocus()
        later(self, self._tell_unseen_label)  # by then the map has the label

    def _tell_unseen_label(self) -> None:
        """Tell how to see the label of the picked thing if the map does not show it."""
        desk = self._desk
        picked = desk.document.picked
        if len(picked) != 1 or not picked[0].label:
            return
        label = picked[0].label
        names = desk.renderer.names(desk.document.battlemap, desk.canvas.viewport.scale)
        texts_on_map = {_without_spaces(text) for text in names.texts}
        if _without_spaces(label) not in texts_on_map:
            desk.say(f"“{label}” is seen from nearer: turn the wheel, or zoom in.")


def _without_spaces(text: str) -> str:
    """Return a text without spaces: names of regions are drawn with spaced letters."""
    return "".join(text.split())
