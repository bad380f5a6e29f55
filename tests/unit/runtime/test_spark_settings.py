"""ROWTIME_SPARK_CONF: settings of Spark from the environment."""

from __future__ import annotations

import pytest

from rowtime.runtime.spark import environment_settings


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("", {}),
        ("spark.driver.memory=1g", {"spark.driver.memory": "1g"}),
        (
            "spark.driver.memory=1g, spark.master=local[2],\nspark.ui.enabled = true\n",
            {"spark.driver.memory": "1g", "spark.master": "local[2]", "spark.ui.enabled": "true"},
        ),
        (
            "spark.jars=/a b/a.jar,/c/d.jar,spark.driver.extraJavaOptions=-Da=1 -Db=2,3",
            {"spark.jars": "/a b/a.jar,/c/d.jar", "spark.driver.extraJavaOptions": "-Da=1 -Db=2,3"},
        ),
    ],
)
def test_settings_are_parted_where_the_next_one_begins(
    monkeypatch: pytest.MonkeyPatch, text: str, settings: dict[str, str]
) -> None:
    monkeypatch.setenv("ROWTIME_SPARK_CONF", text)
    assert environment_settings() == settings
