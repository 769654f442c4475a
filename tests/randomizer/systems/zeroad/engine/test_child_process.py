"""The child processes: cancelled, lost, kept, ended with the program, and without an engine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from randomizer.model.basics.log_line import LogLine
from randomizer.model.problems import ProblemError
from randomizer.systems.zeroad.engine.child_process import IDLE, ChildEndedError, ChildProcess
from randomizer.systems.zeroad.engine.messages import Kind, Message
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import run_script
from randomizer.systems.zeroad.installation.mod_files import ModFiles
from tests.counting import watched_calls

from .conftest import QUICK, SCRIPT, SETTINGS, Run, finished, result_of

ENDLESS = "Engine.SetProgress(40); for (;;);"


def runs(pid: int) -> bool:
    """Whether a process is there; one that has ended but was not waited for is not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text(encoding="ascii").split()[2] != "Z"


class Children(Sequence[ChildProcess]):
    """The children that were given work, in turn."""

    def __init__(self, calls: list[dict[str, Any]]) -> None:
        self._calls = calls

    def __getitem__(self, number):
        return self._calls[number]["self"]

    def __len__(self) -> int:
        return len(self._calls)


@pytest.fixture
def children() -> Iterator[Children]:
    """The children that runs of this test take, none of them used before."""
    IDLE.close()
    with watched_calls(ChildProcess.send) as calls:
        children = Children(calls)
        yield children
    IDLE.close()
    for child in children:
        child.join()
        assert not child.alive


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 30])
def test_a_closed_run_leaves_no_child(steps: int, mod: Path, children: list[ChildProcess]) -> None:
    work = run_script(Script(SCRIPT, ENDLESS), SETTINGS, [ModFiles(mod)], limits=QUICK)
    for _ in range(steps):
        next(work)
    work.close()
    assert len(children) == min(steps, 1)
    for child in children:
        child.join()
        assert not child.alive


def test_a_child_is_kept_for_the_next_script(run: Run, children: list[ChildProcess]) -> None:
    run("Engine.ExportMap({});")
    with pytest.raises(ProblemError):
        run("throw 1;")
    run("Engine.ExportMap({});")
    assert len({child.pid for child in children}) == 1


def test_a_child_that_was_killed_meanwhile_is_replaced(
    run: Run, children: list[ChildProcess]
) -> None:
    run("Engine.ExportMap({});")
    os.kill(children[0].pid, signal.SIGTERM)
    while children[0].alive:
        time.sleep(0.01)
    run("Engine.ExportMap({});")
    assert children[0].pid != children[1].pid


def test_a_child_that_dies_is_a_problem_without_its_dump(
    mod: Path, children: list[ChildProcess], capfd: pytest.CaptureFixture[str]
) -> None:
    script = Script(SCRIPT, "log('here'); Engine.SetProgress(40); for (;;);")
    work = run_script(script, SETTINGS, [ModFiles(mod)], limits=QUICK)
    while next(work) < 40:
        pass
    os.kill(children[0].pid, signal.SIGABRT)
    with pytest.raises(ProblemError) as caught:
        for _ in work:
            pass
    assert [problem.code for problem in caught.value.problems] == ["script-engine-ended"]
    assert caught.value.log == (LogLine("log", "here"),)
    assert capfd.readouterr() == ("", "")


def test_log_lines_of_a_script_that_was_stopped_are_kept(
    mod: Path,
) -> None:
    now_s = 0.0
    script = Script(SCRIPT, "warn('late'); Engine.SetProgress(40); for (;;);")
    work = run_script(script, SETTINGS, [ModFiles(mod)], limits=QUICK, clock=lambda: now_s)
    while next(work) < 40:  # its lines come before its progress
        pass
    now_s = QUICK.time_s + 1
    with pytest.raises(ProblemError) as caught:
        for _ in work:
            pass
    assert [problem.code for problem in caught.value.problems] == ["script-time"]
    assert caught.value.log == (LogLine("warn", "late"),)


def test_two_runs_at_once_do_not_meet(mod: Path, children: list[ChildProcess]) -> None:
    script = Script(SCRIPT, "Engine.SetProgress(30); Engine.ExportMap({ size: Math.random() });")
    first, second = (run_script(script, {"Seed": n}, [ModFiles(mod)]) for n in (1, 2))
    next(first)
    next(second)
    assert len({child.pid for child in children}) == 2
    second.close()
    alone = finished(script.text, mod, settings={"Seed": 1}).data
    assert result_of(first).data == alone


PROGRAM = """
import sys, os
from pathlib import Path
from randomizer.systems.zeroad.engine.script import Script
from randomizer.systems.zeroad.engine.script_run import run_script
from randomizer.systems.zeroad.engine import child_process
from randomizer.systems.zeroad.installation.mod_files import ModFiles
taken = []
take = child_process.IDLE.pop_or_start
child_process.IDLE.pop_or_start = lambda: taken.append(take()) or taken[-1]
def started(text):
    work = run_script(Script("maps/random/a.js", text), {}, [ModFiles(Path(sys.argv[1]))])
    while next(work) < 40:
        pass
    return work
ended, running = started("Engine.SetProgress(40); Engine.ExportMap({});"), None
for _ in ended:
    pass
running = started("Engine.SetProgress(40); for (;;);")
print(*(child.pid for child in taken), flush=True)
if sys.argv[2] == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="asks for processes as Unix does")
@pytest.mark.parametrize("end", ["killed", "returns"])
def test_no_child_outlives_the_program(end: str, mod: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(mod), end],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=False,
    )
    pids = [int(word) for word in done.stdout.split()]
    assert pids
    assert done.stderr == ""
    for _ in range(1000):  # the end of its input reaches a child a moment later
        if not any(runs(pid) for pid in pids):
            break
        time.sleep(0.01)
    assert not any(runs(pid) for pid in pids)


def test_the_child_imports_little() -> None:
    """It starts within the time of a roll, and holds nothing of the desk."""
    code = (
        "import sys, randomizer.systems.zeroad.engine.child,"
        " randomizer.systems.zeroad.installation.script_data;"
        " print([name for name in ('numpy', 'PySide6', 'app', 'lark') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_without_the_engine_the_reason_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "py_mini_racer", None)  # as if it were not installed
    with pytest.raises(ProblemError) as caught:
        run("Engine.ExportMap({});")
    (problem,) = caught.value.problems
    assert problem.code == "script-engine"
    assert "pip install mini-racer" in problem.message


def test_a_child_that_has_ended_says_so_to_each_who_asks(children: list[ChildProcess]) -> None:
    child = ChildProcess()
    child.close()
    for _ in range(2):
        with pytest.raises(ChildEndedError):
            child.receive(wait_s=20.0)


@pytest.mark.parametrize(
    "fields", [{"kind": Kind.PROGRESS}, {"kind": Kind.LOG, "lines": [1]}, {"kind": Kind.LOG}]
)
def test_a_message_that_is_none_of_a_child_ends_the_run(
    fields: dict[str, Any], mod: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChildProcess, "receive", lambda *_arguments: Message(fields))
    with pytest.raises(ProblemError) as caught:
        finished("Engine.ExportMap({});", mod)
    assert [problem.code for problem in caught.value.problems] == ["script-engine-ended"]
