"""The command line as a whole: help, lists, and what happens when streams fail or break."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from randomizer.__main__ import main
from randomizer.batches.map_stream import FIRST_BLOCK
from randomizer.catalog.catalog_entry import HIDDEN, PACKAGED
from randomizer.catalog.generators import generator_named, generators
from randomizer.catalog.map_formats import formats
from randomizer.cli.arguments import build_parser
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.symmetric_rolls import settings_for
from tests.randomizer.cli.conftest import Run
from tests.test_system.installing import package_with

ROOT = Path(__file__).resolve().parents[3]
VERBS = (
    *(
        "roll",
        "odds",
        "fight",
        "balance",
        "find",
        "check",
        "show",
        "convert",
        "diff",
        "replace",
        "export",
    ),
    *("vary", "learn", "list"),
)


# --- help ---------------------------------------------------------------------------------------


def test_help_names_every_verb_and_exit_code(randomizer: Run) -> None:
    said = randomizer("--help")
    assert (said.code, said.err) == (0, "")
    assert all(re.search(rf"^    {verb}\b", said.text, re.MULTILINE) for verb in VERBS)
    assert all(f"{code} " in said.text for code in (0, 1, 2, 70, 130, 141))


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        (
            "roll",
            "SCRIPT|NAME --seed --number --count --onto --lock --set --format --out D4=Volcano/2 "
            "D4:0=c 4294967295 xml json text",
        ),
        (
            "find",
            "SCRIPT|NAME --where --limit --budget --seed --number --sort --descending --onto "
            "--lock --set --json count(Tree) fairness D4:0=c",
        ),
        ("check", "FILE --json"),
        ("show", "FILE --format json xml text"),
        ("convert", "IN OUT --from --to"),
        ("export", "MAP --game --variant --terrain --yes --take-back"),
        ("list", "--json"),
    ],
)
def test_the_help_of_a_verb_mentions_all_it_takes(randomizer: Run, verb: str, words: str) -> None:
    said = randomizer(verb, "--help")
    assert (said.code, said.err) == (0, "")
    assert all(word in said.text for word in words.split())
    assert said.text.isascii(), "help must be readable in every encoding"
    assert all(len(line) <= 100 for line in said.text.splitlines())


def test_the_help_knows_every_format_that_can_be_written(randomizer: Run) -> None:
    for verb in ("roll", "show", "convert"):
        text = randomizer(verb, "--help").text
        assert all(known.name in text for known in formats() if known.writable)


def test_every_option_has_help() -> None:
    parser = build_parser()
    # A parser tells its verbs and options to nobody.
    verbs = next(action for action in parser._actions if action.dest == "verb")
    assert isinstance(verbs.choices, dict)
    assert tuple(verbs.choices) == VERBS
    for verb in verbs.choices.values():
        # A parser tells its verbs and options to nobody.
        assert all(action.help for action in verb._actions), verb.prog


def test_the_version_is_told(randomizer: Run) -> None:
    said = randomizer("--version")
    assert said.code == 0
    assert said.text.startswith("randomizer ")


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("--nonsense",), ("list", "x")])
def test_wrong_use_ends_with_2(randomizer: Run, arguments: tuple[str, ...]) -> None:
    said = randomizer(*arguments)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith("usage: randomizer")


@pytest.mark.parametrize(
    ("words", "verb", "advice"),
    [
        (("roll", "Swamp", "--nonsense"), "roll", "unknown: --nonsense\n"),
        (("roll", "Swamp", "--sed", "1"), "roll", "--sed (did you mean --seed?)"),
        (("find", "Swamp", "--where", "connected", "x"), "find", "unknown: x\n"),
        (("check", "x.rnd", "--jsn"), "check", "--jsn (did you mean --json?)"),
    ],
)
def test_what_a_verb_does_not_know_is_said_with_its_usage(
    randomizer: Run, words: tuple[str, ...], verb: str, advice: str
) -> None:
    said = randomizer(*words)
    assert (said.code, said.out) == (2, b"")
    assert said.err.startswith(f"usage: randomizer {verb} ")
    assert advice in said.err


@pytest.mark.parametrize(
    ("option", "value", "ends"),
    [
        ("--seed", "-1", (0, SEED_LIMIT - 1)),
        ("--seed", "4294967296", (0, SEED_LIMIT - 1)),
        ("--number", "-7", (0, NUMBER_LIMIT - 1)),
        ("--number", "x", (0, NUMBER_LIMIT - 1)),
        ("--count", "-3", (1, NUMBER_LIMIT)),
        ("--count", "0", (1, NUMBER_LIMIT)),
        ("--count", "1.5", (1, NUMBER_LIMIT)),
    ],
)
def test_numbers_out_of_range_are_told_the_range(
    randomizer: Run, option: str, value: str, ends: tuple[int, int]
) -> None:
    said = randomizer("roll", "Swamp", option, value)
    assert said.code == 2
    words = f"a whole number from {ends[0]} to {ends[1]} is wanted, not “{value}”"
    assert f"argument {option}: {words}\n" in said.err


# --- list ---------------------------------------------------------------------------------------


def test_list_tells_generators_settings_and_formats(randomizer: Run) -> None:
    said = randomizer("list")
    assert (said.code, said.err) == (0, "")
    for word in (
        *(generator.name for generator in generators()),
        *(known.name for known in formats()),
    ):
        assert re.search(rf"^  {re.escape(word)} ", said.text, re.MULTILINE), word
    if generators():
        assert "BaseTerrain" in said.text
        assert "BaseHeight" in said.text
        for values in ("[0 to 4; 1 unless set]", "[yes or no; no unless set]", "[none, orchard,"):
            assert values in said.text
    assert all(len(line) <= 100 for line in said.text.splitlines())


def test_list_as_json_tells_the_same_to_programs(randomizer: Run) -> None:
    said = randomizer("list", "--json")
    assert (said.code, said.err) == (0, "")
    listed = json.loads(said.out)
    assert [entry["name"] for entry in listed["generators"]] == [g.name for g in generators()]
    assert [entry["name"] for entry in listed["formats"]] == [f.name for f in formats()]
    for entry in listed["generators"]:
        assert entry["description"]
        known = generator_named(entry["name"])
        assert known is not None
        assert [each["name"] for each in entry["settings"]] == [s.name for s in settings_for(known)]
    scripts = [(entry["name"], entry["origin"]) for entry in listed["scripts"] if not entry["path"]]
    shown = [
        generator.metadata
        for generator in generators()
        if HIDDEN not in generator.metadata.keywords
    ]
    assert scripts == [(metadata.name, PACKAGED) for metadata in shown]


# --- what must not happen -----------------------------------------------------------------------


def test_a_fault_of_the_program_is_words_and_not_a_traceback(
    randomizer: Run, script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: Any) -> None:
        raise RuntimeError("out of luck")

    # No input is known on which a generator of the program's own fails.
    monkeypatch.setattr("randomizer.cli.map_roller.generate", fail)
    said = randomizer("roll", script, "--seed", 1)
    assert said.code == 70
    assert said.err.startswith("randomizer: error: this must not happen: RuntimeError in ")
    assert "out of luck" in said.err
    assert "Traceback" not in said.err


def test_an_interruption_ends_with_130_and_keeps_what_was_made(
    randomizer: Run, tmp_path: Path
) -> None:
    words = ("--seed", 1, "--count", 2 * FIRST_BLOCK, "--format", "json")
    with package_with(tmp_path, GENERATORS=("tests.randomizer.cli.ponds",)):
        said = randomizer("roll", "Interrupted pond", *words)
    assert (said.code, said.err) == (130, "")
    assert said.out.count(b"\n") == 1 + FIRST_BLOCK


class BrokenStream:
    """A stream that fails as the system's may."""

    def __init__(self, failure: Exception) -> None:
        self.failure = failure
        self.buffer = self

    def write(self, _data: object) -> int:
        raise self.failure

    def flush(self) -> None:
        raise self.failure

    def fileno(self) -> int:
        raise ValueError("no stream of the system")


