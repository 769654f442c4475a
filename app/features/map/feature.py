"""Makes the panel of the map's properties and the commands of the menu Map.

``make`` is called once for a desk, by the list of features. The commands fill edges with hexsides
(``EdgeFills``), change the shape of the map (``Transforms``), name its cells, and change its
properties (``property_commands.py``); these are made again when a map of another system becomes
current.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Change, Command, slug
from app.desk.desk import Desk
from app.features.map.edge_fills import EdgeFills
from app.features.map.erase import erase_map
from app.features.map.panel import PropertiesPanel
from app.features.map.property_commands import leave_panel, property_commands, water_commands
from app.features.map.transforms import Transforms
from app.qt_guard import connect
from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.edits.record_edits import name_cells
from randomizer.model.grid.cell_naming import CellNaming, NamingStyle
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.settings.setting import Setting
from randomizer.model.system.edges import EdgeFill
from randomizer.variations.generator import variations_of

if TYPE_CHECKING:
    pass


VARIATIONS_TEXT = (
    "Each has as many {cells} of each terrain and elevation, in clumps as on this map, and as much "
    "can be reached from each side. Locked {cells}, things, routes and rivers stay where they are."
)
"""The text of the dialog for variations, a template for ``cell_text``."""

_NAMING_SETTINGS = (
    Setting(
        "style",
        str,
        "How a column and a row make a name",
        default=NamingStyle.JOINED.value,
        choices=(
            (NamingStyle.JOINED.value, "0304"),
            (NamingStyle.DOTTED.value, "03.04"),
            (NamingStyle.LETTERS.value, "C4"),
        ),
        title="Names like",
    ),
    Setting(
        "first",
        int,
        "The number of the first row, and column",
        default=1,
        choices=((0, "0"), (1, "1")),
        title="From",
    ),
    Setting(
        "step",
        int,
        "Which names the map shows",
        default=1,
        choices=((1, "all"), (5, "every fifth column and row")),
        title="Shown",
    ),
)
"""The settings of the names of cells; they have the names of the fields of ``CellNaming``."""


def make(desk: Desk) -> PropertiesPanel:
    """Return the panel of the map's properties, and add the commands of the menu Map."""
    panel = PropertiesPanel(desk.document)
    transforms = Transforms(desk)
    fills = EdgeFills(desk)
    desk.commands.add(_fill_commands(desk, fills))
    desk.commands.add(_turning_commands(transforms))
    desk.commands.add(_size_commands(desk, transforms))
    desk.commands.add(_content_commands(desk, transforms))
    desk.commands.add(property_commands(desk, panel))
    # This command is asked for whenever its menu opens; those of properties have shortcuts, so that
    # they must be there before.
    desk.commands.add_source("properties.*", partial(water_commands, desk, panel))
    connect(panel.entered, partial(leave_panel, desk, panel))
    connect(
        panel.properties_replaced,
        lambda: desk.commands.replace("map.property.*", property_commands(desk, panel)),
    )
    connect(
        panel.properties_replaced,
        lambda: desk.commands.add(_fill_commands(desk, fills)),
    )
    return panel


def _fill_commands(desk: Desk, fills: EdgeFills) -> list[Command]:
    """Return a command for each rule of the map's system that fills edges with hexsides.

    Rules that have a command already, of a map before, get no other one.
    """

    def has_rule(fill: EdgeFill) -> bool:
        """Return whether the map's system has the rule, and its terrain set such a hexside.

        A hexside that does not say where it belongs does not count.
        """
        battlemap = desk.document.battlemap
        if fill not in battlemap.system.edge_fills:
            return False
        for hexside in battlemap.terrain_set.hexsides:
            if hexside.letter == fill.letter and (hexside.drops or hexside.beside):
                return True
        return False

    commands = []
    for fill in desk.document.battlemap.system.edge_fills:
        command_id = f"map.{slug(fill.title)}"
        if command_id in desk.commands:
            continue
        command = Command(
            command_id,
            fill.title,
            partial(fills.run, fill),
            tip="On the whole map, or where selected; edges with a {side} stay as they are",
            icon=fill.icon,
            words="edges sides border cliffs walls automatic",
            offered=partial(has_rule, fill),
            follows=Change.MAP,
        )
        commands.append(command)
    return commands


