"""What the entry point ``testsys`` names: the lists of this package, nothing imported yet."""

from __future__ import annotations

PROTOCOL = 2
SYSTEMS = ("tests.test_system.system:SYSTEM",)
GENERATORS = ("tests.test_system.generator",)
SCRIPT_HOSTS = ("tests.test_system.script_host:HOST",)
FORMATS = ("tests.test_system.map_file:TILES",)
GAME_HOSTS = ("tests.test_system.game:HOST",)
FEATURES = ("tests.test_system.desk.features:PANEL",)
