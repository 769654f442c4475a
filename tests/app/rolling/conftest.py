from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QThreadPool, Signal

from app.rolling.recipe import Recipe
from randomizer.catalog import generator_for_script


def recipe_of(text: str, name: str = "Lakes.rnd", **settings: object) -> Recipe:
    return Recipe(text, lambda: generator_for_script(text, name), settings, name)


class Given(QObject):
    """Provides the recipe that a test gives."""

    recipe_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.serves = True
        self.refusal = ""
        self.given = Recipe("", lambda: pytest.fail("nothing was given"), {})

    def serves_map(self) -> bool:
        return self.serves

    def recipe(self) -> Recipe:
        return self.given

    def why_not(self) -> str:
        return self.refusal

    def loading(self) -> bool:
        return False


@pytest.fixture
def start(rolling):
    """Call a method of ``rolling`` when this recipe, and a new seed or not, are requested."""
    provider = Given()
    rolling.add_provider(provider)

    def start(
        do: Callable[[], object], given: Recipe | None = None, *, new_seed: bool | None = None
    ) -> None:
        if given is not None:
            provider.given = given
            provider.recipe_changed.emit()
        if new_seed is not None:
            rolling.set_new_seed(new_seed)
        do()

    yield start
    rolling.cancel()
    QThreadPool.globalInstance().waitForDone(5000)


@pytest.fixture
def wait(qtbot, rolling, start):
    """The same, and wait for the roll that it starts."""

    def wait(
        do: Callable[[], object], given: Recipe | None = None, *, new_seed: bool | None = None
    ) -> None:
        start(do, given, new_seed=new_seed)
        qtbot.waitUntil(lambda: not rolling.busy)

    return wait
