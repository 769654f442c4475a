"""The stored syntax trees of the packaged scripts: those that parsing gives."""

from __future__ import annotations

from importlib.resources import files

import pytest

from randomizer.systems.colossus.generator import RndGenerator, packaged
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.script.stored_tree import decoded_tree, encoded_tree


def stored(script: RndGenerator) -> str:
    folder = files("randomizer.systems.colossus").joinpath("scripts")
    return folder.joinpath(f"{script.name}.tree").read_text("ascii")


@pytest.mark.parametrize("script", packaged(), ids=lambda script: script.name)
def test_the_stored_tree_is_that_of_the_script(script: RndGenerator) -> None:
    parsed = parse(script.text).script
    assert decoded_tree(stored(script), script.text) == parsed
    assert stored(script) == encoded_tree(script.text, parsed), "run packaging/parse_scripts.py"


def test_a_tree_of_another_text_is_not_taken() -> None:
    script = packaged()[0]
    assert decoded_tree(stored(script), script.text + " ") is None
