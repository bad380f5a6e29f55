from __future__ import annotations

import copy
import json
import typing

import msgspec
import pytest
from plan_samples import SAMPLES, SCAN, ref

from rowtime.errors import RowtimeError
from rowtime.plan.codec import VERSION, check_version, decode_plan
from rowtime.plan.nodes import Aggregate, Join, Node


def test_every_node_has_a_sample():
    tags = {c.__struct_config__.tag for c in typing.get_args(Node)}
    assert tags == set(SAMPLES)


@pytest.mark.parametrize("op", SAMPLES)
def test_a_plan_survives_the_round_trip(op):
    plan = decode_plan(json.dumps(SAMPLES[op]))
    assert decode_plan(msgspec.json.encode(plan)) == plan
    assert decode_plan(SAMPLES[op]) == plan
    assert type(plan).__struct_config__.tag == op


@pytest.mark.parametrize("op", SAMPLES)
def test_encoding_writes_what_the_planner_wrote(op):
    written = msgspec.to_builtins(decode_plan(SAMPLES[op]))
    assert _without_defaults(written) == _without_defaults(SAMPLES[op])


def _without_defaults(json_value):
    """Optional fields may be missing: an empty clock, a window that begins at the epoch."""
    if isinstance(json_value, list):
        return [_without_defaults(v) for v in json_value]
    if isinstance(json_value, dict):
        return {k: _without_defaults(v) for k, v in json_value.items() if (k, v) not in [("clock", []), ("offset", 0)]}
    return json_value


@pytest.mark.parametrize("op", SAMPLES)
def test_an_unknown_field_is_refused(op):
    with pytest.raises(RowtimeError) as refused:
        decode_plan({**SAMPLES[op], "surprise": 1})
    assert refused.value.code == "RT0999"
    assert "surprise" in str(refused.value)


@pytest.mark.parametrize("op", SAMPLES)
def test_a_missing_field_is_refused(op):
    optional = {"clock"}
    for name in SAMPLES[op].keys() - optional:
        with pytest.raises(RowtimeError):
            decode_plan({k: v for k, v in SAMPLES[op].items() if k != name})


def test_an_unknown_operator_and_an_unknown_expression_are_refused():
    with pytest.raises(RowtimeError, match="hashjoin"):
        decode_plan({**SCAN, "op": "hashjoin"})
    broken = copy.deepcopy(SAMPLES["filter"])
    broken["condition"]["kind"] = "window"
    with pytest.raises(RowtimeError, match="window"):
        decode_plan(broken)
    with pytest.raises(RowtimeError):
        decode_plan("not JSON")


def test_numbers_are_not_texts():
    with pytest.raises(RowtimeError):
        decode_plan({**SCAN, "id": "1"})


@pytest.mark.parametrize(
    "step",
    [{"fn": "FLOOR"}, {"fn": "FLOOR", "millis": 5, "unit": "MONTH"}, {"fn": "CEIL", "millis": 0}, {"fn": "SHIFT"}],
)
def test_a_clock_step_rounds_to_one_thing(step):
    with pytest.raises(RowtimeError):
        decode_plan({**SCAN, "clock": [step]})


def test_names_follow_the_contract():
    plan = decode_plan(SAMPLES["join"])
    assert isinstance(plan, Join)
    assert plan.join_type == "LEFT"
    aggregate = decode_plan(SAMPLES["aggregate"])
    assert isinstance(aggregate, Aggregate)
    assert aggregate.rowtime_index == 0
    assert decode_plan({**SCAN, "rowtime": None}).rowtime_index is None
    assert decode_plan({**SAMPLES["sort"], "closes": ref(0)}).closes.index == 0


def test_another_version_is_refused():
    check_version({"version": VERSION})
    for reply in ({"version": VERSION + 1}, {}):
        with pytest.raises(RowtimeError, match="version") as refused:
            check_version(reply)
        assert refused.value.diagnostics[0].hint
