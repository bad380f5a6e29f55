"""Fixtures for attacks on the product: how long to fuzz, and with what seed."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

import pytest

Inputs = Callable[[], Iterator[random.Random]]


@pytest.fixture
def fuzz(request: pytest.FixtureRequest, figures: Callable[..., None]) -> Iterator[Inputs]:
    """A loop of fuzzing: yields a random generator for each input, for as many seconds as `--fuzz` says.

    Without `--fuzz` it also ends after 20,000 inputs, so that a faster machine gets no other inputs. Each generator is
    created from the run's seed and the input's number; a failed test prints both.
    """
    option = request.config.option
    seed, seconds, most = option.fuzz_seed, option.fuzz, option.fuzz_inputs
    count = 0

    def inputs() -> Iterator[random.Random]:
        nonlocal count
        end = time.monotonic() + seconds
        while time.monotonic() < end and count < most:
            count += 1
            yield random.Random(f"{seed}/{count}")

    yield inputs
    figures(inputs=count)
    print(f"--fuzz-seed {seed}, last input {count}")
