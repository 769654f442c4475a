"""Planning an export into the game: which files, what they replace, and the notes and problems.

    plan = plan_exports(GameDirectory.open(path), {"Marsh": battleland_xml}, group="MyVariant")
    plan.problems      # errors forbid the export

The game has *variants*, which have terrains, and each terrain has a battleland. That of a terrain
goes to ``<Variant>/Battlelands/<Terrain>.xml`` below the game's directory; the game prefers this
file to the one in its jar. A new variant gets the smallest Var file that the game accepts. Nothing
is written here; ``export_backups`` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from randomizer.games.export_plan import ExportPlan
from randomizer.model.problems import Severity
from randomizer.storage.exports.export_planning import ExportPlanner
from randomizer.systems.colossus.battleland.xml_reader import read_battleland
from randomizer.systems.colossus.game.directory import BATTLELANDS, GameDirectory
from randomizer.systems.colossus.game.variant import (
    DEFAULT,
    DEFAULT_TERRAINS,
    battleland_file_name,
    new_var_file,
)

MIN_LIKENESS = 0.8
"""The least likeness of a misspelt name and a terrain's (difflib's ratio, 0 to 1).

With a lower one, names of terrains that the user means to add would be taken for misspelt ones.
"""


def plan_exports(game: GameDirectory, maps: Mapping[str, bytes], group: str) -> ExportPlan:
    """Return the plan for battleland files (by the terrain's name) of one variant, old or new.

    Never raises for bad names, maps or paths: they are problems of the plan.
    """
    planner = _Planner(game, group)
    planner.check_variant(maps)
    if not planner.problems:
        planner.add_var_file()
        for terrain, data in maps.items():
            planner.add_battleland(terrain, data)
    return planner.plan(
        group, maps, new_group=planner.new_variant, how_to_play=planner.how_to_play()
    )


class _Planner(ExportPlanner):
    """Collects the files, the problems and the notes of an export into one variant.

    The base class has methods for them: ``add`` plans a file, ``complain`` adds a problem,
    ``check_names`` complains of bad names and says whether there were none, and ``plan`` puts all
    of it together.
    """

    def __init__(self, game: GameDirectory, variant: str) -> None:
        super().__init__(game.root)
        self.game = game
        self.variant = variant
        """The name of the variant."""
        variants_by_name = {known.name: known for known in game.variants()}
        self.variant_names = list(variants_by_name)
        """The variants that the game has already."""
        self.known_variant = variants_by_name.get(variant)
        """The variant as the game has it; None for a new one."""
        self.new_variant = self.known_variant is None
        """Whether the game does not have the variant yet."""

    def check_variant(self, terrains: Iterable[str]) -> None:
        """Add a problem for each bad name of the variant or a terrain."""
        names_of_terrains = [("terrain", terrain) for terrain in terrains]
        if not self.check_names([("variant", self.variant), *names_of_terrains]):
            return
        if not self.new_variant:
            return
        why_no_variant = self.game.why_no_variant(self.variant)
        if why_no_variant:
            # A Var file of our own in its place would be that of a new variant, not the game's.
            self.complain("empty-variant", why_no_variant)
        for name in self.variant_names:
            if name.casefold() == self.variant.casefold():
                self.complain(
                    "bad-name", f"The game has a variant “{name}”; spell it like that variant"
                )
        if " " in self.variant:
            self.complain("bad-name", "A variant of your own must not have blanks in its name")

    def add_var_file(self) -> None:
        """Plan the Var file of a new variant."""
        if self.new_variant:
            path = self.game.root / self.variant / f"{self.variant}Var.xml"
            self.add(path, new_var_file(self.variant), f"the new variant {self.variant}")

    def add_battleland(self, terrain: str, data: bytes) -> None:
        """Check a terrain and its battleland, and plan its file.

        What is wrong becomes problems of the plan; the file that is loaded now is noted.
        """
        result = read_battleland(data, f"{terrain}.xml")
        for problem in result.problems:
            if problem.severity is Severity.ERROR:
                self.problems.append(problem)
        self._note_current_file(terrain)
        self._check_terrain(terrain)
        path = self.game.root / self.variant / BATTLELANDS / battleland_file_name(terrain)
        self.add(path, data, f"the battleland of {terrain}")

    def _note_current_file(self, terrain: str) -> None:
        """Add a note on the file from which the game loads the terrain's battleland now, if any."""
        if self.known_variant is None:
            return
        slot = self.known_variant.terrain(terrain)
        if slot is not None and slot.file is not None:
            self.notes.append(f"The game loads {terrain} from {slot.file.text} now.")

    def _terrain_names(self) -> tuple[str, ...]:
        """Return the terrains of the variant; a new one has those of the variant Default."""
        if self.known_variant is None:
            return DEFAULT_TERRAINS
        return tuple(slot.name for slot in self.known_variant.slots)

    def _check_terrain(self, terrain: str) -> None:
        """Add a problem if the variant has no such terrain.

        It is an error if the name is probably misspelt, else a warning.
        """
        names = self._terrain_names()
        if terrain in names:
            return
        message = f"{self.variant} has no terrain “{terrain}”, so the game will not load this file"
        intended = _intended_terrain(terrain, names)
        if intended is not None:
            message += f"; did you mean {intended}?"
            self.complain("unknown-terrain", message, severity=Severity.ERROR)
        else:
            message += f"; it has {', '.join(names)}"
            self.complain("unknown-terrain", message, severity=Severity.WARNING)

    def how_to_play(self) -> str:
        """Return a sentence on how the game shows the battlelands; "" for the variant Default."""
        if self.new_variant:
            return (
                "To play it, choose “Load External Variant” in the game, or start the game with "
                f"-v {self.variant}."
            )
        if self.variant != DEFAULT:
            return f"The game shows it when the variant {self.variant} is played."
        return ""


def _intended_terrain(name: str, terrain_names: Iterable[str]) -> str | None:
    """Return the terrain whose name was probably misspelt as ``name``, None if there is none.

    The case of letters does not count.
    """
    names = {terrain_name.casefold(): terrain_name for terrain_name in terrain_names}
    matches = get_close_matches(name.casefold(), names, n=1, cutoff=MIN_LIKENESS)
    if matches:
        return names[matches[0]]
    return None
