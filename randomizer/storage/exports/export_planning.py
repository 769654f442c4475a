"""Plans exports into a game: which files they replace, and why they cannot be written.

The export of each game uses an ``ExportPlanner``. The user sees its plan, and confirms it, before
anything is written (``commit_export`` in export_backups.py). A *group* is a folder or mod of the
game, a *slot* the name of a map there::

    planner = ExportPlanner(game.root)
    if planner.check_names([("map", name)]):
        planner.add(game.root / f"{name}.xml", data, "the map")
    return planner.plan(group, slots)
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from randomizer.games.export_plan import ExportPlan, PlannedFile
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.disk.atomic import current_bytes
from randomizer.storage.disk.file_names import fault_in_name, forbidden_in_name


class ExportPlanner:
    """Collects the files, notes and problems of an export into one game.

    No method raises for bad names or paths: they are problems of the plan.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        """The game's directory: no file may be outside."""
        self.files: list[PlannedFile] = []
        """The files to be written."""
        self.notes: list[str] = []
        """Sentences on what the export does, for the user."""
        self.problems: list[Problem] = []
        """The problems of the export; an error among them prevents it."""

    def complain(
        self,
        code: str,
        message: str,
        path: str | None = None,
        severity: Severity = Severity.ERROR,
    ) -> None:
        """Add a problem."""
        self.problems.append(Problem(severity, code, message, path))

    def check_names(self, names: Iterable[tuple[str, str]]) -> bool:
        """Add a problem for each name that no file can have, and return whether there was none.

        ``names`` are pairs of a noun and a name: ("variant", "Old mill").
        """
        are_valid = True
        for kind, name in names:
            fault = fault_in_name(name)
            if fault is not None:
                forbidden_character = forbidden_in_name(name)
                if forbidden_character:
                    reason = f"leave out the {forbidden_character}"
                else:
                    # The fault is a sentence; here it is the end of one.
                    reason = fault[:1].lower() + fault[1:]
                self.complain("bad-name", f"“{name}” cannot be the name of a {kind}: {reason}")
                are_valid = False
        return are_valid

    def add(self, path: Path, data: bytes, description: str) -> None:
        """Plan to write ``data`` into a file, such as "the map" by its ``description``.

        A path outside of the game's directory is a problem, and so is a file that cannot be read.
        """
        try:
            target = path.resolve()
            is_inside = target.is_relative_to(self.root.resolve())
            old_data = current_bytes(target)
        except ProblemError as failed:
            self.problems += failed.problems
            return
        except OSError as failed:
            message = f"{path.name} cannot be written there: {words_of(failed)}"
            self.complain("not-read", message, str(path))
            return
        except RuntimeError:  # from ``resolve``, for a loop of symbolic links
            message = f"{path.name} cannot be written there: links lead in a circle"
            self.complain("not-read", message, str(path))
            return
        if not is_inside:
            message = (
                f"{path.name} would land outside the game's directory, through a link to {target}"
            )
            self.complain("outside", message, str(path))
            return
        planned = PlannedFile(target, data, old_data, description)
        if planned.overwrites:
            self.notes.append(f"{path.name} is replaced; a backup of the old file is kept.")
        elif old_data is not None:
            self.notes.append(f"{path.name} is as it should be already.")
        self.files.append(planned)

    def plan(
        self,
        group: str,
        slots: Iterable[str],
        *,
        new_group: bool = False,
        how_to_play: str = "",
    ) -> ExportPlan:
        """Return the plan of all that was added; the parameters are fields of ``ExportPlan``."""
        notes = list(self.notes)
        if self.files and how_to_play:
            notes.append(how_to_play)
        return ExportPlan(
            root=self.root,
            group=group,
            slots=tuple(slots),
            new_group=new_group,
            files=tuple(self.files),
            notes=tuple(notes),
            problems=tuple(self.problems),
            how_to_play=how_to_play,
        )
