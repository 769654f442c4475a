"""The documents for developers name what there is: rooms, files and decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ADR = ROOT / "docs" / "adr"
DOCUMENTS = [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md", *sorted(ADR.glob("*.md"))]
PATH = re.compile(r"`((?:app|randomizer|tests|packaging|docs)/[^`<>*\s]*)`")
NAMES = re.compile(r"`([\w/]+\.py)` \(((?:`\w+`(?:, )?)+)\)")
DECISION = re.compile(r"(?:docs/adr/|\bADRs? )0*(\d+)")
CLASS = re.compile(r"`([A-Z][a-z]+[A-Z]?[A-Za-z]*)`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")


def sources() -> Iterator[Path]:
    """All files of the project that are text for people."""
    folders = [ROOT / name for name in ("app", "randomizer", "tests", "packaging", "docs")]
    yield from chain(ROOT.glob("*.md"), [ROOT / "pyproject.toml"])
    for folder in folders:
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".md", ".toml", ".js", ".lark"):
                yield path


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)
def test_files_that_a_document_names_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    has_packaging = (ROOT / "packaging").is_dir()  # not in every source package
    names = [name for name in PATH.findall(text) if has_packaging or "packaging/" not in name]
    paths = [ROOT / name for name in names]
    links = [page.parent / name for name in LINK.findall(text)]
    assert not [str(path) for path in [*paths, *links] if not path.exists()]


def test_functions_that_the_architecture_names_stand_in_their_files() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    named = [(path, name) for path, names in NAMES.findall(text) for name in names.split(", ")]
    assert named
    for path, name in named:
        assert f"def {name.strip('`')}(" in (ROOT / path).read_text("utf-8"), f"{path}: {name}"


def test_classes_that_contributing_names_exist() -> None:
    code = [
        path.read_text("utf-8")
        for name in ("app", "randomizer")
        for path in (ROOT / name).rglob("*.py")
    ]
    names = set(CLASS.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    classes = {name for text in code for name in re.findall(r"^class (\w+)", text, re.MULTILINE)}
    assert len(names) > 20
    assert not names - classes


def test_decisions_are_numbered_without_holes_and_stand_in_the_index() -> None:
    names = sorted(path.name for path in ADR.glob("[0-9]*.md"))
    assert [int(name[:4]) for name in names] == list(range(1, len(names) + 1))
    index = (ADR / "README.md").read_text("utf-8")
    assert LINK.findall(index) == names


def test_a_decision_is_headed_by_its_number() -> None:
    for path in ADR.glob("[0-9]*.md"):
        assert path.read_text("utf-8").startswith(f"# {int(path.name[:4])}. "), path.name


def test_each_decision_that_is_named_exists() -> None:
    numbers = {int(path.name[:4]) for path in ADR.glob("[0-9]*.md")}
    dangling = {
        (str(path.relative_to(ROOT)), number)
        for path in sources()
        for number in DECISION.findall(path.read_text("utf-8"))
        if int(number) not in numbers
    }
    assert not dangling
