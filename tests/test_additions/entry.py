"""What the entry point of the package names; nothing is imported yet."""

from __future__ import annotations

PROTOCOL = 2
GENERATORS = ("tests.test_additions.core",)
GAME_HOSTS = ("tests.test_additions.core:HOST",)
MEASURES = ("tests.test_additions.core:measures",)
FEATURES = ("tests.test_additions.desk:FEATURE",)
