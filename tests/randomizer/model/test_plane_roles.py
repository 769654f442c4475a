"""Generic code asks a system for its terrain, height and hexside planes by their roles."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
import randomizer
from randomizer.model.planes.planes import Element, PlaneRole, PlaneSpec
from tests.sources import sources_with
from tests.systems import BARE, RENAMED, system_like

PLANE_NAMES = {"terrain", "elevation", "hexside"}

OTHER_MEANINGS = {
    "app/desk/toolbox.py": "the name of a tool",
    "app/features/files/open_dialog.py": "a word of a message",
    "app/features/history/panel.py": "names of icons and texts of steps",
    "app/features/map/edge_fills.py": "words of messages",
    "app/features/odds/odds_heat.py": "kinds of choices",
    "app/features/palette/feature.py": "kinds of choices",
    "app/features/palette/groups.py": "names of tools",
    "app/features/tools/feature.py": "the name of a tool",
    "app/features/terrains/controller.py": "words of messages",
    "app/render/pictures/picture_library.py": "folders of pictures",
    "app/render/scene/scene.py": "the name of an overlay",
    "app/render/scene/edges/hexsides.py": "keys of pieces",
    "app/tools/brushes.py": "the name of a tool",
    "app/tools/elevation_brush.py": "the name of a tool and of an icon",
    "app/tools/hexsides.py": "the name of a tool and of an icon",
    "randomizer/batches/filters/names.py": "words of the language of filters",
    "randomizer/batches/filters/parser.py": "words of the language of filters",
    "randomizer/batches/filters/mistakes.py": "words of the language of filters",
    "randomizer/batches/filters/tokens.py": "words of the language of filters",
    "randomizer/cli/file_options.py": "names of options",
    "randomizer/cli/locks.py": "words of messages",
    "randomizer/cli/odds.py": "a name in the output",
    "randomizer/geometry/replacement_names.py": "what is replaced",
    "randomizer/installed.py": "what a system of another package must have",
    "randomizer/model/comparison/part_differences.py": "words of differences",
    "randomizer/model/grid/cell_words.py": "words for the user",
    "randomizer/model/planes/planes.py": "the roles themselves",
    "randomizer/model/terrain/terrain_check.py": "words of messages",
}
"""Files of generic code in which such a word is not the name of a plane, and what it is there."""


def generic_sources(*words: str) -> Iterator[tuple[str, str]]:
    """The files of both packages outside the folders of systems, with their text.

    Only those that have one of ``words``.
    """
    for package in (app, randomizer):
        root = Path(package.__file__).parent
        for path, text in sources_with(words, root):
            name = f"{root.name}/{path.relative_to(root).as_posix()}"
            if not name.startswith(("app/systems/", "randomizer/systems/")):
                yield name, text


def words_of(source: str) -> set[str]:
    """The string constants of a source."""
    tree = ast.parse(source)
    found = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return {word for word in found if isinstance(word, str)}


def test_generic_code_spells_no_name_of_a_plane() -> None:
    sources = generic_sources(*PLANE_NAMES)
    found = {name for name, text in sources if words_of(text) & PLANE_NAMES}
    assert found == set(OTHER_MEANINGS)


def test_no_word_indexes_planes() -> None:
    """No ``planes["..."]`` and no ``planes.get("...")``, in the files above neither."""
    for name, text in generic_sources("planes[", "planes.get("):
        for node in ast.walk(ast.parse(text)):
            key = None
            if isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("planes"):
                key = node.slice
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("planes.get"):
                key = node.args[0]
            assert not isinstance(key, ast.Constant), f"{name}:{node.lineno}"


def test_a_system_says_which_planes_have_a_role() -> None:
    assert [RENAMED.plane_with_role(role) for role in PlaneRole] == list(RENAMED.planes)
    assert [BARE.plane_with_role(role) for role in PlaneRole] == [None, None, None]
    assert RENAMED.elevation == RENAMED.height
    assert BARE.elevation is None


@pytest.mark.parametrize("role", PlaneRole)
def test_a_plane_of_the_wrong_place_has_no_role(role: PlaneRole) -> None:
    wrong = Element.CELL if role is PlaneRole.HEXSIDE else Element.SIDE
    spec = PlaneSpec("odd", "u1", wrong, 255, 0)
    with pytest.raises(ValueError, match=f"cannot be the {role} plane"):
        system_like(BARE, planes=(spec,), **{role.value: spec})
