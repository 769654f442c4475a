"""Planning an export into a game: what its files replace, and what keeps them from being written.

Nothing is written here; ``export_backups`` does that.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from randomizer.games import ExportPlan, PlannedFile
from randomizer.model.basics.error_reasons import words_of
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.storage.disk.atomic import current_bytes
from randomizer.storage.disk.file_names import fault_in_name


class ExportPlanner:
    """Collects the files, notes and problems of an export into the game below ``root``.

    Never raises for bad names or paths: they are problems of the plan.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
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
        """Add a problem."""
        self.problems.append(Problem(severity, code, message, path))

    def check_names(self, names: Iterable[tuple[str, str]]) -> bool:
        """Return whether all names can be those of files, each given as (what it names, name).

        Each that cannot be is a problem.
        """
        are_valid = True
        for kind, name in names:
            fault = fault_in_name(name)
            if fault is not None:
                reason = fault[:1].lower() + fault[1:]  # it begins a sentence of its own elsewhere
                self.complain("bad-name", f"The {kind} “{name}” cannot be: {reason}")
                are_valid = False
        return are_valid

    def add(self, path: Path, data: bytes, words: str) -> None:
        """Plan one file; a place outside the game's directory is an error."""
        try:
            target = path.resolve()
            inside = target.is_relative_to(self.root.resolve())
            old = current_bytes(target)
        except ProblemError as failed:
            self.problems += failed.problems
            return
        except (OSError, RuntimeError) as failed:  # RuntimeError: a loop of symbolic links
            if isinstance(failed, OSError):
                reason = words_of(failed)
            else:
                reason = "links lead in a circle"
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

    def plan(
        self,
        group: str,
        slots: Iterable[str],
        *,
        new_group: bool = False,
        how_to_play: str = "",
    ) -> ExportPlan:
        """Return the plan, as far as it has come."""
        if self.files and how_to_play:
            self.notes.append(how_to_play)
        return ExportPlan(
            self.root,
            group,
            tuple(slots),
            new_group,
            tuple(self.files),
            tuple(self.notes),
            tuple(self.problems),
            how_to_play,
        )
