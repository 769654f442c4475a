"""The console of a script: what it wrote when it was rolled last."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from app.features.script.console import MAX_LINES, Console
from randomizer.model.basics.log_line import LogLine
from randomizer.model.problems import Problem, Severity
from tests.app.saves import finished
from tests.end_to_end.test_installed_system import new_map

SCRIPT = "ground Meadow\nsay log so far\nsay warn look at land.tll:1 and\nsay error of no map\n"


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("script", "new_map")


@pytest.fixture
def window(testsys, window):
    return window


@pytest.fixture
def console(qtbot, window, tmp_path):
    """The console beside a script that writes three lines."""
    new_map(qtbot, window)
    path = tmp_path / "land.tll"
    path.write_text(SCRIPT, "utf-8")
    window.desk.docks.show("randomize")
    finished(window.desk.scripts.opening.open(path))
    qtbot.waitUntil(lambda: window.desk.scripts.script.name == "land.tll")
    return window.desk.docks.panel("randomize").console


def roll(qtbot, desk):
    with qtbot.waitSignal(desk.rolling.logged):
        desk.rolling.roll()


def test_lines_are_listed_and_a_place_in_one_is_gone_to(qtbot, window, console):
    assert console.isHidden()
    roll(qtbot, window.desk)
    assert console.fold_button.text() == "Console: 3 lines, 1 warning, 1 error"
    assert [console.list.item(row).icon().isNull() for row in range(3)] == [True, False, False]
    console.fold_button.click()
    assert console.list.isVisible()
    editor = window.desk.docks.panel("randomize").editor
    editor.go_to(3)
    console.list.itemClicked.emit(console.list.item(1))
    assert editor.cursor_place()[0] == 1
    console.copy()
    assert QGuiApplication.clipboard().text().splitlines()[1] == "warn: look at land.tll:1 and"


def test_a_failed_roll_has_a_log_too_and_the_last_good_map_stays(qtbot, window, console):
    roll(qtbot, window.desk)
    shown = window.desk.document.composite.copy()
    window.desk.scripts.text.replace("ground Meadow\nsay log going well\nground Lava\n")
    roll(qtbot, window.desk)
    assert console.fold_button.text() == "Console: 1 line"
    assert window.desk.document.composite.same_as(shown)
    problems = window.desk.docks.panel("randomize").problem_list
    assert problems.chosen.message == "there is no terrain “Lava”"
    problems.activated.emit(problems.chosen)
    assert window.desk.docks.panel("randomize").editor.cursor_place()[0] == 3


def test_of_a_long_log_the_end_is_listed(qtbot):
    console = Console()
    qtbot.addWidget(console)
    console.set_lines([LogLine("log", str(n)) for n in range(MAX_LINES + 5)])
    assert console.list.count() == MAX_LINES + 1
    assert console.list.item(0).text() == "... 5 lines before"
    console.set_lines(())
    assert console.isHidden()


def test_a_script_that_tells_no_progress_has_a_busy_bar(qtbot, window, console):
    rolling = window.desk.rolling
    bar = window.desk.docks.panel("randomize").roll_bar
    rolling.slow_changed.emit(True)
    assert (bar.progress.minimum(), bar.progress.maximum()) == (0, 0)
    assert bar.cancel_button.isVisible()
    rolling.progressed.emit(40)
    assert (bar.progress.maximum(), bar.progress.value()) == (100, 40)
    rolling.slow_changed.emit(False)


def test_a_problem_in_a_library_says_the_file(qtbot, window, console):
    problem = Problem(Severity.ERROR, "js", "oops", "maps/random/rmgen/library.js", 12, 3)
    panel = window.desk.docks.panel("randomize")
    editor = panel.editor
    editor.go_to(2)
    with qtbot.waitSignal(panel.message) as said:
        window.desk.rolling.reported.emit((problem,))
        panel.problem_list.activated.emit(problem)
    assert said.args == ["That is in another file: maps/random/rmgen/library.js, line 12"]
    assert editor.cursor_place()[0] == 2
    # The row of the list has it in a tip that is drawn, and nowhere told.
    assert panel.problems._position_text(problem) == "line 12, column 3 of library.js"
    assert not editor.overlays.problems_of_line(12)


@pytest.mark.parametrize(
    ("path", "line"), [("C:\\maps\\moor.js", 12), ("d:/maps/moor.js", 3), ("../moor.js", 4)]
)
def test_a_line_names_a_file_with_its_drive(qtbot, path, line):
    console = Console()
    qtbot.addWidget(console)
    console.set_lines([LogLine("error", f"in {path}:{line} and")])
    named = []
    console.line_requested.connect(lambda *place: named.append(place))
    console.list.itemClicked.emit(console.list.item(0))
    assert named == [(path, line)]
