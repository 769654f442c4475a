"""Another definition of a type in the text of a period: its character, name and third text.

    text = change_type(text, UNITS, tanks, TypeTexts("T", "heavy", "slow but strong"))

A *splice* replaces a piece of the text. Where the text cannot be changed so, a ``NotPlain`` with
the reason is returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import has_errors
from randomizer.systems.xconq.period.changed_types import TypeTexts, checked_text, fault_in
from randomizer.systems.xconq.period.objects import PeriodFile
from randomizer.systems.xconq.period.reading import Reading, read_traced
from randomizer.systems.xconq.period.spelling import is_symbol
from randomizer.systems.xconq.period.text_splices import NotPlain, Splice, splice_text
from randomizer.systems.xconq.period.tokens import Token, TokenKind
from randomizer.systems.xconq.period.words import TERRAINS


def change_type(
    text: str, kind: str, index: int, texts: TypeTexts, further: Mapping[str, str] = NO_TEXTS
) -> str | NotPlain:
    """Return the text in which a type is defined by other texts, or why that cannot be.

    Where its name or character is used as a word the new one stands; all else stays.
    """
    tokens: list[Token] = []

    def note_token(file: PeriodFile, token: Token) -> None:
        """Note a token of the period's own text."""
        if file.name is None:
            tokens.append(token)

    reading = read_traced(text, None, further, note_token)
    if has_errors(reading.problems):
        return NotPlain("The period has errors.")
    definition = reading.types[kind][index]
    file = definition.file
    if file.name is not None:
        line = file.place(*definition.token.span).line
        return NotPlain(f"It is defined in {file.name}, line {line}.", line, file.name)
    fault = fault_in(texts)
    if fault is not None:
        return fault

    # The definition, then the words that stand for the type elsewhere.
    splices = _splices_of_definition(reading, tokens, kind, index, texts)
    if isinstance(splices, NotPlain):
        return splices
    splices_of_uses = _splices_of_uses(reading, tokens, kind, index, texts)
    if isinstance(splices_of_uses, NotPlain):
        return splices_of_uses
    new_text = splice_text(file.text, [*splices, *splices_of_uses])
    types: list[object] = list(reading.period.types(kind))
    types[index] = texts
    return checked_text(new_text, reading, kind, types, values={}, further=further)


def _splices_of_definition(
    reading: Reading, tokens: Sequence[Token], kind: str, index: int, texts: TypeTexts
) -> list[Splice] | NotPlain:
    """Return what changes the three texts of a definition; they have to stand there as texts."""
    definition = reading.types[kind][index]
    # A definition has three texts and its word: "i" "infantry" "marches" utype
    name_position = tokens.index(definition.token)
    char_token, name_token, third_token = tokens[name_position - 1 : name_position + 2]
    old_char, old_name, old_third = reading.period.types(kind)[index]
    splices = []
    for token, old_text, new_text in (
        (char_token, old_char, texts.char),
        (name_token, old_name, texts.name),
        (third_token, old_third, texts.third),
    ):
        is_plain = token.kind is TokenKind.STRING and token.comment is None
        if not is_plain or token.value != old_text:
            line = definition.file.place(*definition.token.span).line
            return NotPlain(f"Line {line} defines it, by names or with comments.", line)
        if new_text != old_text:
            splices.append(Splice(token.start, token.end, f'"{new_text}"'))
    return splices


def _splices_of_uses(
    reading: Reading, tokens: Sequence[Token], kind: str, index: int, texts: TypeTexts
) -> list[Splice] | NotPlain:
    """Return what changes the words that stand for a type, where its texts define them.

    If the new name cannot be written as a word, since it has blanks say, the new character is
    written in its place. The character of a terrain type is no word either, so that is refused.
    """
    old_char, old_name, _old_third = reading.period.types(kind)[index]
    # If the old character and the old name are one word, it becomes the new name, which comes last.
    new_words: dict[Token, str] = {}
    for old_text, new_text in ((old_char, texts.char), (old_name, texts.name)):
        definition = reading.names.get(old_text)
        if old_text == new_text or definition is None:
            continue
        if definition.item.kind != kind or definition.item.value != index:
            continue
        uses = [token for token in tokens if _is_word(token, old_text)]
        if is_symbol(new_text):
            new_word = new_text
        else:
            new_word = texts.char
        if uses and kind == TERRAINS and new_word != new_text:
            return NotPlain(
                f"The text says “{old_text}”: a name of several words cannot stand there."
            )
        new_words.update(dict.fromkeys(uses, new_word))
    return [Splice(token.start, token.end, new_word) for token, new_word in new_words.items()]


def _is_word(token: Token, text: str) -> bool:
    """Return whether a token is a word of the language with this text, not a quoted text."""
    return token.kind is TokenKind.SYMBOL and token.value == text
