"""The page for authors of extensions, and the conformance tests that it offers them."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from randomizer import installed
from tests.randomizer.test_installed import run
from tests.test_system.installing import ROOT, environment, register

PAGE = (ROOT / "docs" / "extending.md").read_text("utf-8")

BROKEN = '''
from itertools import count
from heaths import Codes, Heath, Metadata

PROTOCOL = 2
GENERATORS = ("broken",)
FORMATS = ("broken:NARROW",)

ROLLS = count()

class Restless(Heath):
    """Changes another cell each time, whatever the key."""
    name, metadata = "Restless", Metadata("Restless", "", "Another map each time")
    def generate(self, settings, key, base):
        made = yield from super().generate({"Share": 50}, key, base)
        made.layers[0].planes["terrain"].flat[next(ROLLS) % 64] ^= 1
        return made

class Endless(Heath):
    """Goes on when it is closed."""
    name, metadata = "Endless", Metadata("Endless", "", "Cannot be cancelled")
    def generate(self, settings, key, base):
        try:
            yield 1
        finally:
            yield 2
        return (yield from super().generate(settings, key, base))

class Narrow(Codes):
    """Raises for what it cannot read."""
    name, suffixes = "narrow", (".narrow",)
    def recognises(self, data):
        return False
    def read(self, data, path=None):
        return super().read(data + bytes(data[0] - 0x7b), path)

def packaged():
    return (Restless(), Endless())

NARROW = Narrow()
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Where the example of the page is installed."""
    folder = tmp_path_factory.mktemp("installed")
    blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
    about = tomllib.loads(blocks["toml"])["project"]
    ((name, module),) = about["entry-points"][installed.GROUP].items()
    (folder / f"{module}.py").write_text(blocks["python"], "utf-8")
    return register(folder, name, module)


def test_the_page_has_every_list_and_the_version() -> None:
    assert re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.MULTILINE) == list(installed.LISTS)
    assert f"The version is {installed.PROTOCOL} " in PAGE


def test_the_example_of_the_page_rolls_writes_reads_and_measures(folder: Path) -> None:
    words = ("roll", "Heath", "--seed", "3", "--set", "Share=20", "--out", "a.codes")
    done = run(folder, *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert run(folder, "convert", "a.codes", "b.battlemap").returncode == 0
    shown = run(folder, "show", "b.battlemap", "--format", "codes")
    assert shown.stdout.encode() == (folder / "a.codes").read_bytes()
    listed = run(
        folder, "find", "Heath", "--where", "first > 0", "--sort", "first", "--budget", "5"
    )
    assert listed.returncode == 0
    counts = [float(line.split()[-1]) for line in listed.stdout.splitlines()]
    assert len(counts) == 5
    assert counts == sorted(counts)


def test_the_conformance_tests_pass_the_example_and_the_test_system_and_find_what_is_broken(
    folder: Path,
) -> None:
    register(folder)
    register(folder, "broken", "broken")
    (folder / "broken.py").write_text(BROKEN, "utf-8")
    names = "Heath or codes or Moor or testsys or tiles or tll or Restless or Endless or narrow"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]
    done = subprocess.run(
        [*command, "randomizer.conformance", "-k", names, "-rfE", "--tb=line"],
        env=environment(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    failed = re.findall(r"^(?:FAILED|ERROR) .*::(\w+)\[(\w+)\]", done.stdout, re.MULTILINE)
    assert set(failed) == {
        ("test_a_key_makes_the_same_map_whatever_was_cancelled_before", "Restless"),
        ("test_maps_of_a_batch_are_those_rolled_alone_and_are_measured", "Restless"),
        ("test_a_key_makes_the_same_map_whatever_was_cancelled_before", "Endless"),
        ("test_bad_data_give_problems_and_nothing_is_raised", "narrow"),
    }, done.stdout
    assert re.search(r"4 failed, (?:[2-9]\d) passed", done.stdout), done.stdout
