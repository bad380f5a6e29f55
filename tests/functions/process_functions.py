"""Table functions in Python over the rows of a table: the same as those in the files in Java."""

import datetime as dt


def counted(row, context):
    """Each n-th row of a partition, with how many there have been."""
    n = context.state.get("count", 0) + 1
    context.state["count"] = n
    if n % context.args["EVERY_N"] == 0:
        yield n, row.v


class Idle:
    """The values of a partition up to a pause, as a row of the time of the first of them."""

    def process(self, row, context):
        context.state.setdefault("start", context.rowtime)
        context.state.setdefault("values", []).append(row["V"])
        context.set_timer("pause", context.rowtime + context.args["PAUSE"])

    def on_timer(self, name, context):
        values = context.state["values"]
        context.emit({"vs": "+".join(map(str, values)), "n": len(values)}, rowtime=context.state["start"])
        context.clear()


class Failing:
    """Fails at rows whose value is below 0: by itself, by a row before its bound, by a value of the wrong type."""

    def process(self, row, context):
        if row.v == -1:
            raise LookupError("no\nvalue")
        if row.v == -2:
            context.emit(1, rowtime=context.rowtime - dt.timedelta(minutes=1))
        if row.v == -3:
            yield 1.5
        yield row.v


class WindowCounts:
    """How many rows a partition has in each ten seconds, at their end: the same as `WindowCounts.java`."""

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
    """What is left of a value, a list and a map whose entries end one by one: the same as `Recent.java`."""

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
