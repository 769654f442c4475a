"""A fault of an installed package is told as that of the package, by its name."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.background.jobs import Job
from app.desk.fault_dialogs import HEADING, PACKAGE_HEADING, Faults
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.fault_log import LOG
from app.qt_guard import later
from app.render.scene.cell_overlays import CELL_OVERLAYS
from app.widgets.dialogs.problem_dialog import ProblemDialog
from app.window import MainWindow
from randomizer import installed
from randomizer.catalog.generators import generator_named
from randomizer.generator_run import run
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.storage.files.project import PROJECT
from randomizer.systems.free.system import free_map
from tests.end_to_end.conftest import close_without_asking
from tests.end_to_end.faulty_package import install_faulty
from tests.test_system.installing import environment, on_path

DRIVEN_DIALOGS = (ProblemDialog,)
"""Dialogs that these tests drive themselves."""

BLAMED = "a fault of the package “quarry”"


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "randomizer", *words],
        env=environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (("roll", "Broken", "--seed", "1"), "KeyError in core.py"),
        pytest.param(
            ("roll", "Empty", "--seed", "1"), "AttributeError in ", marks=pytest.mark.deep
        ),
        (("show", "a.stones"), "TypeError in core.py"),
        pytest.param(("show", "a.pebbles"), "AttributeError in ", marks=pytest.mark.deep),
        pytest.param(
            ("convert", "a.battlemap", "b.stones"),
            "ZeroDivisionError in core.py",
            marks=pytest.mark.deep,
        ),
        pytest.param(
            ("convert", "a.battlemap", "b.pebbles"), "AttributeError in ", marks=pytest.mark.deep
        ),
        pytest.param(
            ("find", "landscape", "--where", "stones > 3", "--limit", "2"),
            "ValueError in core.py",
            marks=pytest.mark.deep,
        ),
    ],
)
def test_the_command_line_names_the_package(
    tmp_path: Path, words: tuple[str, ...], fault: str
) -> None:
    install_faulty(tmp_path)
    (tmp_path / "a.stones").write_bytes(b"stones")
    (tmp_path / "a.pebbles").write_bytes(b"pebbles")
    (tmp_path / "a.battlemap").write_bytes(PROJECT.write(free_map(SQUARE, 4, 4)))
    done = command(tmp_path, *words)
    assert done.returncode == 70, done.stderr
    assert fault in done.stderr
    assert BLAMED in done.stderr
    assert "fault of the program" not in done.stderr


# --- on the desk ---------------------------------------------------------------------------------


@pytest.fixture
def package(tmp_path):
    overlays = list(CELL_OVERLAYS)
    with on_path(install_faulty(tmp_path / "installed", with_desk=True)):
        yield
    CELL_OVERLAYS[:] = overlays
    for name in [name for name in sys.modules if name.partition(".")[0] == "faulty"]:
        del sys.modules[name]


@pytest.fixture
def started(package, qtbot, settings):
    """A window as ``battlelands`` starts it: what nobody caught is told."""
    LOG.clear()
    window = MainWindow(MapDocument(sample_map()), settings, None)
    told = Faults(window, window.desk.say)
    told.install()
    qtbot.addWidget(window, before_close_func=close_without_asking)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    yield window
    told.remove()
    LOG.clear()


def shown(window) -> ProblemDialog | None:
    dialogs = [each for each in window.findChildren(ProblemDialog) if each.isVisible()]
    return dialogs[-1] if dialogs else None


@pytest.mark.qt_no_exception_capture
def test_making_a_panel_and_drawing_an_overlay(started, qtbot):
    qtbot.waitUntil(lambda: shown(started) is not None)
    dialog = shown(started)
    assert dialog.heading.text() == PACKAGE_HEADING
    assert "by a fault in the package “quarry”: LookupError: no quarry" in (
        dialog.text.toPlainText()
    )
    started.resize(1400, 900)  # cells have room for texts
    started.desk.commands.run("view.package.heavy")
    qtbot.waitUntil(lambda: "no weight" in dialog.text.toPlainText())
    assert "by a fault in the package “quarry”: RuntimeError: no weight" in (
        dialog.text.toPlainText()
    )
    started.desk.commands.run("view.package.heavy")
    dialog.close()


@pytest.mark.qt_no_exception_capture
def test_a_roll(started, qtbot):
    generator = generator_named("broken")
    assert generator is not None
    base = Base.under(free_map(SQUARE, 4, 4), 1)
    job = Job(lambda _progress, _cancelled: run(generator, {}, DrawKey(1, 1), base))
    with qtbot.waitSignal(job.failed) as failed:
        job.start()
    (problem,) = failed.args[0]
    assert problem.message.startswith("There is a fault in the package “quarry”: KeyError")


@pytest.mark.deep
@pytest.mark.qt_no_exception_capture
def test_a_fault_of_our_own_has_the_programs_heading(started, qtbot):
    qtbot.waitUntil(lambda: shown(started) is not None)
    dialog = shown(started)

    def fail() -> None:
        raise ValueError("ours")

    later(started, fail)
    qtbot.waitUntil(lambda: "ours" in dialog.text.toPlainText())
    assert dialog.heading.text() == HEADING
    assert "There is a fault in the program: ValueError: ours" in dialog.text.toPlainText()
    dialog.close()


# --- who is at fault ------------------------------------------------------------------------------


def test_a_fault_of_our_own_is_the_programs_with_packages_and_without(package):
    def own() -> None:
        raise ValueError("ours")

    for look in (False, True):
        if look:
            installed.packages()
        with pytest.raises(ValueError, match="ours") as caught:
            own()
        assert installed.culprit_of(caught.value) == installed.PROGRAM


def test_what_a_package_calls_here_in_a_wrong_way_is_its_own_fault(package):
    assert installed.packages()
    generator = generator_named("empty")
    assert generator is not None
    with pytest.raises(AttributeError) as caught:
        run(generator, {}, DrawKey(1, 1), Base.under(free_map(SQUARE, 4, 4), 1))
    assert installed.culprit_of(caught.value) == "the package “quarry”"
