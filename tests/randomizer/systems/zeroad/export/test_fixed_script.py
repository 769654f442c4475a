from __future__ import annotations

import pytest
from hypothesis import given, settings

from randomizer.systems.zeroad.engine.child_process import has_engine
from randomizer.systems.zeroad.export.fixed_script import (
    is_fixed_script,
    read_script,
    write_script,
)
from randomizer.systems.zeroad.export.styles import (
    GLOBAL_FUNCTION,
    STYLES,
    Style,
    style_for_release_text,
)
from randomizer.systems.zeroad.map.map_data import MapData
from tests.randomizer.systems.zeroad.export.finished_maps import (
    assert_same,
    finished_map,
    finished_maps,
    run_fixed,
)

needs_engine = pytest.mark.skipif(not has_engine(), reason="needs mini-racer")
each_style = pytest.mark.parametrize("style", STYLES, ids=lambda style: style.version)


@given(finished_maps())
@settings(max_examples=25, deadline=None)
def test_a_script_is_read_back_as_its_map(fixed: MapData) -> None:
    for style in STYLES:
        script = write_script(fixed, style)
        assert is_fixed_script(script)
        found, problems = read_script(script)
        assert found is not None, problems
        assert_same(found, fixed)


def test_the_settings_are_read_back() -> None:
    fixed = finished_map(16, Name="Valley \u2028 “of” </script>; \n\n//", CircularMap=True)
    found, _problems = read_script(write_script(fixed, GLOBAL_FUNCTION))
    assert found is not None
    assert found.settings == fixed.settings


@needs_engine
@each_style
@pytest.mark.parametrize("size", [16, 128])
def test_the_engine_gets_the_map_whatever_is_chosen(style: Style, size: int) -> None:
    fixed = finished_map(size, seed=size + 1)
    script = write_script(fixed, style)
    for chosen, players, seed in ((size, 3, 1), (256, 8, 99)):
        assert_same(run_fixed(script, chosen, players, seed), fixed)


@pytest.mark.deep
@needs_engine
def test_the_engine_gets_the_largest_usual_map() -> None:
    fixed = finished_map(512, entities=10_000)
    for style in STYLES:
        assert_same(run_fixed(write_script(fixed, style), 128, 5, 7), fixed)


@needs_engine
@given(finished_maps())
@settings(max_examples=8, deadline=None)
def test_the_engine_gets_any_small_map(fixed: MapData) -> None:
    for style in STYLES:
        assert_same(run_fixed(write_script(fixed, style), 192, 4, 3), fixed)


@needs_engine
@each_style
def test_entities_of_absent_players_are_left_out(style: Style) -> None:
    fixed = finished_map(16)
    made = run_fixed(write_script(fixed, style), 128, 1, 0)
    kept = [entity for entity in fixed.entities if entity.player <= 1]
    assert 0 < len(kept) < len(fixed.entities)
    assert made.entities == tuple(kept)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"size": 16', b'"size": 17'),
        (b'"size": 16', b'"size": true'),
        (b'"size": 16', b'"size": 9999999'),
        (b'"height": [', b'"height": [5, '),
        (b'"textures": [', b'"textures": ["*", '),
        (b'"templates": [', b'"templates": 7, "x": ['),
        (b'"entities": [', b'"entities": [[], '),
        (b'"entities": [', b'"entities": [[99, 1, 2, 3, 4], '),
        (b'"settings": {', b'"settings": [], "x": {'),
        (b"const FIXED_MAP", b"const OTHER"),
        (b'"seaLevel": 20.0', b'"seaLevel": NaN'),
        (b'"textureNames": ', b'"texture": '),
        (b'"settings": {', b'"settings": {"Own": NaN, '),
        (b'"settings": {', b'"settings": {"Own": "\\ud800", '),
    ],
)
def test_a_damaged_script_is_a_problem(old: bytes, new: bytes) -> None:
    script = write_script(finished_map(16), GLOBAL_FUNCTION)
    assert old in script
    found, problems = read_script(script.replace(old, new, 1), "map.js")
    assert found is None
    assert {problem.path for problem in problems} == {"map.js"}


@pytest.mark.parametrize(
    ("version", "release"),
    [
        ("0.0.26", 26),
        ("0 A.D. 0.0.25", 26),
        ("0.27.1", 27),
        ("0 A.D. 0.28.0", 28),
        ("0.29.0-rc1", 28),
        ("mod 1.2.3", None),
        ("", None),
    ],
)
def test_the_form_follows_the_version(version: str, release: int | None) -> None:
    style = style_for_release_text(version)
    assert (style and style.release) == release
