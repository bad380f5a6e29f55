"""Table functions in Python over the rows of a table: equivalents of the Java files."""

import datetime as dt


def counted(row, context):
    """Returns each n-th row of a partition, with the count so far."""
    n = context.state.get("count", 0) + 1
    context.state["count"] = n
    if n % context.args["EVERY_N"] == 0:
        yield n, row.v


class Idle:
    """Returns the values of a partition up to a pause, as a row with the time of the first of them."""

    def process(self, row, context):
        context.state.setdefault("start", context.rowtime)
        context.state.setdefault("values", []).append(row["V"])
        context.set_timer("pause", context.rowtime + context.args["PAUSE"])

    def on_timer(self, name, context):
        values = context.state["values"]
        context.emit({"vs": "+".join(map(str, values)), "n": len(values)}, rowtime=context.state["start"])
        context.clear()


class Failing:
    """Fails at rows whose value is below 0: by an exception, by a row before its bound, by a value of the wrong
    type."""

    def process(self, row, context):
        if row.v == -1:
            raise LookupError("no\nvalue")
        if row.v == -2:
            context.emit(1, rowtime=context.rowtime - dt.timedelta(minutes=1))
        if row.v == -3:
            yield 1.5
        yield row.v


class WindowCounts:
    """Counts the rows of a partition per ten seconds, emitted at their end: equivalent to `WindowCounts.java`."""

    def process(self, row, context):
        state = context.state
        if "count" not in state:
            now = context.rowtime
            context.set_timer("end", now.replace(microsecond=0) + dt.timedelta(seconds=10 - now.second % 10))
        state["count"] = state.get("count", 0) + 1

    def on_timer(self, name, context):
        yield context.state["count"]
        context.clear()


class Recent:
    """Returns the remaining parts of a value, a list and a map whose entries expire one by one: equivalent to
    `Recent.java`."""

    def process(self, row, context):
        live = context.args["LIVE"]
        count = context.value("count", ttl=live)
        if row.v < 10:
            count.set(count.get(0) + 1)
        if row.v < 20:
            context.list("values", ttl=live).append(row.v)
        context.map("latest", ttl=live)[row.v // 10] = row.v
        context.set_timer("after", context.rowtime + live)
        yield self.seen(context)

    def on_timer(self, name, context):
        yield self.seen(context)

    @staticmethod
    def seen(context):
        values = " ".join(map(str, context.list("values")))
        latest = " ".join(f"{ten}:{v}" for ten, v in context.map("latest").items())
        return context.value("count").get(0), values or "-", latest or "-"


def passed_on(row, context):
    """Returns each row as it is."""
    yield row.v, row.s


def numbered(row, context):
    """Returns the number of each row in its partition."""
    context.state["count"] = context.state.get("count", 0) + 1
    yield context.state["count"]
