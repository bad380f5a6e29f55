"""Describes each plan node in one line; an operator without a description here is shown by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rowtime.explain.facts import duration
from rowtime.plan.rex_text import rex_text
from rowtime.types import times

Node = dict[str, Any]


def describe(node: Node) -> str:
    """Returns a description such as `aggregate by ROWTIME, PRODUCTID: COUNT(*) AS C`."""
    line = _LINES.get(node["op"])
    name = node["op"].replace("_", " ")
    return (name if line is None else f"{name} {line(node)}").rstrip()


def _names(node: Node) -> list[str]:
    """Returns the columns to which the node's expressions refer: those of its inputs, one after the other."""
    return [field["name"] for child in node.get("inputs", []) for field in child["fields"]]


def _scan(node: Node) -> str:
    kind, as_of = node["kind"].lower(), node.get("asOf")
    if as_of is not None and as_of["by"] == "HISTORY_BEGIN":
        return f"{node['source']} ({kind}, start of its history)"
    if as_of is not None and as_of["by"] == "HISTORY":
        return f"{node['source']} ({kind}, all its versions, with the times of their commits)"
    if as_of is not None:
        version = "it is when the query starts" if as_of["time"] is None else f"of {times.text(as_of['time'])}"
        return f"{node['source']} ({kind}, as {version})"
    if node["mode"] == "keys":
        return f"{node['source']} ({kind}, looked up by key in its system)"
    if node["mode"] == "changes":
        return f"{node['source']} ({kind}, its rows, and then the changes of each commit)"
    start = ", from the earliest row" if node.get("start") else ""
    if node.get("minRowtime") is not None:
        start = f", from {times.text(node['minRowtime'])} on"
    clock = ", once the system clock has passed" if node.get("clockShift") is not None else ""
    return f"{node['source']} ({kind}, read as a {node['mode']}{start}{clock})"


def _values(node: Node) -> str:
    rows = len(node["rows"])
    return f"{rows} row{'' if rows == 1 else 's'}"


def _filter(node: Node) -> str:
    return rex_text(node["condition"], _names(node))


def _project(node: Node) -> str:
    names = _names(node)
    parts = []
    for field, rex in zip(node["fields"], node["exprs"], strict=False):
        text = rex_text(rex, names)
        parts.append(text if text == field["name"] else f"{text} AS {field['name']}")
    return ", ".join(parts)


def _aggregate(node: Node) -> str:
    names = _names(node)
    keys = _key_names(node["keys"], names) or "()"
    if node.get("sets"):
        keys = ", ".join(f"({_key_names(keys, names)})" for keys in node["sets"])
    calls = ", ".join(_call(call, [names[index] for index in call["args"]], names) for call in node["calls"])
    closes = f"; a group closes at {rex_text(node['closes'], names)}" if node.get("closes") else ""
    if node.get("ttl") is not None:
        closes = f"; a row more than {duration(node['ttl'])} after the one before begins its group anew"
    return f"by {keys}{': ' + calls if calls else ''}{closes}"


def _to_changelog(node: Node) -> str:
    (names,) = [[field["name"] for field in child["fields"]] for child in node["inputs"]]
    if node["key"] is None:
        return "of whole rows"
    kind = "upserts" if node["upserts"] else "changes"
    into = f" into {node['target']}" if node["target"] else ""
    return f"of {kind} by {_key_names(node['key'], names) or '()'}{into}"


def _from_changelog(node: Node) -> str:
    if node["key"] is None:
        return "of whole rows"
    return f"of the latest change of each {_key_names(node['key'], _names(node))}"


def _hop_aggregate(node: Node) -> str:
    names = _names(node)
    keys = ", ".join(names[key] if isinstance(key, int) else f"the window's {key.lower()}" for key in node["keys"])
    calls = ", ".join(_call(call, [names[index] for index in call["args"]], names) for call in node["calls"])
    return f"{_windows(node)} by {keys}: {calls}, of panes by {names[node['pane']]}"


def _windows(node: Node) -> str:
    return f"{duration(node['size'])} every {duration(node['slide'])}"


def _key_names(keys: list[int], names: list[str]) -> str:
    return ", ".join(names[index] for index in keys)


def _call(call: dict[str, Any], args: list[str], names: list[str]) -> str:
    inner = ", ".join(args) if args else "*"
    text = f"{call['function']}({'DISTINCT ' if call.get('distinct') else ''}{inner})"
    if call.get("order"):
        text += f" WITHIN GROUP (ORDER BY {_order(call['order'], names)})"
    if call.get("filter") is not None:
        text += f" FILTER {names[call['filter']]}"
    return f"{text} AS {call['name']}"


def _union(node: Node) -> str:
    return f"{'all' if node.get('all') else 'distinct'}{', merged by ROWTIME' if node.get('merges') else ''}"


def _order(keys: list[dict[str, Any]], names: list[str]) -> str:
    return ", ".join(f"{names[key['index']]} {key['direction']}" for key in keys)