@pytest.mark.parametrize(
    ("failure", "code", "words"),
    [
        (BrokenPipeError(32, "Broken pipe"), 141, ""),
        (OSError(28, "No space left on device"), 1, "the disk is full"),
        (ValueError("I/O operation on closed file"), 1, "standard output is closed"),
    ],
)
def test_a_failing_standard_output_is_told(
    script: Path, capsys: pytest.CaptureFixture[str], failure: Exception, code: int, words: str
) -> None:
    with contextlib.redirect_stdout(BrokenStream(failure)):
        assert main(["roll", str(script), "--seed", "1"]) == code
    err = capsys.readouterr().err
    assert words in err
    assert (err == "") == (words == "")


def test_a_stream_of_text_alone_takes_text(script: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["roll", str(script), "--seed", "1"]) == 0
    assert out.getvalue().startswith("<?xml")


def test_without_streams_nothing_is_raised(script: Path) -> None:
    with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
        assert main(["roll", str(script), "--seed", "1"]) == 1
        assert main(["check", str(script)]) == 1
        assert main(["check", "nowhere.rnd"]) == 1
    assert main(["nonsense"]) == 2


# --- as a process -------------------------------------------------------------------------------


Process = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def process(tmp_path: Path) -> Process:
    """``python -m randomizer`` in a folder of its own."""

    def run(*arguments: str | Path, **changes: Any) -> subprocess.CompletedProcess[bytes]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), **changes.pop("env", {})}
        return subprocess.run(
            [sys.executable, "-m", "randomizer", *map(str, arguments)],
            cwd=tmp_path,
            env=environment,
            check=False,
            timeout=60,
            **({"capture_output": True} | changes),
        )

    return run