def _turning_commands(transforms: Transforms) -> tuple[Command, ...]:
    """Return the commands that turn and mirror the map."""
    by_one_side = "The whole map, by one side"
    mirror = "Mirror the map"
    return (
        Command(
            "map.turn-right",
            "Turn &right",
            transforms.turn_right,
            tip=by_one_side,
            icon="redo",
            words="rotate clockwise",
        ),
        Command(
            "map.turn-left",
            "Turn &left",
            transforms.turn_left,
            tip=by_one_side,
            icon="undo",
            words="rotate counterclockwise anticlockwise",
        ),
        Command(
            "map.flip-horizontally",
            "Flip &horizontally",
            partial(transforms.flip, upside_down=False),
            tip=mirror,
            icon="flip",
            words="mirror reflect",
        ),
        Command(
            "map.flip-vertically",
            "Flip &vertically",
            partial(transforms.flip, upside_down=True),
            tip=mirror,
            words="mirror reflect upside down",
        ),
    )


def _size_commands(desk: Desk, transforms: Transforms) -> tuple[Command, ...]:
    """Return the commands that change the grid of the map, or the names of its cells."""
    return (
        Command(
            "map.resize",
            "Re&size...",
            transforms.resize,
            tip="Give the map more columns and rows, or fewer",
            why_not=transforms.why_not_resize,
            follows=Change.MAP,
            words="larger smaller crop grow columns rows dimensions width height extend",
        ),
        Command(
            "map.shift",
            "S&hift...",
            transforms.shift,
            tip="Move everything; what leaves comes in again",
            words="move scroll offset wrap",
        ),
        Command(
            "map.finer-cells",
            "Finer {cells}...",
            transforms.ask_for_finer_cells,
            tip="Cut each {cell} into smaller ones",
            why_not=transforms.why_not_resize,
            follows=Change.MAP,
            words="subdivide split scale detail resolution",
        ),
        Command(
            "map.cell-names",
            "Names of {cells}...",
            partial(_ask_naming, desk),
            tip="How {cells} are named: 0304, 03.04 or C4, from 0 or 1",
            offered=lambda: desk.document.battlemap.system.own_cell_names,
            follows=Change.MAP,
            words="numbering labels coordinates 0304 letters",
        ),
    )


def _content_commands(desk: Desk, transforms: Transforms) -> tuple[Command, ...]:
    """Return the commands that arrange what is on the map otherwise, or erase it."""
    return (
        Command(
            "map.make-symmetric",
            "Make s&ymmetric...",
            transforms.ask_for_symmetry,
            tip="Copy one part of the map to the others",
            why_not=transforms.why_not_symmetric,
            follows=Change.MAP,
            words="symmetry mirror rotate fair",
        ),
        Command(
            "map.variations",
            "&Variations...",
            partial(_ask_variations, desk),
            tip="Maps with the same terrains arranged otherwise, in the gallery",
            offered=lambda: variations_of(desk.document.battlemap.system) is not None,
            follows=Change.MAP,
            words="alternatives similar gallery shuffle",
        ),
        Command(
            "map.erase-map",
            "&Erase map",
            partial(erase_map, desk.document),
            tip="One empty layer in place of all (Undo brings them back)",
            keys="Ctrl+Del",
            icon="eraser",
            words="clear empty delete blank start over",
        ),
    )


def _ask_variations(desk: Desk) -> None:
    """Ask for the settings of variations, then show some in the gallery.

    They are rolled by a generator, as maps of a script are.
    """
    generator = variations_of(desk.document.battlemap.system)
    assert generator is not None, "the command is offered only where there is one"
    layout = desk.document.battlemap.grid.layout

    def show(values: dict[str, object]) -> None:
        desk.rolling.variations.begin(values)
        desk.docks.show("gallery")

    # Settings without a title are not asked for.
    settings = [setting.filled(layout) for setting in generator.settings if setting.title]
    text = cell_text(VARIATIONS_TEXT, layout)
    FormDialog("Variations", text, settings, {}, show, desk.frame).open()


def _ask_naming(desk: Desk) -> None:
    """Ask how the cells are to be named, then name them."""

    def name_by(values: dict[str, object]) -> None:
        first = values["first"]
        step = values["step"]
        assert isinstance(first, int), "its setting is of this kind"
        assert isinstance(step, int), "its setting is of this kind"
        naming = CellNaming(NamingStyle(str(values["style"])), first, step)
        desk.document.push(name_cells(desk.document.battlemap, naming), "Name cells")

    naming = desk.document.battlemap.grid.naming
    text = "Locks, filters and files use these names; 0101, from 1 on, is always understood."
    title = cell_text("Names of {cells}", desk.document.battlemap.grid.layout)
    FormDialog(title, text, _NAMING_SETTINGS, naming._asdict(), name_by, desk.frame).open()