def _sort(node: Node) -> str:
    names = _names(node)
    keys = _order(node["keys"], names)
    limits = [f"{word} {node[word]}" for word in ("offset", "fetch") if node.get(word) is not None]
    return " ".join(filter(None, [f"by {keys}" if keys else "", *limits]))


def _join(node: Node) -> str:
    return f"{node['joinType'].lower()} on {rex_text(node['condition'], _names(node))}"


def _lookup_join(node: Node) -> str:
    return f"{_join(node)}; each row of the {node['stream'].lower()} input with the current rows of the other"


def _interval_join(node: Node) -> str:
    near = f"left rows {_match_interval(node['leftInterval'])}, right rows {_match_interval(node['rightInterval'])}"
    once = [f"; equal {side} rows count once" for side in ("left", "right") if node[f"{side}Distinct"]]
    return f"{_matching(node)}; {near}{''.join(once)}"


def _matching(node: Node) -> str:
    """Returns the type of a join of streams, and its condition."""
    left, right = (child["fields"] for child in node["inputs"])
    keys = [
        f"{rex_text(a, [f['name'] for f in left])} = {rex_text(b, [f['name'] for f in right])}"
        for a, b in zip(node["leftKeys"], node["rightKeys"], strict=True)
    ]
    rest = [] if node["condition"] is None else [rex_text(node["condition"], _names(node))]
    return f"{node['joinType'].lower()} on {' AND '.join([*keys, *rest]) or 'TRUE'}"


def _temporal_join(node: Node) -> str:
    shift = node["shift"]
    time = "its ROWTIME" if shift == 0 else f"{duration(abs(shift))} {'after' if shift > 0 else 'before'} its ROWTIME"
    names = [field["name"] for field in node["inputs"][1]["fields"]]
    identity = ", ".join(names[i] for i in node["identity"])
    one = f"; versions by {identity}{', in one task' if node['oneTask'] else ''}" if identity else ""
    when = f"{'at' if node['inclusive'] else 'before'} {time}"
    if node["within"] is not None:
        when = f"{'at or ' if node['inclusive'] else ''}after {time}, until {_after(node['within'])}"
        return f"{_matching(node)}; each left row with the next right row {when}"
    return f"{_matching(node)}; each left row with the latest version {when}{one}"


def _search_key(node: Node) -> str:
    left, right = ([field["name"] for field in child["fields"]] for child in node["inputs"])
    keys = [f"{right[key]} = {rex_text(rex, left)}" for key, rex in zip(node["keys"], node["lookup"], strict=True)]
    rest = [] if node["condition"] is None else [rex_text(node["condition"], _names(node))]
    options = node["options"]
    matching = f"{node['joinType'].lower()} on {' AND '.join([*keys, *rest])}"
    if node["connector"] == "DELTA":
        ttl = options["cacheTtl"]
        kept = "while the table has the same version" if ttl is None else f"for {duration(ttl)}"
        return f"{matching}; reads the files that can have the distinct keys; cached {kept}"
    parts = [
        matching,
        f"distinct keys, {options['batchSize']} in a statement",
        f"{options['capacity']} statements at once" if options["capacity"] > 1 else "",
        f"keys without a row {options['retries']} times again" if options["retries"] else "",
        f"cached for {duration(options['cacheTtl'])}" if options["cacheTtl"] is not None else "",
    ]
    return "; ".join(filter(None, parts))


def _match_interval(interval: dict[str, Any]) -> str:
    """Returns the interval around its ROWTIME in which a row can be matched."""
    start, end, rows = interval["from"], interval["to"], interval["rows"]
    if rows is not None:
        return "as long as they are the latest" if rows == 1 else f"as long as they are among the latest {rows:,}"
    if start == end == 0:
        return "at their ROWTIME"
    window = interval.get("window")
    within = "" if window is None else f" in the {_length(window)} of their ROWTIME"
    return f"from {_after(start)} to {_after(end)}{within}"


def _length(floor: dict[str, Any]) -> str:
    """The windows of a FLOOR."""
    return floor["unit"].lower() if floor.get("unit") else f"window of {duration(floor['millis'])}"


def _after(millis: int) -> str:
    if millis == 0:
        return "their ROWTIME"
    return f"{duration(abs(millis))} {'after' if millis > 0 else 'before'} it"


def _hop(node: Node) -> str:
    return f"by {rex_text(node['time'], _names(node))}: {node['size']} ms every {node['slide']} ms"


def _session(node: Node) -> str:
    names = _names(node)
    keys = f", for each {', '.join(names[key] for key in node['keys'])}" if node["keys"] else ""
    return f"by {names[node['time']]}: rows at most {node['gap']} ms apart{keys}"


def _unnest(node: Node) -> str:
    listed = ", ".join(rex_text(rex, _names(node)) for rex in node["exprs"])
    number = " with ordinality" if node["ordinality"] else ""
    return f"{listed}{number}{', also rows without elements' if node['outer'] else ''}"


