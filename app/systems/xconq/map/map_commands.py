"""The commands of the menus on maps of Xconq: edge rows, the seam, shuffled and loaded units.

Each command is a public method of ``MapCommands``; ``map_feature`` calls it by its name. If a
command needs a terrain, a number or a transport, it asks for it with a form. Then it changes the
map by one undo step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.desk.desk import Desk
from app.systems.xconq.map.terrain_painting import paint_terrain
from app.widgets.forms.form_dialog import FormDialog
from randomizer.geometry.areas import Cells
from randomizer.model.basics.dice import SEED_LIMIT, fresh_seed
from randomizer.model.basics.plurals import counted
from randomizer.model.map.carriers import carriers_on
from randomizer.model.map.things_at import thing_text
from randomizer.model.settings.setting import Setting
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.map_period import period_of
from randomizer.systems.xconq.scenario.areas import edge_cells, seam_cells
from randomizer.systems.xconq.scenario.boarding import carriers_for, load, unload
from randomizer.systems.xconq.scenario.shuffle import shuffle_units
from randomizer.systems.xconq.scenario.unit_rules import CargoRules
from randomizer.systems.xconq.terrain.terrain_set import terrain_set_of
from randomizer.systems.xconq.units.unit_kinds import kinds_of

LARGEST_SEED = min(SEED_LIMIT, 10**6) - 1
"""The largest seed of a shuffle, of six digits."""

MAX_CARRIERS = 200
"""The most transports that the dialog offers, the nearest ones."""

PICK_FIRST = "No unit is picked: click one with the tool Things."
"""The message of commands for picked units if none is picked."""


class MapCommands:
    """The commands on the current map; an object is made for each time that one is used."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._document = desk.document

    # --- terrain ----------------------------------------------------------------------------

    def fill_edge_rows(self) -> None:
        """Paint both edge rows with the period's edge terrain; ask for a terrain if it has none."""
        battlemap = self._document.battlemap
        period = period_of(battlemap)
        cells = edge_cells(battlemap.grid)
        text = "Fill edge rows"
        edge = period.type_number_of("edge-terrain")
        if edge is not None:
            name = terrain_set_of(period).terrains[edge].name
            if battlemap.terrain_set.has_terrain(name):
                self._paint(cells, battlemap.terrain_set.terrain_code(name), text)
                return

        def fill(values: Mapping[str, object]) -> None:
            self._paint(cells, _int_value(values, "terrain"), text)

        about = "The period names no edge terrain. The edge rows are outside the playing area."
        self._ask(text, about, (self._terrain_setting(),), fill)

    def wall_the_seam(self) -> None:
        """Ask for a terrain and a width, and paint a stripe from south to north with it."""
        width = Setting(
            "width", int, "Of the stripe, in hexes", 1, minimum=1, maximum=9, title="Width"
        )

        def wall(values: Mapping[str, object]) -> None:
            cells = seam_cells(self._document.battlemap.grid, _int_value(values, "width"))
            self._paint(cells, _int_value(values, "terrain"), "Wall the seam")

        about = (
            "The world goes round from east to west. A stripe of a terrain that no unit can "
            "enter, and that is not used otherwise, blocks the way."
        )
        self._ask("Wall the seam", about, (self._terrain_setting(), width), wall)

    def _terrain_setting(self) -> Setting:
        """Return the setting for a terrain, with the one chosen in the palette as its default."""
        terrains = self._document.battlemap.terrain_set.terrains
        choices = tuple((code, terrain.name) for code, terrain in enumerate(terrains))
        chosen = self._desk.tools.options.terrain
        return Setting("terrain", int, "What is painted", chosen, choices, title="Terrain")

    def _paint(self, cells: Cells, code: int, text: str) -> None:
        """Paint a terrain, or tell that nothing has to be painted."""
        if not paint_terrain(self._desk, cells, code, text):
            self._desk.say(f"{text}: nothing to paint, all is so already.")

    # --- units ------------------------------------------------------------------------------

    def shuffle_units(self) -> None:
        """Ask for a number of hexes and a seed, and move the picked units, or all, at random."""
        picked_ids = [thing.id for thing in self._document.picked]
        if picked_ids:
            noun = counted(len(picked_ids), "picked unit")
        else:
            noun = "all units"
        about = (
            f"Moves {noun} over terrain that they can move on to empty hexes, with what they "
            "carry. Units that cannot move stay, and so do those aboard others."
        )
        settings = (
            Setting(
                "most", int, "How far a unit goes at most", 2, minimum=1, maximum=20, title="Hexes"
            ),
            Setting(
                "seed",
                int,
                "The same seed moves the same units alike",
                fresh_seed() % (LARGEST_SEED + 1),
                minimum=0,
                maximum=LARGEST_SEED,
                title="Seed",
            ),
        )

        def shuffle(values: Mapping[str, object]) -> None:
            self._shuffle(picked_ids, _int_value(values, "most"), _int_value(values, "seed"))

        self._ask("Shuffle units", about, settings, shuffle)

    def _shuffle(self, picked_ids: Sequence[int], max_hexes: int, seed: int) -> None:
        """Move the picked units, or all if none is picked, and tell how many have moved.

        The map may have changed while the form was open: units that are gone do not count.
        """
        document = self._document
        battlemap = document.battlemap
        old_positions = {thing.id: (thing.x, thing.y) for thing in battlemap.visible_things()}
        unit_ids = list(old_positions)  # all, if none is picked
        if picked_ids:
            unit_ids = [unit_id for unit_id in picked_ids if unit_id in old_positions]
        edit = shuffle_units(
            battlemap, document.composite, period_of(battlemap), unit_ids, max_hexes, seed
        )
        if document.push(edit, "Shuffle units"):
            moved_count = 0
            for thing in battlemap.visible_things():
                if (thing.x, thing.y) != old_positions[thing.id]:
                    moved_count += 1
            self._desk.say(f"{counted(moved_count, 'unit')} moved, seed {seed}.")
        elif edit is None:
            self._desk.say("No unit can move there.")

    def load_into(self) -> None:
        """Ask for a transport, and put the picked units into it."""
        document = self._document
        units = self._picked_units()
        if not units:
            return
        battlemap = document.battlemap
        cargo_rules = CargoRules(period_of(battlemap))
        grid = battlemap.grid
        carriers = [
            carrier
            for carrier in carriers_for(battlemap, units, cargo_rules)
            if grid.cell_at(carrier.x, carrier.y) >= 0  # not beyond the map
        ][:MAX_CARRIERS]
        if not carriers:
            self._desk.say("No unit on the map can carry what is picked.")
            return
        kinds = {kind.name: kind for kind in kinds_of(battlemap)}
        choices = []
        for unit in carriers:
            cell_name = battlemap.system.cell_name(grid, grid.cell_at(unit.x, unit.y))
            choices.append((unit.id, f"{thing_text(unit, kinds)} at {cell_name}"))
        carrier = Setting(
            "carrier", int, "What carries them", carriers[0].id, tuple(choices), title="Into"
        )

        def load_units(values: Mapping[str, object]) -> None:
            if document.battlemap is not battlemap:
                self._desk.say("Nothing is loaded: the map has changed meanwhile.")
                return
            chosen_carrier = battlemap.thing(_int_value(values, "carrier"))
            edit, objection = load(battlemap, units, chosen_carrier, cargo_rules)
            if document.push(edit, f"Load {counted(len(units), 'unit')}") and objection:
                self._desk.say(f"{objection}: the game would refuse that.")

        self._ask("Load into a transport", "", (carrier,), load_units)

    def unload(self) -> None:
        """Take the picked units out of their transports."""
        units = self._picked_units()
        if not units:
            return
        battlemap = self._document.battlemap
        carriers = carriers_on(battlemap)
        carried_units = [unit for unit in units if unit.id in carriers]
        if not carried_units:
            self._desk.say("Nothing carries what is picked.")
            return
        text = f"Unload {counted(len(carried_units), 'unit')}"
        self._document.push(unload(battlemap, carried_units), text)

    def _picked_units(self) -> list[Thing]:
        """Return the picked units; if there are none, tell it in the status line."""
        units = self._document.picked
        if not units:
            self._desk.say(PICK_FIRST)
        return units

    # --- saving -----------------------------------------------------------------------------

    async def choose_what_is_saved(self) -> None:
        """Ask for the sections and details with which a mapfile of the map is saved."""
        from app.systems.xconq.map.save_dialog import ask_details

        open_map = self._desk.document.current_map
        await ask_details(self._desk, open_map, open_map.path)

    # --- asking -----------------------------------------------------------------------------

    def _ask(
        self,
        title: str,
        about: str,
        settings: Sequence[Setting],
        on_accepted: Callable[[dict[str, object]], object],
    ) -> None:
        """Open a form with a text about it; ``on_accepted`` gets its values if it is accepted."""
        FormDialog(title, about, settings, {}, on_accepted, self._desk.frame).open()


def _int_value(values: Mapping[str, object], name: str) -> int:
    """Return the value of a field of the type int in a form: forms hold values of all kinds."""
    value = values[name]
    assert isinstance(value, int), "the setting is an int"
    return value
