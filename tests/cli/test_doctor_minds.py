"""`sandbox doctor` on language models."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from clishell import Shell

from sandbox.minds.loopback import Loopback


@pytest.mark.slow
def test_the_settings_models_are_told_and_what_they_lack(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    assert shell("doctor").code == 0
    (tmp_path / "settings.yaml").write_text("mind: {model: openai/some, key: NO_SUCH_KEY}\n")
    done = shell("doctor")
    assert done.code == 1
    assert "openai/some: NO_SUCH_KEY is not set; set that environment variable" in done.out
    (tmp_path / "settings.yaml").write_text("mind: {modle: openai/some}\n")
    done = shell("doctor")
    assert done.code == 1
    assert "settings.yaml:1" in done.out
    assert "model" in done.out


def test_a_model_is_tried(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(Loopback().__aenter__(), loop).result(10)
    try:
        done = shell("doctor", "--mind", f"openai/test@{server.url}/v1")
        assert done.code == 0
        assert "openai/test answered in" in done.out
        assert server.count == 1
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
    done = shell("doctor", "--mind", "foo")
    assert done.code == 1
    assert "foo is no model that litellm knows" in done.out


def test_what_may_be_spent_is_told(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SANDBOX_HOME", str(tmp_path))
    (tmp_path / "settings.yaml").write_text(
        "mind: {model: openai/some, budget: {day: {tokens: 7000}, save: {calls: none, tokens: none}}}\n"
    )
    done = shell("doctor")
    assert "7,000 tokens, $1.00 a day; $5.00 a save" in done.out
    assert "without a price 1,000 calls, 7,000 tokens a day; no limit a save" in done.out