def test_the_process_gives_the_same_bytes_as_the_call(
    process: Process, randomizer: Run, script: Path
) -> None:
    ended = process("roll", "Pond.rnd", "--seed", "17", "--number", "3")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout == randomizer("roll", script, "--seed", 17, "--number", 3).out


def test_output_is_utf_8_whatever_the_locale_says(process: Process, tmp_path: Path) -> None:
    (tmp_path / "m.xml").write_text(
        '<battlemap terrain="Größe ☃" tower="False"/>', encoding="utf-8"
    )
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    ended = process("show", "m.xml", env=environment)
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "Größe ☃".encode() in ended.stdout
    ended = process("show", "m.xml", "--format", "xml", env=environment)
    assert "Größe ☃".encode() in ended.stdout
    ended = process("check", "Größe.rnd", env=environment)
    assert ended.returncode == 1
    assert "Größe.rnd: error: there is no such file".encode() in ended.stdout


@pytest.mark.skipif(os.name == "nt", reason="names are not bytes there")
def test_names_that_are_no_text_are_files_like_others(process: Process, script: Path) -> None:
    name = os.fsdecode(b"\xff.rnd")
    script.rename(script.with_name(name))
    ended = process("roll", name, "--seed", "1")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "�.rnd, seed 1".encode() in ended.stdout
    script.with_name(name).write_text("AREA D7\n")
    ended = process("check", name, "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)[0]["path"] == name
    ended = process("check", name)
    assert ended.stderr == b"1 error\n"
    assert ended.stdout.startswith(b"\xff.rnd:1:6: error")


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_ends_it_quietly(script: Path, unbuffered: str) -> None:
    assert script.is_file()
    command = (
        f'"{sys.executable}" -m randomizer roll Pond.rnd --seed 1 --count 3000 --format json'
        " | head -n 1; echo ${PIPESTATUS[0]}"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    ended = subprocess.run(
        ["bash", "-c", command],
        cwd=script.parent,
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert ended.stderr == b""
    first, code = ended.stdout.splitlines()
    assert json.loads(first)["number"] == 0
    assert code == b"141"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_said(process: Process, script: Path, unbuffered: str) -> None:
    assert script.is_file()
    environment = {"PYTHONUNBUFFERED": unbuffered}
    with Path("/dev/full").open("wb") as full:
        ended = process(
            "roll",
            "Pond.rnd",
            "--seed",
            "1",
            env=environment,
            capture_output=False,
            stdout=full,
            stderr=subprocess.PIPE,
        )
        assert ended.returncode == 1
        assert ended.stderr == (
            b"randomizer: error: standard output could not be written: the disk is full\n"
        )
        silent = process(
            "check", "none.rnd", env=environment, capture_output=False, stdout=full, stderr=full
        )
        assert silent.returncode == 1


@pytest.mark.skipif(os.name == "nt", reason="no shell that closes streams")
def test_closed_streams_are_no_traceback(script: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for closing, code in ((">&-", 1), ("2>&-", 0), ("<&- >&- 2>&-", 1)):
        ended = subprocess.run(
            ["bash", "-c", f'"{sys.executable}" -m randomizer roll Pond.rnd --seed 1 {closing}'],
            cwd=script.parent,
            env=environment,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert ended.returncode == code, closing
        assert b"Traceback" not in ended.stderr


@pytest.mark.skipif(os.name == "nt", reason="signals are otherwise there")
def test_ctrl_c_ends_it_with_130(script: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "randomizer", "roll", script.name]
    command += ["--seed", "1", "--count", "10000000", "--format", "json"]
    with (tmp_path / "out").open("wb") as out:
        started = subprocess.Popen(
            command,
            cwd=script.parent,
            env=environment,
            stdout=out,
            stderr=subprocess.PIPE,
            # A shell starts what goes to the background, tests too, deaf to Ctrl+C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        deadline = time.monotonic() + 30
        while not (tmp_path / "out").stat().st_size and time.monotonic() < deadline:
            time.sleep(0.02)
        started.send_signal(signal.SIGINT)
        try:
            _, err = started.communicate(timeout=30)
        finally:
            started.kill()  # else it rolls on where Ctrl+C is ignored, as in a shell's background
    assert (started.returncode, err) == (130, b"")


@pytest.mark.skipif(os.name == "nt", reason="signals are otherwise there")
@pytest.mark.parametrize(
    "interrupted_import",
    [
        # An import that makes a dataclass executes a text, where a KeyboardInterrupt differs.
        "exec('os.kill(os.getpid(), signal.SIGINT)\\nfor _ in range(10**6): pass')",
        # A module in C makes another exception of the one that comes while it is imported.
        "try: os.kill(os.getpid(), signal.SIGINT); time.sleep(9)\n"
        "    except KeyboardInterrupt as heard: raise ImportError('no numpy') from heard",
    ],
)
def test_ctrl_c_while_a_module_is_imported_ends_it_with_130(
    tmp_path: Path, interrupted_import: str
) -> None:
    (tmp_path / "interrupted.py").write_text(
        "import os, signal, sys, time\n"
        "import randomizer.__main__ as command\n"
        "def stop(arguments, console):\n"
        f"    {interrupted_import}\n"
        "command._run_verb = stop\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.argv = ['randomizer', 'list']\n"
        "sys.exit(command.main())\n"
    )
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (130, b"")


def test_help_needs_no_numpy(process: Process) -> None:
    code = (
        "import sys; from randomizer.__main__ import main; main(['roll', '--help']);"
        "sys.exit('numpy' in sys.modules or 'lark' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ended.returncode == 0


def test_rolling_needs_neither_the_reading_of_games_nor_qt(script: Path) -> None:
    code = (
        "import sys; from randomizer.__main__ import main;"
        f"main(['roll', {str(script)!r}, '--seed', '1']);"
        "sys.exit(any(n in sys.modules for n in ('PySide6', 'secrets',"
        "'randomizer.model.edits.edit',"
        "'randomizer.systems.colossus.script.lint', 'randomizer.systems.colossus.game.directory',"
        "'randomizer.systems.xconq.period', 'randomizer.systems.xconq.world',"
        "'randomizer.systems.xconq.countries', 'randomizer.systems.colossus.rolling.locks')))"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert ended.returncode == 0


def test_rolling_a_packaged_script_needs_no_parser_and_no_other_system() -> None:
    code = (
        "import sys; from randomizer.__main__ import main;"
        "main(['roll', 'Plains', '--seed', '1']);"
        "parts = {n.partition('.')[0] if n[:10] != 'randomizer' else '.'.join(n.split('.')[1:3])"
        " for n in sys.modules};"
        "print(*sorted(parts & {'lark', 'systems.cordery', 'systems.xconq', 'systems.free',"
        " 'systems.interchange', 'storage.project', 'batches.batch'}), file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert ended.stderr == b"\n"


@pytest.mark.parametrize(("call", "threads"), [("main()", b"1"), ("main(sys.argv[1:])", b"None")])
def test_only_a_process_of_its_own_has_one_thread_for_matrices(call: str, threads: bytes) -> None:
    code = (
        "import os, sys; sys.argv = ['randomizer', 'list', '--json'];"
        f"from randomizer.__main__ import main; {call};"
        "print(os.environ.get('OPENBLAS_NUM_THREADS'), file=sys.stderr)"
    )
    environment = {name: value for name, value in os.environ.items() if "OPENBLAS" not in name}
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True, env=environment
    )
    assert ended.stderr.strip() == threads
