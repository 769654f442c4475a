"""Templates are merged as the game merges them: parents, layers, and every special attribute."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.systems.zeroad.installation.templates import Templates


def get(name: str, **texts: str) -> Any:
    files = {key.replace("__", "/"): text.encode() for key, text in texts.items()}
    return Templates(files.get).get(name)


BASE = """<?xml version="1.0" encoding="utf-8"?>
<Entity>
  <Cost><Population>2</Population><BuildTime>10</BuildTime></Cost>
  <Identity>
    <Civ>gaia</Civ>
    <Classes datatype="tokens">Unit Ranged</Classes>
  </Identity>
  <Guard/>
</Entity>"""


def child(inside: str, parent: str = "base") -> str:
    return f'<Entity parent="{parent}">{inside}</Entity>'


def test_children_are_sorted_and_leaves_are_texts_or_nothing() -> None:
    assert get("base", base=BASE) == {
        "Cost": {"BuildTime": "10", "Population": "2"},
        "Guard": None,
        "Identity": {"Civ": "gaia", "Classes": {"@datatype": "tokens", "_string": "Unit Ranged"}},
    }
    assert list(get("base", base=BASE)["Cost"]) == ["BuildTime", "Population"]
    assert get("none", base=BASE) is None


def test_a_parent_is_taken_over_and_changed() -> None:
    made = get("a", base=BASE, a=child("<Cost><Population>5</Population></Cost><New>x</New>"))
    assert made["Cost"] == {"BuildTime": "10", "Population": "5"}
    assert made["New"] == "x"
    assert made["@parent"] == "base"


@pytest.mark.parametrize(
    ("inside", "cost"),
    [
        ('<Cost disable=""/>', None),
        ('<Cost replace=""><Metal>1</Metal></Cost>', {"Metal": "1"}),
        ('<Cost filtered=""><Population/></Cost>', {"Population": None}),
        ('<Cost filtered=""><Population merge=""/></Cost>', {"Population": "2"}),
        ('<Cost merge=""/>', {"BuildTime": "10", "Population": "2"}),
        (
            '<Cost><BuildTime op="add">2.5</BuildTime></Cost>',
            {"BuildTime": "12.5", "Population": "2"},
        ),
        ('<Cost><BuildTime op="mul">0.1</BuildTime></Cost>', {"BuildTime": "1", "Population": "2"}),
        (
            '<Cost><BuildTime op="mul_round">0.25</BuildTime></Cost>',
            {"BuildTime": "3", "Population": "2"},
        ),
        ('<Cost><BuildTime disable=""/></Cost>', {"Population": "2"}),
    ],
)
def test_special_attributes_say_how_an_element_is_merged(
    inside: str, cost: dict[str, str] | None
) -> None:
    assert get("a", base=BASE, a=child(inside)).get("Cost") == cost


def test_merge_of_what_is_not_there_adds_nothing() -> None:
    assert "New" not in get("a", base=BASE, a=child('<New merge=""><B>1</B></New>'))


def test_tokens_are_added_and_removed() -> None:
    classes = '<Identity><Classes datatype="tokens">-Ranged Melee Unit</Classes></Identity>'
    made = get("a", base=BASE, a=child(classes))
    assert made["Identity"]["Classes"]["_string"] == "Unit Melee"
    replaced = classes.replace("<Classes", '<Classes replace=""')
    made = get("a", base=BASE, a=child(replaced))
    assert made["Identity"]["Classes"]["_string"] == "Melee Unit"


@pytest.mark.parametrize("place", ["special__filter__", "mixins__", ""])
def test_a_bar_lays_the_first_over_the_second(place: str) -> None:
    layer = "<Entity><Cost disable=''/><Filtered/></Entity>"
    texts = {"base": BASE, f"{place}free": layer, "also": "<Entity><Cost><X>1</X></Cost></Entity>"}
    assert "Cost" not in get("free|base", **texts)
    assert get("also|free|base", **texts)["Cost"] == {"X": "1"}
    assert get("free|none", **texts) is None
    assert get("none|base", **texts) is None


def test_a_parent_can_have_a_bar_and_a_circle_of_parents_is_nothing() -> None:
    layer = "<Entity><Cost disable=''/></Entity>"
    made = get("a", base=BASE, mixins__free=layer, a=child("<New>1</New>", "free|base"))
    assert "Cost" not in made
    assert get("a", a=child("", "b"), b=child("", "a")) is None


def test_an_actor_is_the_template_of_actors_with_its_name() -> None:
    actor = "<Entity><VisualActor><Actor>none</Actor><X>1</X></VisualActor></Entity>"
    made = get("actor|props/rock.xml", special__actor=actor)
    assert made == {"VisualActor": {"Actor": "props/rock.xml", "X": "1"}}


@pytest.mark.parametrize("text", ["", "<Entity>", '<?xml version="1.0" encoding="x"?><Entity/>'])
def test_what_is_no_xml_is_no_template(text: str) -> None:
    assert get("a", a=text) is None
    assert get("a|base", base=BASE, a=text) is None


def test_entities_that_expand_without_end_are_no_template() -> None:
    lines = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 20}">' for n in range(1, 9)]
    text = f'<!DOCTYPE x [<!ENTITY e0 "{"x" * 99}">{"".join(lines)}]><Entity><A>&e8;</A></Entity>'
    assert get("a", a=text) is None


def test_elements_in_elements_without_end_are_no_template() -> None:
    assert get("a", a=f"<Entity>{'<A>' * 50_000}{'</A>' * 50_000}</Entity>") is None


def test_what_is_no_number_counts_as_none() -> None:
    made = get("a", base=BASE, a=child('<Cost><BuildTime op="add">nan</BuildTime></Cost>'))
    assert made["Cost"]["BuildTime"] == "10"


WORDS = st.lists(st.sampled_from("abcdef"), unique=True).map(tuple)


@given(before=WORDS, added=WORDS, removed=WORDS)
@settings(max_examples=40, deadline=None)
def test_merged_tokens_are_the_old_and_the_new_without_the_removed(
    before: tuple[str, ...], added: tuple[str, ...], removed: tuple[str, ...]
) -> None:
    kept = [word for word in removed if word not in added]
    layer = " ".join([*added, *(f"-{word}" for word in kept)])
    made = get(
        "a",
        base=f'<Entity><T datatype="tokens">{" ".join(before)}</T></Entity>',
        a=child(f'<T datatype="tokens">{layer}</T>'),
    )["T"]
    said = made.get("_string", "").split()
    assert said == [word for word in dict.fromkeys([*before, *added]) if word not in kept]


NAMES = st.sampled_from(["A", "B", "C"])


def elements(inside: Mapping[str, str]) -> str:
    return "".join(f"<{name}>{text}</{name}>" for name, text in inside.items())


INSIDE = st.recursive(
    st.sampled_from(["", "1", "x y"]),
    lambda inner: st.dictionaries(NAMES, inner, max_size=3).map(elements),
    max_leaves=6,
)
CHILDREN = st.dictionaries(NAMES, INSIDE, min_size=1, max_size=3).map(elements)


@given(base=CHILDREN, layer=CHILDREN)
@settings(max_examples=40, deadline=None)
def test_a_child_is_its_own_text_laid_over_its_parent(base: str, layer: str) -> None:
    texts = {"base": f"<Entity>{base}</Entity>", "layer": f"<Entity>{layer}</Entity>"}
    by_bar = get("layer|base", **texts)
    assert get("a", **texts, a=child(layer)) == by_bar | {"@parent": "base"}
    assert get("e|base", base=texts["base"], e="<Entity/>") == get("base", base=texts["base"])


@pytest.mark.parametrize("operation", ["add", "mul", "mul_round"])
def test_a_result_that_is_no_number_counts_as_none(operation: str) -> None:
    layers = child(f'<Cost><BuildTime op="{operation}">1e308</BuildTime></Cost>', "large")
    large = child("<Cost><BuildTime>1.7e308</BuildTime></Cost>")
    made = get("a", base=BASE, large=large, a=layers)
    assert made["Cost"]["BuildTime"] == "0"


def test_a_parent_is_the_same_whatever_was_asked_for_before() -> None:
    files = {f"t{n}": child("<A>1</A>", f"t{n - 1}").encode() for n in range(1, 150)}
    templates = Templates({**files, "t0": b"<Entity/>"}.get)
    assert templates.get("t149") is None
    assert templates.get("t50") == {"@parent": "t49", "A": "1"}
