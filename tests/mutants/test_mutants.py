"""Every mutant can still be made; ``python -m tests.mutants`` sees that each is caught."""

from __future__ import annotations

import ast

import pytest

from tests.mutants.mutants import ROOT, Mutant, mutants


@pytest.mark.parametrize("mutant", mutants(), ids=lambda mutant: mutant.name)
def test_a_mutant_is_another_program(mutant: Mutant) -> None:
    source = (ROOT / mutant.file).read_text("utf-8")
    changed = ast.parse(mutant.applied(source))
    assert ast.dump(changed) != ast.dump(ast.parse(source))
    for test in mutant.tests:
        path, *names = test.split("::")
        assert (ROOT / path).is_file()
        assert all(f"def {name}(" in (ROOT / path).read_text("utf-8") for name in names)


def test_names_differ() -> None:
    names = [mutant.name for mutant in mutants()]
    assert len(set(names)) == len(names)
