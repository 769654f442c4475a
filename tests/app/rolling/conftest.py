from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, QThreadPool, Signal

from app.rolling.roll_setup import RollBehaviour, RollSetup
from randomizer.catalog.scripts import generator_for_script
from randomizer.model.map.layer import Roll
from randomizer.model.rolls.draw_key import DrawKey


def setup_of(text: str, name: str = "Lakes.rnd", **settings: object) -> RollSetup:
    searches = name.endswith(".rnd")
    behaviour = RollBehaviour(searches_for_locks=searches)
    return RollSetup(
        text, lambda: generator_for_script(text, name), settings, name, behaviour=behaviour
    )


class Given(QObject):
    """Provides the setup that a test gives."""

    setup_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.serves = True
        self.refusal = ""
        self.given = RollSetup("", lambda: pytest.fail("nothing was given"), {})

    def serves_map(self) -> bool:
        return self.serves

    def setup(self, _key: DrawKey | None = None) -> RollSetup:
        return self.given

    def setup_of_step(self, _key: DrawKey, _roll: Roll | None) -> RollSetup:
        return self.given

    def asker(self) -> None:
        return None

    def why_not(self) -> str:
        return self.refusal

    def loading(self) -> bool:
        return False


@pytest.fixture
def start(rolling):
    """Call a method of ``rolling`` when this setup, and a new seed or not, are requested."""
    provider = Given()
    rolling.add_provider(provider)

    def start(
        do: Callable[[], object], given: RollSetup | None = None, *, new_seed: bool | None = None
    ) -> None:
        if given is not None:
            provider.given = given
            provider.setup_changed.emit()
        if new_seed is not None:
            rolling.key_choice.set_new_seed(new_seed)
        do()

    yield start
    rolling.cancel()
    QThreadPool.globalInstance().waitForDone(5000)


@pytest.fixture
def wait(qtbot, rolling, start):
    """The same, and wait for the roll that it starts."""

    def wait(
        do: Callable[[], object], given: RollSetup | None = None, *, new_seed: bool | None = None
    ) -> None:
        start(do, given, new_seed=new_seed)
        qtbot.waitUntil(lambda: not rolling.busy)

    return wait
