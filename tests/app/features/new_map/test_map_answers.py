"""What was answered about a new map is carried to the next script, and to the next map."""

from __future__ import annotations

from app.features.new_map.map_answers import MapAnswers
from randomizer.model.settings.setting import Setting

WIDTH = Setting("width", int, "Columns", None, minimum=1, maximum=90)
TERRAIN = Setting("terrain", str, "The first terrain", "Grass")
USUAL = {"width": None, "terrain": "Grass"}


def test_answers_are_carried_to_a_script_that_does_not_set_them_itself():
    answers = MapAnswers({}).for_script(USUAL, {})
    answers.note({"width": 60, "terrain": "Sand"})
    answers = answers.for_script({**USUAL, "terrain": "Snow"}, {"terrain": "Snow"})
    assert answers.values_to_show([WIDTH, TERRAIN]) == {"width": 60, "terrain": "Snow"}
    answers.note({"width": 60, "terrain": "Ice"})
    assert answers.to_store() == {"width": 60, "terrain": "Sand"}


def test_an_answer_that_is_taken_back_is_forgotten():
    answers = MapAnswers({"width": 60, "terrain": "Sand"}).for_script(USUAL, {})
    answers.note({"terrain": "Grass"})  # a form has no value for what is unset
    assert answers.to_store() == {}


def test_an_answer_that_a_script_does_not_allow_is_not_shown():
    answers = MapAnswers({"width": 600}).for_script(USUAL, {})
    assert answers.values_to_show([WIDTH, TERRAIN]) == USUAL
