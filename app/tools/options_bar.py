"""The bar of tool options: the options of the chosen tool, and a line on how to use it.

It has a group of fields for each name of ``Tool.uses``; ``show_tool`` shows those of a tool. A
field writes into ``ToolOptions``, and shows the option again after each change there. ``show_map``
is called when another map is current, or when its terrains or size have changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from app.document.cell_texts import CellTexts
from app.qt_guard import connect
from app.render.scene.things.looks import Look
from app.tools.mixture_field import MixtureField
from app.tools.options import OPTIONS, ElevationMode
from app.tools.owner_field import OwnerField
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.forms.setting_fields import setting_field
from app.widgets.forms.setting_widget import SettingField
from app.widgets.layout.builders import (
    add_to_bar,
    plain_label,
    plain_text,
)
from app.widgets.layout.elided_label import ElidedLabel
from randomizer.geometry.height_brush import HeightMode
from randomizer.geometry.symmetry import kinds
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.settings.setting import Setting
from randomizer.model.system.heights_and_water import PLAIN_HEIGHTS
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools import Tool, ToolOptions
    from randomizer.model.edits.edit import Region

MODE_TIPS = {
    HeightMode.RAISE: "Raise the corners under the brush; held still it goes on",
    HeightMode.LOWER: "Lower the corners under the brush; held still it goes on",
    HeightMode.SMOOTH: "Bring every corner nearer to the mean of its neighbours",
    HeightMode.FLATTEN: "Make a plateau as high as the land under the press, with a soft rim",
    HeightMode.LEVEL: "Make a plateau of a height of your own",
    HeightMode.ROUGHEN: "Cover the land with bumps, the same for the same pattern; held still more",
}
"""The tips of the field for the mode of the height brush, by its mode."""

MODES_WITH_AMOUNT = (HeightMode.RAISE, HeightMode.LOWER, HeightMode.ROUGHEN)
"""The modes that change heights by an amount; the others go a part of the way to a height."""

MODES_WITH_STEP = (ElevationMode.RAISE, ElevationMode.LOWER, ElevationMode.ROUGHEN)
"""The modes of the elevation brush that change elevations by a step."""

FINE_HEIGHT = 0.01
"""The smallest amount of the height brush on maps whose heights are no whole numbers."""

USUAL_WHOLE_AMOUNT = 100
"""The amount of the height brush at first on maps whose heights are whole numbers."""

USUAL_AMOUNT = 2
"""The amount at first on all other maps, in the unit that the user sees."""

NEXT_WIDTH = 240
"""The text about the next thing is at most so wide, in logical pixels; longer names are elided."""

NEXT_LOOK = 22
"""The width and height of the picture beside that text, in logical pixels."""


class ToolOptionsBar(QToolBar):
    """Shows the options that the chosen tool uses, and no others."""

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        super().__init__("Tool options")
        self.setObjectName("tool-options")
        self._options = options
        self._document = document
        self._groups: dict[str, QAction] = {}
        """The groups of fields, by the names of ``Tool.uses``."""
        self._fields: dict[str, SettingField] = {}
        """The fields of ``OPTIONS``, by name."""
        self._labels: dict[str, QLabel] = {}
        """The labels before these fields, by name; not every field has one."""
        self._scale = PLAIN_HEIGHTS
        """The scale in which the heights of corners are shown."""
        self._tool: Tool | None = None
        """The tool whose fields are shown, None before the first one."""
        self._why_no_paint = ""
        """The reason why no tool paints now; "" if they do."""
        self.mixture = MixtureField(options, document)
        """The field for the mixture of the random brush."""
        self.next_look = plain_label()
        """The look of the thing that is placed next, in the colour of its owner."""
        self.next_text = ElidedLabel()
        """Says what is placed next."""
        self.owner = OwnerField(options, document)
        """The field for the owner of the thing that is placed next."""
        self.symmetry = pass_wheel_on(QComboBox())
        """The list of the kinds of symmetry that the current map can have."""
        self.middle = QToolButton()
        """The button that puts the centre of the symmetry back into the middle of the map."""
        self.tip = ElidedLabel(lines=2, sentences=True)
        """Says how the tool is used, or why it does nothing now."""

        self._add_options()
        self._add_group("weights", self.mixture)
        self._add_next_thing()
        self._add_group("owner", self.owner)
        self._add_symmetry()
        self._add_tip()
        connect(options.changed, self._show_options)
        connect(document.changed, self._on_changed)
        self.show_map()

    def _add_options(self) -> None:
        """Add a group of fields for each group of ``OPTIONS``."""
        texts = CellTexts(self._document, self)
        for group, settings in groupby(OPTIONS, attrgetter("group")):
            widgets: list[QWidget] = []
            for setting in settings:
                widgets.extend(self._make_field(setting, texts))
            self._add_group(group, *widgets)

    def _add_next_thing(self) -> None:
        """Add the look and the name of the thing that is placed next."""
        self.next_text.setAccessibleName("What is placed next")
        self._add_group("next_thing", self.next_look, self.next_text)

    def _add_symmetry(self) -> None:
        """Add the fields for the kind and the centre of the symmetry."""
        self.symmetry.setAccessibleName("Symmetry")
        self.symmetry.setToolTip("What is painted is painted at its twins too")
        self.symmetry.setMinimumContentsLength(22)
        self.symmetry.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.middle.setText("Middle")
        self.middle.setToolTip("Put the centre back into the middle; C chooses another")
        self._add_group("symmetry", plain_label("Symmetry"), self.symmetry, self.middle)
        connect(self.symmetry.activated, self._choose_symmetry)
        connect(self.middle.clicked, self._choose_middle)

    def _choose_symmetry(self) -> None:
        self._options.choose(symmetry_kind=self.symmetry.currentData())

    def _choose_middle(self) -> None:
        """Choose the middle of the map as the centre of the symmetry."""
        self._options.choose(centre=None)

    def _add_tip(self) -> None:
        """Add the tip behind all groups; it takes the room that they leave."""
        self.tip.setContentsMargins(6, 0, 0, 0)
        self.tip.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(self.tip)
        # The bar is as high as with all groups: so it does not move the map with another tool.
        self.setMinimumHeight(self.sizeHint().height())

    def field(self, name: str) -> QWidget:
        """Return the widget of one of ``OPTIONS``."""
        return self._fields[name].widget

    def _make_field(self, setting: Setting, texts: CellTexts) -> Iterator[QWidget]:
        """Make the field of an option; yield its label, if it needs one, and its widget.

        A check box has its title itself, and a field that is ``beside`` another one needs none.
        """
        name = setting.name
        field = setting_field(setting, partial(self._choose, name))
        self._fields[name] = field
        texts.keep_filled(field.widget.setToolTip, setting.help)
        texts.keep_filled(field.widget.setAccessibleName, setting.title)
        if isinstance(field.widget, QCheckBox):
            texts.keep_filled(field.widget.setText, setting.title)
        elif not setting.beside:
            label = plain_label(setting.title)
            label.setBuddy(field.widget)
            self._labels[name] = label
            yield label
        yield field.widget

    def _add_group(self, name: str, *widgets: QWidget) -> None:
        """Add a group of widgets that is shown for tools which use ``name``."""
        group = QWidget()
        line = QHBoxLayout(group)
        line.setContentsMargins(4, 0, 8, 0)
        for widget in widgets:
            line.addWidget(widget)
        self._groups[name] = add_to_bar(self, group)

    def show_tool(self, tool: Tool) -> None:
        """Show the options and the tip of a tool."""
        for name, action in self._groups.items():
            action.setVisible(name in tool.uses)
        self._tool = tool
        self._show_tip()

    def show_why_no_paint(self, reason: str) -> None:
        """Show the reason why no tool paints now in place of a painting tool's tip; "" ends it."""
        self._why_no_paint = reason
        self._show_tip()

    def _show_tip(self) -> None:
        """Show how the tool is used on the current map, or why it does nothing there now."""
        battlemap = self._document.battlemap
        template = ""
        if self._tool is not None:
            template = self._tool.tip_on(battlemap.system)
            if self._tool.changes_planes and self._why_no_paint:
                template = self._why_no_paint
        self.tip.setText(cell_text(template, battlemap.grid.layout))

    def _on_changed(self, region: Region) -> None:
        """Show the next thing again if an edit may have changed its name or colour."""
        if region.records or region.structure:  # players may have other names and colours
            self._show_next_thing()

    def _show_next_thing(self) -> None:
        """Show what a click on the ground places; ``OwnerField`` says for whom."""
        thing = self._options.thing
        self.next_look.setVisible(thing is not None)
        if thing is None:
            self._set_next_text("Next: nothing")
            return
        battlemap = self._document.battlemap
        kind = battlemap.system.thing_kind(battlemap, thing.kind)
        title = thing.kind
        if kind is not None:
            title = kind.title
        self._set_next_text(f"Next: {title}")
        look = Look.of(kind, thing.kind, thing.owner, 0.0)
        self.next_look.setPixmap(look.picture(NEXT_LOOK, self.devicePixelRatioF()))

    def _set_next_text(self, text: str) -> None:
        """Show a text about the next thing, as wide as it is, up to ``NEXT_WIDTH``."""
        self.next_text.setText(text)
        width = self.next_text.fontMetrics().horizontalAdvance(text) + 2
        self.next_text.setFixedWidth(min(width, NEXT_WIDTH))

    def show_map(self) -> None:
        """Offer the symmetries, terrains and heights that the current map can have."""
        battlemap = self._document.battlemap
        with QSignalBlocker(self.symmetry):
            self.symmetry.clear()
            for kind, words in kinds(battlemap.grid):
                self.symmetry.addItem(words, kind)
        self.mixture.show_map()
        self._adopt_height_scale(battlemap.system)
        self.owner.show_owner()
        self._show_tip()
        self._show_options()

    def _adopt_height_scale(self, system: System) -> None:
        """Offer the heights that corners of maps of a system can have, in its scale.

        In another scale than before, the usual heights are chosen.
        """
        if system.height is None:
            return
        lowest, highest = system.height.limits
        scale = system.height_scale
        has_whole_heights = scale.units == 1
        if has_whole_heights:
            usual_amount = USUAL_WHOLE_AMOUNT
            min_amount = 1.0
            decimals = 0
        else:
            usual_amount = round(USUAL_AMOUNT * scale.units)  # as maps store it
            min_amount = FINE_HEIGHT
            decimals = 2

        # Options have heights as maps store them: in another scale they would mean other heights.
        if scale != self._scale:
            self._scale = scale
            self._options.choose(corner_level=scale.stored(0.0), corner_amount=usual_amount)
        largest_amount = (highest - lowest) / scale.units
        self._set_range("corner_level", scale.shown(lowest), scale.shown(highest), decimals)
        self._set_range("corner_amount", min_amount, largest_amount, decimals)

    def _set_range(self, name: str, lowest: float, highest: float, decimals: int) -> None:
        """Set the range of the field of an option that is a height, without choosing anything."""
        box = self.field(name)
        assert isinstance(box, QDoubleSpinBox)
        with QSignalBlocker(box):
            box.setDecimals(decimals)
            box.setRange(lowest, highest)

    def _choose(self, name: str) -> None:
        """Choose the value of the field of an option; heights are converted to those of maps."""
        value: Any = self._fields[name].value()
        if name == "corner_amount":
            value = max(1, round(value * self._scale.units))
        elif name == "corner_level":
            value = self._scale.stored(value)
        self._options.choose(**{name: value})

    def _show_options(self) -> None:
        """Show the chosen options in all fields, without choosing anything by that."""
        options = self._options
        values = {name: getattr(options, name) for name in self._fields}
        values["corner_amount"] /= self._scale.units
        values["corner_level"] = self._scale.shown(options.corner_level)
        for name, value in values.items():
            self._fields[name].show(value)
        self.field("step").setEnabled(options.height_mode in MODES_WITH_STEP)
        self._show_mode(options.corner_mode)
        self._show_next_thing()

        with QSignalBlocker(self.symmetry):
            # -1 for a kind that this grid lacks: then there is none, the first item.
            index = self.symmetry.findData(options.symmetry_kind)
            self.symmetry.setCurrentIndex(max(0, index))
        self.middle.setEnabled(options.centre is not None)
        self.mixture.show_weights()

    def _show_mode(self, mode: HeightMode) -> None:
        """Show only the options of the height brush that matter in a mode."""
        self.field("corner_mode").setToolTip(plain_text(MODE_TIPS[mode]))
        is_visible_by_name = {
            "corner_amount": mode in MODES_WITH_AMOUNT,
            "corner_strength": mode not in MODES_WITH_AMOUNT,
            "corner_level": mode is HeightMode.LEVEL,
            "corner_key": mode is HeightMode.ROUGHEN,
        }
        for name, is_visible in is_visible_by_name.items():
            self.field(name).setVisible(is_visible)
            self._labels[name].setVisible(is_visible)
