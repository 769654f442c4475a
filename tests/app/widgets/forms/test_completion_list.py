"""The box of the words that fit is as large as its words and helps."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QLabel, QLineEdit

from app.widgets.forms.completion_list import CompletionList
from randomizer.languages.language import Completion

HERE = QRect(20, 20, 4, 12)

LONG_HELP = "Places hazards on the hexes of a list, each on one of them at random. " * 3


@pytest.fixture
def field(qtbot) -> QLineEdit:
    field = QLineEdit()
    qtbot.addWidget(field)
    return field


def completions(*words: str, help_text: str = "A word.") -> list[Completion]:
    return [Completion(word, "word", help_text, word, 0) for word in words]


def offered(field: QLineEdit, words: list[Completion], *, brief: bool = False) -> CompletionList:
    completion_list = CompletionList(field, brief=brief)
    completion_list.offer(words, HERE)
    return completion_list


def word_room(completion_list: CompletionList) -> int:
    """How many pixels a word has."""
    return completion_list.rows.viewport().width()


def test_a_long_word_is_not_cut(field):
    word = "structures/athenians/defense_tower_of_stone"
    completion_list = offered(field, completions(word, *(f"word{i}" for i in range(20))))
    text_width = field.fontMetrics().horizontalAdvance(word)
    assert text_width < word_room(completion_list) < text_width + 60


def test_a_brief_list_of_short_words_is_narrow(field):
    narrow = offered(field, completions("or", "and", help_text="both"), brief=True)
    wide = offered(
        field, completions("or", "and", help_text="both of what stands here"), brief=True
    )
    assert narrow.width() < wide.width()
    assert narrow.width() < 160


@pytest.mark.parametrize("word", ["AREA", "structures/athenians/defense_tower_of_stone"])
def test_the_longest_help_is_seen_whole_and_leaves_no_room_below(field, word):
    completion_list = offered(field, completions(word, help_text=LONG_HELP))
    (label,) = completion_list.findChildren(QLabel)
    needed = label.heightForWidth(label.width())
    assert needed <= label.height() <= needed + label.fontMetrics().lineSpacing()
