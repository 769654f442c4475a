"""Every way from Qt into Python is broken once; the desk goes on, each fault is one Problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType

import pytest
from PySide6.QtWidgets import QApplication

from app import fault_log, qt_guard
from app.desk.fault_dialogs import Faults
from app.fault_log import LOG
from app.widgets.dialogs.problem_dialog import ProblemDialog
from tests.app.test_ways_into_qt import classes, overrides
from tests.end_to_end.random_walk import Walk, close_what_asks

STEPS = 220
"""How far the walk goes."""

LEFT_OUT = (
    *("app.background.", "background/"),  # bring results from threads: who waits, waits for them
    *("desk/fault_dialogs.py", "app.desk.fault_dialogs"),  # tells of the faults
    *(
        f"app.widgets.layout.wrapping_row.WrappingRow.{name}"
        for name in ("addItem", "count", "itemAt")
    ),
    # Qt uses what this returns without a look, as what the three above return.
    "app.widgets.layout.wrapping_row.WrappingRow.takeAt",
)
"""How the names of overrides and slots begin that the walk does not break: short code that only
hands something on, which Qt or others rely on. (That they end in the guard is tested above.)"""


class InjectedError(Exception):
    """What the test raises."""


def all_overrides() -> dict[str, FunctionType]:
    """Every override of a function of Qt in the desk, with its guard, by name."""
    return {name: function for kind in classes() for name, function in overrides(kind)}


def inner_cell(override: FunctionType):
    """The cell of the guard that holds the function which it guards."""
    guarded = vars(override)["guards"]
    (cell,) = (each for each in override.__closure__ or () if each.cell_contents is guarded)
    return cell


@pytest.fixture
def log(monkeypatch, report_faults_to):
    """An empty log that keeps any number of faults and gets all of them."""
    LOG.clear()
    # All commands are tried in one session, which no user does.
    monkeypatch.setattr(fault_log, "MAX_FAULTS", 10_000)
    report_faults_to(LOG.add)
    yield LOG
    LOG.clear()


OVERRIDES = all_overrides()


@pytest.mark.parametrize("name", sorted(OVERRIDES))
def test_a_fault_in_an_override_ends_there_and_is_one_problem(name, log):
    override = OVERRIDES[name]
    cell = inner_cell(override)

    def fail(*_args: object) -> None:
        raise InjectedError(name)

    cell.cell_contents, function = fail, cell.cell_contents
    try:
        given = [override(None) for _ in range(100)]
    finally:
        cell.cell_contents = function
    assert all(value is given[0] for value in given)
    (fault,) = log.faults
    assert (fault.count, fault.problem.code) == (100, "program-fault")
    assert name in fault.problem.message


def name_of(slot: Callable[..., object]) -> str:
    """What tells a slot from others: where its code stands."""
    function = slot
    while not isinstance(function, FunctionType):
        if isinstance(function, MethodType):
            function = function.__func__
        elif hasattr(function, "func"):
            function = function.func
        else:
            return ""  # a function of Qt
    code: CodeType = vars(function).get("guards", function).__code__
    return f"{code.co_filename.rpartition('/app/')[2]}:{code.co_firstlineno} {code.co_qualname}"


class Breaker:
    """While it is ``on``, each override and each slot fails the first time it is called."""

    def __init__(self) -> None:
        self.on = False
        self.overrides: set[str] = set()
        self.slots: set[str] = set()

    def fail_once(self, name: str, broken: set[str]) -> None:
        if self.on and name and name not in broken and not name.startswith(LEFT_OUT):
            broken.add(name)
            fault = InjectedError("injected")
            fault.add_note(name)
            raise fault

    def breaking(self, name: str, function: Callable[..., object]) -> Callable[..., object]:
        def first_fails(*args: object, **names: object) -> object:
            self.fail_once(name, self.overrides)
            return function(*args, **names)

        return first_fails

    @contextmanager
    def installed(self) -> Iterator[Breaker]:
        cells = {name: inner_cell(override) for name, override in OVERRIDES.items()}
        functions = {name: cell.cell_contents for name, cell in cells.items()}
        run = qt_guard.run_guarded
        code = run.__code__
        vars(qt_guard)["_break"] = lambda slot: self.fail_once(name_of(slot), self.slots)
        try:
            for name, cell in cells.items():
                cell.cell_contents = self.breaking(name, functions[name])
            run.__code__ = breaking_run.__code__
            yield self
        finally:
            run.__code__ = code
            del vars(qt_guard)["_break"]
            for name, cell in cells.items():
                cell.cell_contents = functions[name]


def breaking_run(slot, *args):
    """The code that ``qt_guard.run_guarded`` gets, with the names of that module."""
    try:
        _break(slot)  # noqa: F821
        returned = slot(*args)
        if isinstance(returned, Coroutine):  # noqa: F821
            _run_coroutine(returned)  # noqa: F821
    except Exception as fault:  # noqa: BLE001
        report_fault(fault)  # noqa: F821


@pytest.mark.deep
def test_the_desk_goes_on_whatever_breaks(qtbot, log, tmp_path, capsys):
    breaker = Breaker()
    with breaker.installed():
        walk = Walk(7, tmp_path)
        faults = Faults(walk.window, walk.window.desk.say)
        faults.install()
        max_dialogs = told_times = 0
        try:
            breaker.on = True
            for _ in range(STEPS):
                (step,) = walk.dice.choices(list(walk.steps), list(walk.steps.values()))
                step()
                for _turn in range(3):
                    QApplication.processEvents()
                shown = [each.isVisible() for each in walk.window.findChildren(ProblemDialog)]
                max_dialogs = max(max_dialogs, sum(shown))
                told_times = told_times + len(shown)
                walk.close_some_maps()
            breaker.on = False
            walk.closing.stop()
            close_what_asks()
        finally:
            faults.remove()
        told = {fault.problem.message.split(": InjectedError")[0] for fault in log.faults}
        assert breaker.overrides | breaker.slots <= told
        assert all(fault.count == 1 for fault in log.faults if "Injected" in fault.details)
        assert (max_dialogs <= 1, told_times > 0) == (True, True)
        assert len(breaker.overrides) > 25
        assert len(breaker.slots) > 80
        document = walk.window.desk.document
        walk.open_other()
        # A roll of the walk that ends now may make a map of its own the current one.
        history = document.history
        step = len(history.steps)
        walk.window.desk.commands.run("layer.new-layer")
        assert len(history.steps) == step + 1
        assert not walk.window.desk.canvas.grab().isNull()
        walk.end()
