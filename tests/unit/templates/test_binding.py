"""Parameters reach a template with the types it declares, or not at all."""

from __future__ import annotations

import pytest

from hindsight_neo4j.errors import TemplateError
from hindsight_neo4j.model.template import Param, ParamType, Template, Value
from hindsight_neo4j.templates.binding import bind, guess

TEMPLATE = Template(
    "lookup/x",
    "",
    (
        Param("name", ParamType.STRING, ""),
        Param("ids", ParamType.STRINGS, ""),
        Param("limit", ParamType.INT, ""),
        Param("least", ParamType.FLOAT, ""),
    ),
    (),
    "",
    ':param name => "x"\n:param ids => []\n:param limit => 1\n:param least => 0.5',
    "",
)
VALUES: dict[str, Value] = {"name": "n", "ids": ["a"], "limit": 3, "least": 0.5}


def test_values_of_the_right_type_pass() -> None:
    assert bind(TEMPLATE, VALUES) == VALUES


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("name", "20", "20"),
        ("name", '["a"]', '["a"]'),
        ("ids", "a.py:f, b.py:g", ["a.py:f", "b.py:g"]),
        ("ids", '["a,b", "c"]', ["a,b", "c"]),
        ("ids", "", []),
        ("limit", "20", 20),
        ("least", "0.5", 0.5),
        ("least", "1", 1),
    ],
)
def test_text_from_a_command_line_is_read_by_the_declared_type(
    name: str, text: str, value: Value
) -> None:
    assert bind(TEMPLATE, {**VALUES, name: text})[name] == value


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("name", 3),
        ("limit", "many"),
        ("limit", "1.5"),
        ("limit", True),
        ("limit", "true"),
        ("least", "half"),
        ("ids", [1]),
        ("ids", 1),
        ("limit", "[" * 50_000),
        ("limit", "9" * 5_000),
    ],
)
def test_a_value_of_another_type_is_refused_by_name(name: str, value: Value) -> None:
    with pytest.raises(TemplateError, match=rf"\${name} .*lookup/x") as refusal:
        bind(TEMPLATE, {**VALUES, name: value})
    assert len(str(refusal.value)) < 300


def test_a_missing_parameter_is_answered_with_the_line_to_try() -> None:
    with pytest.raises(TemplateError, match=r'needs \$limit: try :param name => "x"; :param ids'):
        bind(TEMPLATE, {key: value for key, value in VALUES.items() if key != "limit"})


def test_an_unknown_parameter_is_answered_with_the_known_ones() -> None:
    with pytest.raises(TemplateError, match=r"no parameter \$nmae: it takes \$name, \$ids"):
        bind(TEMPLATE, {**VALUES, "nmae": "x"})


def test_text_without_a_declared_type_is_read_as_what_it_looks_like() -> None:
    texts = ["20", "0.5", '["a", "b"]', "a.py:f", "true", "[1]", '"quoted"', "null", "NaN"]
    values = [20, 0.5, ["a", "b"], "a.py:f", "true", "[1]", '"quoted"', "null", "NaN"]
    assert [guess(text) for text in texts] == values
