"""The promises of the package: what the wheel holds, that it runs on its own from any folder, and what make does."""

from __future__ import annotations

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sandbox.core import places

ROOT = Path(__file__).resolve().parent.parent
PIP = ("-m", "pip", "--disable-pip-version-check", "install", "--quiet")
MAKE = shutil.which("make") or ""


def build(kind: str, out: Path, source: Path = ROOT) -> Path:
    """Build a wheel or sdist with the hatchling that is here, without the network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(out)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return next(out.glob("*.whl" if kind == "wheel" else "*.tar.gz"))


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as z:
        return set(z.namelist())


def files(folder: str, pattern: str) -> set[str]:
    return {str(p.relative_to(ROOT)) for p in (ROOT / folder).rglob(pattern)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", tmp_path_factory.mktemp("dist"))


class Installed(NamedTuple):
    """An environment that has the wheel, and a folder far from the checkout to work in."""

    python: Path
    package: Path
    folder: Path

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
        env["SANDBOX_HOME"] = str(self.folder / "home")
        command = [str(self.python), *words]
        return subprocess.run(
            command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True
        )


def environment(root: Path, *, with_pip: bool) -> Installed:
    venv.create(root / "env", with_pip=with_pip, symlinks=os.name != "nt")
    paths = sysconfig.get_paths("venv", vars={"base": str(root / "env"), "platbase": str(root / "env")})
    folder = root / "some where else"
    folder.mkdir()
    return Installed(Path(paths["scripts"]) / "python", Path(paths["purelib"]) / "sandbox", folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel without dependencies, in an environment that sees the packages of the tests but not the checkout.

    A line of a .pth file is a plain folder: the .pth files inside it, an editable install's say, have no effect.
    """
    made = environment(tmp_path_factory.mktemp("installed"), with_pip=False)
    seen = dict.fromkeys((sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
    (made.package.parent / "packages_of_the_tests.pth").write_text("\n".join(seen) + "\n", encoding="utf-8")
    made.run(*PIP, "--no-deps", "--no-index", "--ignore-installed", str(wheel))
    return made


@pytest.mark.slow
def test_the_wheel_holds_code_decks_worlds_and_people_and_nothing_else(wheel: Path) -> None:
    inside = {n for n in names(wheel) if ".dist-info/" not in n}
    data = {f"sandbox/_data/{n}" for n in files("worlds", "*.*") | files("personas", "*.yaml")}
    assert data <= inside
    assert files("sandbox/data", "*.yaml") <= inside
    assert files("sandbox/lab", "*.yaml") | files("sandbox/lab", "*.txt") | files("sandbox/lab", "*.j2") <= inside
    assert files("sandbox", "*.py") <= inside
    assert all(n.startswith("sandbox/") for n in inside)
    assert [n for n in inside if n.endswith((".pyc", ".db"))] == ["sandbox/_data/saves/larkspur-day.db"]


@pytest.mark.slow
def test_a_source_package_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    source = build("sdist", tmp_path)
    shutil.unpack_archive(source, tmp_path / "source")
    again = build("wheel", tmp_path / "again", next((tmp_path / "source").iterdir()))
    assert names(again) == names(wheel)


@pytest.mark.slow
def test_an_installed_package_reads_its_own_data(installed: Installed) -> None:
    code = (
        "import json; from sandbox.core import places; from sandbox.engine.loading import find_world, load; "
        "s = load(find_world('larkspur')); "
        "print(json.dumps([str(places.PACKAGE), str(find_world('larkspur')), str(places.shipped_folder('personas')), "
        "str(places.saves_dir()), len(s.cast)]))"
    )
    package, world, personas, saves, people = json.loads(installed.run("-c", code).stdout)
    assert Path(package) == installed.package.resolve()
    assert Path(world) == Path(package) / "_data" / "worlds" / "larkspur"
    assert Path(personas) == Path(package) / "_data" / "personas"
    assert Path(saves) == installed.folder / "home" / "saves"
    assert people == 25
    day = installed.run("-c", "from sandbox.tui.sheets.saves import recorded_day; print(recorded_day())").stdout
    assert Path(day.strip()) == Path(package) / "_data" / "saves" / "larkspur-day.db"


@pytest.mark.slow
def test_an_installed_town_runs_from_any_folder(installed: Installed) -> None:
    own = installed.package / "_data" / "worlds"
    shutil.copytree(own / "larkspur", own / "only_in_the_wheel")
    told = json.loads(installed.run("-m", "sandbox", "run", "only_in_the_wheel", "--steps", "5", "--json").stdout)
    assert (told["world"], told["steps"], told["residents"]) == ("only_in_the_wheel", 5, 25)
    assert told["events"] > 25
    left = {file.name for file in installed.folder.rglob("*") if file.is_file()}
    assert {name.rpartition(".")[2] for name in left} == {"world"}, "but for what worlds gave, in the folder for caches"


@pytest.mark.slow
def test_the_command_is_installed(installed: Installed) -> None:
    from sandbox import __version__

    command = installed.python.with_name("sandbox")
    told = subprocess.run([command, "--version"], cwd=installed.folder, capture_output=True, text=True, check=True)
    assert __version__ in told.stdout


@pytest.mark.slow
def test_a_full_install_needs_nothing_else(wheel: Path, tmp_path: Path) -> None:
    """With its dependencies from the index, into an environment that has nothing."""
    made = environment(tmp_path, with_pip=True)
    made.run(*PIP, "--no-compile", str(wheel))  # byte code of what is imported alone
    told = json.loads(made.run("-m", "sandbox", "run", "larkspur", "--steps", "5", "--json").stdout)
    assert told["steps"] == 5
    assert "sandbox-town" in made.run("-m", "pip", "--disable-pip-version-check", "list").stdout
    made.run("-m", "pip", "check")


def test_a_checkout_reads_what_lies_beside_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SANDBOX_HOME", raising=False)
    assert places.checkout() == ROOT
    assert places.shipped_folder("worlds") == ROOT / "worlds"
    assert places.saves_dir() == ROOT / "saves"
    assert not (places.PACKAGE / "_data").exists()


def test_an_editable_install_copies_no_data() -> None:
    try:
        placed = importlib.metadata.files("sandbox-town") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the checkout is not installed here")
    assert placed
    assert not [f for f in placed if "_data" in f.parts]


# What make does, with interpreters that only write down how they were called.

VENV_PYTHON = """#!/bin/sh
printf '%s\\n' "$*" >> calls
case "$*" in "-m sandbox"*) exit "${CODE:-0}";; esac
"""
PYTHON = """#!/bin/sh
case "$*" in
--version) echo "Python 3.%(minor)d.0";;
*version_info\\ *) exit %(old)d;;
*ensurepip*) exit %(lacking)d;;
*print*) echo python3.%(minor)d-venv;;
"-m venv --clear .venv") rm -rf .venv && mkdir -p .venv/bin && cp venv-python .venv/bin/python;;
*) exit 99;;
esac
"""


class Checkout:
    """A folder with the Makefile and pyproject.toml, in a path with spaces, and the only programs make shall see."""

    def __init__(self, root: Path) -> None:
        self.folder, self.programs = root / "a town  of one's own", root / "bin"
        self.folder.mkdir()
        self.programs.mkdir()
        for name in ("Makefile", "pyproject.toml"):
            shutil.copy(ROOT / name, self.folder)
        self._write(self.folder / "venv-python", VENV_PYTHON)
        for name in ("sh", "echo", "touch", "mkdir", "cp", "rm"):
            (self.programs / name).symlink_to(shutil.which(name) or "")

    @staticmethod
    def _write(path: Path, text: str) -> None:
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def has(self, name: str, minor: int, *, lacking: bool = False) -> None:
        """Put a Python 3.`minor` there; lacking: without what makes virtual environments."""
        self._write(self.programs / name, PYTHON % {"minor": minor, "old": minor < 11, "lacking": lacking})

    def has_broken(self, name: str) -> None:
        """Put a program of that name there that fails, as a launcher without its version does."""
        self._write(self.programs / name, "#!/bin/sh\nexit 127\n")

    def make(self, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
        env = {"PATH": str(self.programs), "CODE": str(code), "LC_ALL": "C"}
        return subprocess.run(
            [MAKE, *words], cwd=self.folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def calls(self) -> list[str]:
        """What .venv's Python was asked for since the last look."""
        log = self.folder / "calls"
        found = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
        log.unlink(missing_ok=True)
        return found


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    if not MAKE:
        pytest.skip("there is no make here")
    return Checkout(tmp_path)


def installs(calls: Sequence[str]) -> list[str]:
    return [c.rpartition(" ")[2] for c in calls if " install " in c]


def test_play_says_what_it_installs_then_plays_and_installs_once(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    first = checkout.make("play", "ARGS=larkspur --seed 7")
    assert first.returncode == 0, first.stderr
    assert "MB" in first.stdout
    calls = checkout.calls()
    assert installs(calls) == ["."]
    assert calls[-1] == "-m sandbox play larkspur --seed 7"
    second = checkout.make("play")
    assert (second.returncode, second.stdout) == (0, "")
    assert checkout.calls() == ["-m sandbox play"]


def test_bench_runs_the_benchmarks_of_the_checkout(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    assert checkout.make("bench", "ARGS=--quick").returncode == 0
    assert checkout.calls()[-1] == "-m benchmarks --quick"


def test_play_fails_when_the_program_fails(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    assert checkout.make("play", code=3).returncode != 0
    checkout.calls()
    assert checkout.make("play").returncode == 0, "what was installed stays installed"
    assert installs(checkout.calls()) == []


def test_a_changed_pyproject_installs_again(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    checkout.make("test")
    assert installs(checkout.calls()) == [".", ".[dev]"]
    for stamp in (".play", ".dev"):
        os.utime(checkout.folder / ".venv" / stamp, (1e9, 1e9))
    checkout.make("test")
    assert installs(checkout.calls()) == [".", ".[dev]"]
    checkout.make("test")
    assert installs(checkout.calls()) == []


def test_two_jobs_at_once_install_in_order_and_once(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    assert checkout.make("-j2", "test", "check").returncode == 0
    calls = checkout.calls()
    assert installs(calls) == [".", ".[dev]"]
    assert {"-m pytest -n auto --dist loadfile", "-m ruff format --check .", "-m ruff check .", "-m mypy"} <= set(calls)


def test_a_venv_whose_python_is_gone_is_made_anew(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    checkout.make("play")
    checkout.calls()
    python = checkout.folder / ".venv" / "bin" / "python"
    python.unlink()
    python.symlink_to("/nowhere/python3")
    assert checkout.make("play").returncode == 0
    assert installs(checkout.calls()) == ["."]


def test_the_first_python_that_will_do_is_taken(checkout: Checkout) -> None:
    checkout.has_broken("python3.13")
    checkout.has("python3.12", 12, lacking=True)
    checkout.has("python3.11", 11)
    checkout.has("python3", 10)
    made = checkout.make("play")
    assert "Making .venv with Python 3.11.0 (python3.11)." in made.stdout


def test_a_named_python_goes_first(checkout: Checkout) -> None:
    checkout.has("python3", 12)
    checkout.has("my python", 13)
    made = checkout.make("play", f"PYTHON={checkout.programs / 'my python'}")
    assert "Python 3.13.0" in made.stdout, made.stderr


def test_a_missing_venv_package_is_named(checkout: Checkout) -> None:
    checkout.has("python3", 11, lacking=True)
    made = checkout.make("play")
    assert made.returncode != 0
    assert "apt install python3.11-venv" in made.stderr
    assert not (checkout.folder / ".venv").exists()


def test_too_old_a_python_is_said_to_be(checkout: Checkout) -> None:
    checkout.has("python3", 10)
    made = checkout.make("play")
    assert made.returncode != 0
    assert "No Python 3.11 or newer found" in made.stderr


def test_help_needs_no_python(checkout: Checkout) -> None:
    told = checkout.make()
    assert told.returncode == 0
    assert all(f"make {target}" in told.stdout for target in ("play", "test", "check", "bench"))
