"""Table functions in Python that tests and scripts call for each row."""

import datetime as dt


def days(start, count):
    """Returns `count` days from a time on, and their numbers."""
    for number in range(count or 0):
        yield {"at_day": start + dt.timedelta(days=number), "nth": number + 1}


def halves(n):
    """Returns the number, half of it, and so on; a plain value is a row of one column."""
    if n < 0:
        raise ValueError(f"{n} is negative")
    while n:
        yield n
        n //= 2


def wait_for(file: str) -> bool:
    """Waits until a file exists; after three minutes, returns False."""
    import time
    from pathlib import Path

    end = time.monotonic() + 180
    while not Path(file).exists() and time.monotonic() < end:
        time.sleep(0.02)
    return Path(file).exists()
