"""The plan of an export: what will be written and replaced, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from PySide6.QtWidgets import QTextBrowser

from app.widgets.problem_list import ProblemList, place_in_text
from randomizer.games import ExportPlan
from randomizer.model.problems import Problem


class PlanView(QTextBrowser):
    """A plan in sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("What will happen")
        self.setPlaceholderText("Here stands what the export will do, once it can be done.")

    def show_plan(self, plan: ExportPlan, backups: str) -> None:
        """Say what is written; ``backups`` is the folder for what is replaced."""
        self.setHtml(_as_html(plan, backups))


class PlanProblems(ProblemList):
    """The problems of a plan and of its maps; hidden where there are none."""

    def __init__(self, height: int, place_of: Callable[[Problem], str] = place_in_text) -> None:
        super().__init__(place_of=place_of)
        self.rows.setAccessibleName("Problems of the export and of the map")
        self.rows.setToolTip("")
        self.setMaximumHeight(height)

    def set_problems(self, problems: Iterable[Problem]) -> None:
        """List these instead of those before."""
        super().set_problems(problems)
        self.setVisible(bool(self.problems))


def _as_html(plan: ExportPlan, backups: str) -> str:
    """The plan in sentences, each file with its place below the game's directory."""
    root = plan.root.resolve()
    lines = []
    for file in plan.files:
        place = file.path
        shown = str(place.relative_to(root)) if place.is_relative_to(root) else str(place)
        done = "Replaces" if file.overwrites else "Keeps" if file.old is not None else "Writes"
        lines.append(
            f"<b>{done}</b> {escape(shown)}<br><small>{escape(file.words)}, "
            f"{len(file.data):,} bytes</small>"
        )
    if any(file.overwrites for file in plan.files):
        folder = Path(backups) / "..."
        lines.append(f"<b>Backs up</b> what is replaced in {escape(str(folder))}")
    if plan.files and not plan.changes:
        lines.append("The game has this map there already: there is nothing to export.")
    told = tuple(f"{file.path.name} is " for file in plan.files)  # the rows have said it
    notes = [note for note in plan.notes if not note.startswith(told)]
    if plan.files:
        lines.insert(0, f"Below {escape(str(root))}:")
    lines += [escape(note) for note in notes]
    return "".join(f"<p style='margin:0 0 6px 0'>{line}</p>" for line in lines)
