"""The form of a table that is laid by dice: its choices, grouped by the parts of the page.

    2 Rivers and water                 [eye] [dice]     show or hide the layer, throw it again
    Rivers             [ 1 ] [Add a river]
    A region of lakes  [ ]

The dice panel has one ``TableForm``; ``DiceController`` applies what is chosen in it.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QComboBox, QLayout, QSpinBox, QToolButton

from app.appearance.icons import icon
from app.qt_guard import connect
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import described, plain_text, tool_button
from app.widgets.layout.wrapping_row import side_by_side
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.choices import MAX_ROUTES, SETTINGS, Choices, CountedRoute
from randomizer.systems.cordery.dice import tables
from randomizer.systems.cordery.page_parts import HEADINGS, TITLES

ROWS = tuple(setting for setting in SETTINGS if setting.group)
"""The settings that the form asks for: all that belong to a part of the page."""

NOT_LAID = "Not on the table yet"
"""The tip of buttons for a part that is not laid."""

COUNTRIES_OF_COVERS = {
    "relief": "Usual for the cover (undulating)",
    tables.DESERT: "Usual for a desert (flat)",
    tables.FORESTED: "Usual for a forest (undulating)",
}
"""The text of the choice of no country, by the cover that sets it (``tables.RELIEF_OF_COVER``)."""


LETTERS_OF_CHOICES = 12
"""The boxes of choices are at least so many letters wide."""


def narrow(box: QComboBox, letters: int) -> QComboBox:
    """Let a box be no wider than so many letters need, so that it does not widen the panel.

    Return the same box.
    """
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(letters)
    return box


class TableForm(SettingsForm):
    """The choices for each part of the page, with buttons for its layer and its dice."""

    throw_wanted = Signal(str)
    """The dice of this part are to be thrown again."""

    show_wanted = Signal(str, bool)
    """The layer of this part is to be shown or hidden."""

    def __init__(self) -> None:
        super().__init__()
        self.add_buttons: dict[str, QToolButton] = {}
        """The buttons that add one more river, road or railway, by the name of its setting."""
        self.show_buttons: dict[str, QToolButton] = {}
        """The buttons that show and hide layers, by part."""
        self.throw_buttons: dict[str, QToolButton] = {}
        """The buttons that throw the dice of a part again, by part."""
        # The icons of eye buttons; ``draw_icons`` draws them in the colours of the palette.
        self._open_eye = QIcon()
        self._closed_eye = QIcon()
        self.set_settings(ROWS, {})
        for part, heading in HEADINGS.items():
            self._add_part_buttons(part, self.heading(heading))
        for route in Choices().routes:
            self._add_more_button(route)
        for setting in ROWS:
            field = self.field(setting.name)
            if isinstance(field, QComboBox):
                narrow(field, LETTERS_OF_CHOICES)

    def _add_part_buttons(self, part: str, heading: QLayout) -> None:
        """Add the two buttons of a part to its heading: show or hide its layer, throw it again."""
        eye = described(QToolButton(autoRaise=True), f"Show: {TITLES[part]}")
        eye.setCheckable(True)
        throw_button = described(QToolButton(autoRaise=True), f"Throw again: {TITLES[part]}")
        heading.addWidget(side_by_side(eye, throw_button, right=True))
        connect(eye.clicked, lambda shown: self.show_wanted.emit(part, shown))
        connect(throw_button.clicked, lambda: self.throw_wanted.emit(part))
        self.show_buttons[part] = eye
        self.throw_buttons[part] = throw_button

    def _add_more_button(self, route: CountedRoute) -> None:
        """Add a button for one more route to the row of the number of its kind."""
        more = tool_button(
            f"Add a {route.noun}",
            f"The table gets one more {route.noun}, whose course its own dice decide; what stands "
            "there already keeps its dice",
        )
        connect(more.clicked, lambda: self._add_one(route))
        self.row(route.setting).addWidget(more)
        self.add_buttons[route.setting] = more

    def _add_one(self, route: CountedRoute) -> None:
        """Choose one more route of a kind, as long as the field allows it."""
        field = self.field(route.setting)
        assert isinstance(field, QSpinBox)
        if field.value() < field.maximum():
            field.setValue(field.value() + 1)

    def draw_icons(self) -> None:
        """Draw the icons in the palette's colour."""
        self._open_eye = icon("eye")
        self._closed_eye = icon("eye-off")
        throw_icon = icon("reroll")
        for part, eye in self.show_buttons.items():
            self._draw_eye(eye)
            self.throw_buttons[part].setIcon(throw_icon)

    def _draw_eye(self, eye: QToolButton) -> None:
        if eye.isChecked():
            eye.setIcon(self._open_eye)
        else:
            eye.setIcon(self._closed_eye)

    def show_choices(self, choices: Choices) -> None:
        """Show choices in all fields, and disable the buttons of routes that are at their limit."""
        country = self.field("relief")
        assert isinstance(country, QComboBox)
        country.setItemText(0, COUNTRIES_OF_COVERS[choices.cover])  # the first item: none is chosen
        self.show_values(vars(choices))
        for name, button in self.add_buttons.items():
            button.setEnabled(getattr(choices, name) < MAX_ROUTES)

    def show_parts(
        self, parts: Mapping[str, Layer], again_tips: Mapping[str, str], why_not: str
    ) -> None:
        """Show which parts are laid; ``parts`` are their layers by part.

        ``again_tips`` says for every part what happens if it is thrown again. ``why_not`` is the
        reason why none can be thrown again now, "" if they can.
        """
        for part, eye in self.show_buttons.items():
            layer = parts.get(part)
            self._show_layer(eye, layer, TITLES[part].lower())
            reason = _reason_not_to_throw(layer, why_not)
            throw_button = self.throw_buttons[part]
            throw_button.setEnabled(not reason)
            throw_button.setToolTip(plain_text(reason or again_tips[part]))

    def _show_layer(self, eye: QToolButton, layer: Layer | None, part_name: str) -> None:
        """Open or close the eye of a part by its layer, and enable it.

        If the part is not laid (None), the eye is open and disabled.
        """
        with QSignalBlocker(eye):  # the user has not clicked it
            eye.setChecked(layer is None or layer.visible)
        eye.setEnabled(layer is not None)
        if layer is None:
            tip = NOT_LAID
        elif layer.visible:
            tip = f"Hide the layer of {part_name}"
        else:
            tip = f"Show the layer of {part_name}"
        eye.setToolTip(plain_text(tip))
        self._draw_eye(eye)


def _reason_not_to_throw(layer: Layer | None, why_not: str) -> str:
    """Return why a part cannot be thrown again, "" if it can; None is a part that is not laid.

    ``why_not`` is the reason why no part can. That a layer is locked holds longer, and is told
    first.
    """
    if layer is not None and layer.locked:
        return "The layer is locked: it stays as it is."
    if layer is None and not why_not:
        return NOT_LAID
    return why_not
