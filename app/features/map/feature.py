"""The map as a whole: its properties, turning and resizing it, filling its edges."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.commands.commands import Change, Command, slug
from app.desk.desk import Desk
from app.features.map.edge_fills import EdgeFills
from app.features.map.erase import erase_map
from app.features.map.panel import PropertiesPanel
from app.features.map.transforms import Transforms
from app.qt_guard import connect
from app.widgets.forms.form_dialog import FormDialog
from randomizer.model.edits.record_edits import name_cells
from randomizer.model.grid.cell_naming import CellNaming
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.settings.setting import Setting
from randomizer.model.system.property import Property, PropertyKind
from randomizer.model.system.system import EdgeFill
from randomizer.variations.generator import variations_of

if TYPE_CHECKING:
    from app.document.document import MapDocument


VARIATIONS_KEEP = (
    "Each has as many {cells} of each terrain and elevation, in clumps as on this map, and as much "
    "can be reached from each side. Locked {cells}, things, routes and rivers stay where they are."
)

_NAMING = (
    Setting(
        "style",
        str,
        "How a column and a row make a name",
        default="joined",
        choices=(("joined", "0304"), ("dotted", "03.04"), ("letters", "C4")),
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


def make(desk: Desk) -> PropertiesPanel:
    """Return the panel of the map's properties, and the commands of the menu Map."""
    panel = PropertiesPanel(desk.document)
    desk.commands.add(_fills(desk))
    desk.commands.add(_transforms(desk))
    desk.commands.add(_properties(desk, panel))
    desk.commands.add_source("properties.*", partial(_fields, desk, panel))
    connect(panel.entered, desk.canvas.setFocus)  # what is typed next is for the map
    connect(
        panel.properties_replaced,
        lambda: desk.commands.replace("map.property.*", _properties(desk, panel)),
    )
    return panel


def _fills(desk: Desk) -> list[Command]:
    fills = EdgeFills(desk)

    def offers(fill: EdgeFill) -> bool:
        return any(
            hexside.letter == fill.letter and (hexside.drops or hexside.beside)
            for hexside in desk.document.battlemap.terrain_set.hexsides
        )

    return [
        Command(
            f"map.{slug(fill.title)}",
            fill.title,
            partial(fills.run, fill),
            tip="On the whole map, or where selected; edges with a {side} stay as they are",
            icon=fill.icon,
            words="edges sides border cliffs walls automatic",
            offered=partial(offers, fill),
            follows=Change.MAP,
        )
        for fill in desk.document.battlemap.system.edge_fills
    ]