def _process(node: Node) -> str:
    names = _names(node)
    args = [f"{name} => {rex_text(rex, [])}" for name, rex in zip(node["parameters"], node["args"], strict=True)]
    by = f" partition by {_key_names(node['partition'], names)}" if node["partition"] else ""
    delay = f", rows up to {duration(node['delay'])} late" if node["delay"] else ""
    return f"by {node['function']}({', '.join([f'TABLE{by}', *args])}) in {node['language'].title()}{delay}"


def _sample(node: Node) -> str:
    seed = "" if node["seed"] is None else f", seed {node['seed']}"
    return f"{node['fraction'] * 100:.6g} %{seed}"


def _recurse(node: Node) -> str:
    return f"recursion {node['recursion']}, {'all' if node['all'] else 'distinct'}, until there are no more rows"


def _recursive(node: Node) -> str:
    return f"the latest rows of recursion {node['recursion']}"


def _lateness(node: Node) -> str:
    names = _names(node)
    columns = ", ".join(f"{names[c['index']]} by {rex_text(c['lateness'], names)}" for c in node["columns"])
    return f"drops late rows: {columns}"


def _setop(node: Node) -> str:
    return f"{node['kind'].lower()}{' all' if node.get('all') else ''}"


def _window(node: Node) -> str:
    names = _names(node)
    return "; ".join(_over(window, names) for window in node["windows"])


def _over(window: dict[str, Any], names: list[str]) -> str:
    calls = ", ".join(_call(call, [rex_text(rex, names) for rex in call["args"]], names) for call in window["calls"])
    partition = ", ".join(names[index] for index in window["partition"])
    frame = window["frame"]
    ends = f"{'rows' if frame['rows'] else 'range'} {_end(frame['lower'])} to {_end(frame['upper'])}"
    by = [f"partition by {partition}" if partition else "", _ordered_by(window["order"], names), ends]
    return f"{calls} over ({', '.join(filter(None, by))})"


def _ordered_by(keys: list[dict[str, Any]], names: list[str]) -> str:
    return f"order by {_order(keys, names)}" if keys else ""


def _top_n(node: Node) -> str:
    names = _names(node)
    return f"{_first_rows(node, names)}; a partition closes at {rex_text(node['closes'], names)}"


def _temporal_filter(node: Node) -> str:
    """The conditions as they could be written, with NOW() for the bound."""
    names = _names(node)
    parts = [f"{_later(limit, names)} {'<' if limit['after'] else '<='} NOW()" for limit in node["enters"]]
    parts += [f"{_later(limit, names)} {'>=' if limit['after'] else '>'} NOW()" for limit in node["leaves"]]
    return f"{' AND '.join(parts)}, where NOW() is the bound of ROWTIME"


def _later(limit: dict[str, Any], names: list[str]) -> str:
    name, millis = names[limit["column"]], limit["millis"]
    return name if millis == 0 else f"{name} {'-' if millis < 0 else '+'} {duration(abs(millis))}"


def _updating_top_n(node: Node) -> str:
    anew = ""
    if node["ttl"] is not None:
        anew = f"; a row more than {duration(node['ttl'])} after the one before begins its partition anew"
    return _first_rows(node, _names(node)) + anew


def _first_rows(node: Node, names: list[str]) -> str:
    ranks = f", with {', '.join(node['ranks'])}" if node["ranks"] else ""
    partition = f"partition by {_key_names(node['partition'], names)}" if node["partition"] else ""
    over = ", ".join(filter(None, [partition, _ordered_by(node["order"], names)]))
    return f"{node['function']} <= {node['limit']} over ({over}){ranks}"


def _end(bound: dict[str, Any]) -> str:
    offset = f"{rex_text(bound['offset'], [])} " if bound.get("offset") else ""
    return f"{offset}{bound['kind'].replace('_', ' ').lower()}"


_LINES: dict[str, Callable[[Node], str]] = {
    "scan": _scan,
    "values": _values,
    "filter": _filter,
    "project": _project,
    "aggregate": _aggregate,
    "group_aggregate": _aggregate,
    "session_aggregate": _aggregate,
    "updating_aggregate": _aggregate,
    "to_changelog": _to_changelog,
    "from_changelog": _from_changelog,
    "hop_aggregate": _hop_aggregate,
    "union": _union,
    "sort": _sort,
    "join": _join,
    "interval_join": _interval_join,
    "updating_join": _matching,
    "lookup_join": _lookup_join,
    "search_key": _search_key,
    "temporal_join": _temporal_join,
    "hop": _hop,
    "session": _session,
    "unnest": _unnest,
    "process": _process,
    "sample": _sample,
    "recurse": _recurse,
    "recursive": _recursive,
    "lateness": _lateness,
    "setop": _setop,
    "window": _window,
    "top_n": _top_n,
    "updating_top_n": _updating_top_n,
    "updating_over": _window,
    "temporal_filter": _temporal_filter,
}
