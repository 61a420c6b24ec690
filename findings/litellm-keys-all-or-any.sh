#!/usr/bin/env bash
# litellm 1.80.11, `validate_environment`: keys that are needed together and keys of which one will do look alike.
#
# A good guess: `missing_keys` are those that must be set. Seen: for Bedrock it lists an id and a secret, of which both
# are needed; for Gemini it lists GOOGLE_API_KEY and GEMINI_API_KEY, of which either will do: with one of the two set,
# nothing is missing, while of the first two the one that is set goes on to be listed. Whoever tells people to set what is listed sends half of them after a second key.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" --quiet --disable-pip-version-check install litellm==1.80.11
env -i PATH="$PATH" HOME="$dir" LITELLM_LOCAL_MODEL_COST_MAP=True "$dir/venv/bin/python" - <<'PY'
import os
from importlib.metadata import version

import litellm

print("litellm", version("litellm"))
BEDROCK, GEMINI = "bedrock/anthropic.claude-v2", "gemini/gemini-1.5-pro"


def missing(model: str, **given: str) -> list[str]:
    os.environ.update(given)
    try:
        return sorted(litellm.validate_environment(model)["missing_keys"])
    finally:
        for name in given:
            del os.environ[name]


both, either = missing(BEDROCK), missing(GEMINI)
print("bedrock lacks", both, "and with the first of them", missing(BEDROCK, **{both[0]: "x"}))
print("gemini lacks", either, "and with the first of them", missing(GEMINI, **{either[0]: "x"}))
assert len(both) == 2 and missing(BEDROCK, **{both[0]: "x"}) == both, "it has changed"
assert len(either) == 2 and not missing(GEMINI, **{either[0]: "x"}), "it has changed"
PY