def _transforms(desk: Desk) -> tuple[Command, ...]:
    do = Transforms(desk)
    by_one_side = "The whole map, by one side"
    mirror = "Mirror the map"
    return (
        Command(
            "map.turn-right",
            "Turn &right",
            partial(do.turn, 1),
            tip=by_one_side,
            icon="redo",
            words="rotate clockwise",
        ),
        Command(
            "map.turn-left",
            "Turn &left",
            partial(do.turn, -1),
            tip=by_one_side,
            icon="undo",
            words="rotate counterclockwise anticlockwise",
        ),
        Command(
            "map.flip-horizontally",
            "Flip &horizontally",
            partial(do.flip, upside_down=False),
            tip=mirror,
            icon="flip",
            words="mirror reflect",
        ),
        Command(
            "map.flip-vertically",
            "Flip &vertically",
            partial(do.flip, upside_down=True),
            tip=mirror,
            words="mirror reflect upside down",
        ),
        Command(
            "map.resize",
            "Re&size...",
            do.resize,
            tip="Give the map more columns and rows, or fewer",
            why_not=do.why_not_resize,
            follows=Change.MAP,
            words="larger smaller crop grow columns rows dimensions width height extend",
        ),
        Command(
            "map.shift",
            "S&hift...",
            do.shift,
            tip="Move everything; what leaves comes in again",
            words="move scroll offset wrap",
        ),
        Command(
            "map.finer-cells",
            "Finer {cells}...",
            do.finer,
            tip="Cut each {cell} into smaller ones",
            why_not=do.why_not_resize,
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
        Command(
            "map.make-symmetric",
            "Make s&ymmetric...",
            do.symmetric,
            tip="Copy one part of the map to the others",
            why_not=do.why_not_symmetric,
            follows=Change.MAP,
            words="symmetry mirror rotate fair",
        ),
        Command(
            "map.variations",
            "&Variations...",
            partial(_ask_variations, desk),
            tip="Maps with the same terrains arranged otherwise, in the gallery",
            offered=lambda: desk.document.battlemap.system.hexside is not None,
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
    """Ask what variations keep, then show them in the gallery."""
    generator = variations_of(desk.document.battlemap.system)
    assert generator is not None, "offered then only"
    layout = desk.document.battlemap.grid.layout

    def show(values: dict[str, object]) -> None:
        desk.rolling.variations.begin(values)
        desk.docks.show("gallery")

    settings = [setting.filled(layout) for setting in generator.settings if setting.title]
    text = cell_text(VARIATIONS_KEEP, layout)
    FormDialog("Variations", text, settings, {}, show, desk.frame).open()


def _ask_naming(desk: Desk) -> None:
    """Ask how the cells are named, then name them so."""

    def name(values: dict[str, object]) -> None:
        naming = CellNaming(*(values[setting.name] for setting in _NAMING))  # type: ignore[arg-type]
        desk.document.push(name_cells(desk.document.battlemap, naming), "Name cells")

    naming = desk.document.battlemap.grid.naming
    text = "Locks, filters and files use these names; 0101, from 1 on, is always understood."
    title = cell_text("Names of {cells}", desk.document.battlemap.grid.layout)
    FormDialog(title, text, _NAMING, naming._asdict(), name, desk.frame).open()


def _properties(desk: Desk, panel: PropertiesPanel) -> list[Command]:
    """Return a command for each flag, list and text of the current system."""
    document = desk.document
    commands = []
    for prop in document.battlemap.system.properties:
        if prop.kind is PropertyKind.FLAG:
            commands.append(_flag(document, panel, prop))
        elif prop.kind is PropertyKind.NAMES:
            commands.append(_removal(document, panel, prop))
        elif prop.kind is PropertyKind.TEXT:
            commands.append(_text(desk, panel, prop))
    return commands


def _fields(desk: Desk, panel: PropertiesPanel) -> list[Command]:
    """Return a command for each field of the panel that is no property."""
    if panel.water is None:
        return []
    level = partial(desk.docks.use, "properties", panel.water.slider)
    tip = "How high the water stands"
    return [Command("properties.water", "Water", level, tip=tip, words="sea level depth height")]


def _text(desk: Desk, panel: PropertiesPanel, known_property: Property) -> Command:
    """Return the command that gives the field of a text, in the panel Map, the keyboard."""
    return Command(
        f"map.property.{known_property.name}",
        f"{known_property.title}...",
        partial(desk.docks.use, "properties", panel.rows[known_property.name].editor),
        tip=known_property.help,
        words="property name text",
    )


def _flag(document: MapDocument, panel: PropertiesPanel, known_property: Property) -> Command:
    def value() -> bool:
        return bool(known_property.of(document.composite.properties))

    return Command(
        f"map.property.{known_property.name}",
        known_property.title,
        lambda: panel.set_property(known_property.name, not value()),
        tip=known_property.help,
        checked=value,
        words="property",
    )


def _removal(document: MapDocument, panel: PropertiesPanel, known_property: Property) -> Command:
    def why_not() -> str:
        has = bool(known_property.of(document.composite.properties))
        if has:
            return ""
        return f"The map has no {known_property.label.lower()}."

    return Command(
        f"map.property.{known_property.name}",
        f"Remove {known_property.title.lower()}",
        partial(panel.remove, known_property.name),
        tip=f"The map has no {known_property.label.lower()} any more",
        icon="cell-list",
        words="clear delete list property",
        why_not=why_not,
    )
