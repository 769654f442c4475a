"""Planning an export into the game: which files, what they replace, and the notes and problems.

A terrain's battleland goes to ``<Variant>/Battlelands/<Terrain>.xml`` below the game's directory,
which takes precedence over the one in the jar. A new variant gets the smallest Var file that the
game accepts. Nothing is written here; ``export_receipts`` does that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from randomizer.games import ExportPlan, PlannedFile
from randomizer.model.problems import Problem, Severity, words_of
from randomizer.storage.atomic import current_bytes
from randomizer.storage.file_names import fault_in_name
from randomizer.systems.colossus.battleland.xml_reader import read_battleland
from randomizer.systems.colossus.game.directory import BATTLELANDS, GameDirectory
from randomizer.systems.colossus.game.variant import (
    DEFAULT,
    DEFAULT_TERRAINS,
    battleland_file_name,
    new_var_file,
)


def plan_exports(game: GameDirectory, battlelands: Mapping[str, bytes], variant: str) -> ExportPlan:
    """The plan for battleland files (by the terrain's name) of one variant, old or new.

    Never raises for bad names, maps or paths: they are problems of the plan.
    """
    planner = _Planner(game, variant)
    planner.look_at_names(battlelands)
    if not planner.problems:
        planner.add_var_file()
        for terrain, data in battlelands.items():
            planner.add_battleland(terrain, data)
    how_to_play = planner.how_to_play()
    if planner.files and how_to_play:
        planner.notes.append(how_to_play)
    return ExportPlan(
        game.root,
        variant,
        tuple(battlelands),
        planner.new_variant,
        tuple(planner.files),
        tuple(planner.notes),
        tuple(planner.problems),
        how_to_play,
    )


class _Planner:
    def __init__(self, game: GameDirectory, variant: str) -> None:
        self.game = game
        self.variant = variant
        self.new_variant = False
        self.files: list[PlannedFile] = []
        self.notes: list[str] = []
        self.problems: list[Problem] = []

    def complain(
        self,
        code: str,
        message: str,
        path: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        self.problems.append(Problem(severity, code, message, path))

    def look_at_names(self, terrains: Mapping[str, bytes]) -> None:
        for kind, name in (("variant", self.variant), *(("terrain", name) for name in terrains)):
            fault = fault_in_name(name)
            if fault is not None:
                self.complain("bad-name", f"The {kind} “{name}” cannot be: {_lower(fault)}")
        if self.problems:
            return
        names = [variant.name for variant in self.game.variants()]
        self.new_variant = self.variant not in names
        if not self.new_variant:
            return
        for name in names:
            if name.casefold() == self.variant.casefold():
                self.complain(
                    "bad-name", f"The game has a variant “{name}”; spell the name like that"
                )
        if " " in self.variant:
            self.complain("bad-name", "A variant of your own must not have blanks in its name")

    def add_var_file(self) -> None:
        if self.new_variant:
            path = self.game.root / self.variant / f"{self.variant}Var.xml"
            self.add(path, new_var_file(self.variant), f"the new variant {self.variant}")

    def add_battleland(self, terrain: str, data: bytes) -> None:
        result = read_battleland(data, f"{terrain}.xml")
        self.problems += [p for p in result.problems if p.severity is Severity.ERROR]
        self.look_at_terrain(terrain)
        path = self.game.root / self.variant / BATTLELANDS / battleland_file_name(terrain)
        self.add(path, data, f"the battleland of {terrain}")

    def look_at_terrain(self, terrain: str) -> None:
        """Note where the terrain's battleland came from so far, or that nothing will load it."""
        if self.new_variant:
            known: tuple[str, ...] = DEFAULT_TERRAINS
        else:
            variant = self.game.variant(self.variant)
            known = tuple(each.name for each in variant.terrains)
            found = variant.terrain(terrain)
            if found is not None and found.battleland is not None:
                self.notes.append(f"The game loads {terrain} from {found.battleland.words} now.")
        if terrain not in known:
            self.complain(
                "unknown-terrain",
                f"{self.variant} has no terrain “{terrain}”, so the game will not load this file; "
                f"it has {', '.join(known)}",
                severity=Severity.WARNING,
            )

    def how_to_play(self) -> str:
        if self.new_variant:
            return (
                "To play it, choose “Load External Variant” in the game, or start the game with "
                f"-v {self.variant}."
            )
        if self.variant != DEFAULT:
            return f"The game shows it when the variant {self.variant} is played."
        return ""

    def add(self, path: Path, data: bytes, words: str) -> None:
        """Plan one file; a place outside the game's directory is an error."""
        try:
            target = path.resolve()
            inside = target.is_relative_to(self.game.root.resolve())
            old = current_bytes(target)
        except (OSError, RuntimeError) as failed:  # RuntimeError: a loop of symbolic links
            reason = words_of(failed) if isinstance(failed, OSError) else "links lead in a circle"
            self.complain("not-read", f"{path.name} cannot be written there: {reason}", str(path))
            return
        if not inside:
            self.complain(
                "outside",
                f"{path.name} would land outside the game's directory, through a link to {target}",
                str(path),
            )
            return
        planned = PlannedFile(target, data, old, words)
        if planned.overwrites:
            self.notes.append(f"{path.name} is replaced; a backup of the old file is kept.")
        elif old is not None:
            self.notes.append(f"{path.name} is as it should be already.")
        self.files.append(planned)


def _lower(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]
