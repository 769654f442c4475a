"""The rows of the kinds of things in the palette."""

from __future__ import annotations

from app.features.palette.kind_list import KindList
from app.features.palette.list_content import ListContent
from app.render.scene.things.looks import Look
from randomizer.model.things.thing_kind import ThingKind


def test_the_tip_of_a_row_changes_also_where_the_kind_looks_as_before(qtbot):
    oak = ThingKind("oak", "Oak")
    kinds = KindList()
    qtbot.addWidget(kinds)
    kinds.update_resolution()
    kinds.make_rows(ListContent((oak,), "", ()))
    look = Look.of(oak, "oak", 0, angle=0.0)
    kinds.show_look(kinds.rows[0], "oak", look, "places one for Ann")
    kinds.show_look(kinds.rows[0], "oak", look, "places one for Ben")
    assert "Ben" in kinds.rows[0].toolTip()
