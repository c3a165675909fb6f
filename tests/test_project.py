"""The project's own papers agree with each other and with what is installed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[1]
TARGETS = {
    "play",
    "test",
    "lint",
    "bench",
    "soak",
    "goldens",
    "fixtures",
    "constraints",
    "clean",
    "help",
}


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def project() -> dict[str, Any]:
    return tomllib.loads(read("pyproject.toml"))


def pins() -> dict[str, str]:
    """Constraint lines by canonical name."""
    lines = [line for line in read("constraints.txt").splitlines() if line and line[0] != "#"]
    return {canonicalize_name(re.split(r"[=;\s]", line)[0]): line for line in lines}


def dependencies() -> set[str]:
    """Canonical names of all dependencies, direct and indirect, that hold on this machine."""
    data = project()
    extras: dict[str, list[str]] = data["project"]["optional-dependencies"]
    waiting = [
        Requirement(line)
        for lines in (
            data["build-system"]["requires"],
            data["project"]["dependencies"],
            *extras.values(),
        )
        for line in lines
    ]
    seen: set[tuple[str, str]] = set()
    names: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name == "fieldpost":  # its extras are all in the list already
            continue
        names.add(name)
        for extra in ("", *requirement.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting += required_by(name, extra)
    return names


def required_by(name: str, extra: str) -> Iterator[Requirement]:
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        pytest.fail(f"{name} is not installed; run the tests with `make test`")
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def test_constraints_pin_exactly_and_name_no_index() -> None:
    for name, line in pins().items():
        pin = Requirement(line)  # raises for options such as an index address
        assert not pin.url and not pin.extras, line
        assert [spec.operator for spec in pin.specifier] == ["=="], f"{name} is not pinned: {line}"
        assert "*" not in str(pin.specifier), line


def test_constraints_cover_every_dependency() -> None:
    missing = sorted(dependencies() - pins().keys())
    assert not missing, f"run make constraints; it lacks {missing}"


def test_constraints_hold_nothing_else() -> None:
    unneeded = {
        name
        for name in pins().keys() - dependencies()
        if (marker := Requirement(pins()[name]).marker) is None or marker.evaluate()
    }
    assert not unneeded, f"run make constraints; nothing needs {sorted(unneeded)}"


def test_installed_versions_are_the_pinned_ones() -> None:
    other: list[str] = []
    for name in dependencies() & pins().keys():
        (spec,) = Requirement(pins()[name]).specifier
        if Version(metadata.version(name)) != Version(spec.version):
            other.append(f"{name} {metadata.version(name)}, pinned {spec.version}")
    assert not other, f"run the tests with make test: {other}"


def test_every_direct_dependency_has_its_reason() -> None:
    data = project()["project"]
    lines = [
        *data["dependencies"],
        *(d for ds in data["optional-dependencies"].values() for d in ds),
    ]
    reasons = read("docs/dependencies.md").lower()
    missing = [
        name
        for name in (Requirement(line).name for line in lines)
        if name != "fieldpost" and f"| {name.lower()}" not in reasons
    ]
    assert not missing, f"docs/dependencies.md says nothing of {missing}"


def test_env_example_names_every_setting() -> None:
    if importlib.util.find_spec("bot") is None or importlib.util.find_spec("bot.settings") is None:
        pytest.skip("there is no bot.settings yet")
    from pydantic_settings import BaseSettings

    module = importlib.import_module("bot.settings")
    known = {
        variable(kind, name)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, BaseSettings) and kind is not BaseSettings
        for name in kind.model_fields
    }
    named = set(re.findall(r"(?m)^#? ?([A-Z][A-Z0-9_]*)=", read(".env.example")))
    assert named == known


def variable(settings: Any, field: str) -> str:
    """The environment variable that pydantic-settings reads for a field."""
    info = settings.model_fields[field]
    alias = info.validation_alias
    if alias is not None:
        return str(getattr(alias, "choices", [alias])[0]).upper()
    return f"{settings.model_config.get('env_prefix', '')}{field}".upper()


def test_env_example_explains_every_setting_and_holds_no_secret() -> None:
    lines = read(".env.example").splitlines()
    for before, line in zip(["", *lines], lines, strict=False):
        if "=" in line and not line.startswith("#"):
            assert before.startswith("#"), f"{line} needs a comment above it"
    assert "DISCORD_TOKEN=" in lines


def test_tests_never_see_a_developers_bot() -> None:
    assert os.environ["DISCORD_TOKEN"] == ""
    assert ":memory:" in os.environ["DATABASE_URL"]
    assert not [name for name in os.environ if name.startswith("FIELDPOST_")]


def test_makefile_has_its_targets_and_explains_them() -> None:
    explained = set(re.findall(r"(?m)^([a-z]+):.*## ", read("Makefile")))
    assert explained == TARGETS
    phony = re.search(r"(?m)^\.PHONY: (.*)$", read("Makefile"))
    assert phony is not None and set(phony[1].split()) == TARGETS


def test_readme_has_the_two_commands() -> None:
    if not (ROOT / "README.md").exists():
        pytest.skip("there is no README yet")
    readme = read("README.md")
    assert "make play" in readme and "make test" in readme


# What a newcomer's machine may lack, and the one sentence each gets.


def setup(
    tmp_path: Path, argument: str, python: str, **env: str
) -> subprocess.CompletedProcess[str]:
    """Runs .ci/setup of a bare copy with this shell script as its Python."""
    (tmp_path / ".ci").mkdir(parents=True)
    for name in (".ci/setup", "pyproject.toml", "constraints.txt"):
        (tmp_path / name).write_text(read(name), encoding="utf-8")
    fake = script(tmp_path / "fake/python3", python)
    return subprocess.run(
        ["sh", ".ci/setup", argument],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "MAKE_GOAL": "play", "PYTHON": str(fake)} | env,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def script(path: Path, body: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("python", "sentence"),
    [
        (
            "echo 3.9",
            "Fieldpost needs Python 3.11 or newer; this is 3.9. Install it and run: "
            "make play PYTHON=/path/to/python3.11\n",
        ),
        (
            "exit 127",
            "Fieldpost needs Python 3.11 or newer, and '{fake}' does not run. Install it and run: "
            "make play PYTHON=/path/to/python3.11\n",
        ),
        (
            'case "$*" in *ensurepip*) exit 1 ;; *) echo 3.12 ;; esac',
            "Fieldpost needs Python's venv module, which '{fake}' lacks; on Debian or Ubuntu run: "
            "apt-get install python3.12-venv (with sudo if you are not root), then make play "
            "again.\n",
        ),
    ],
    ids=["old", "broken", "without venv"],
)
def test_setup_says_what_is_missing(tmp_path: Path, python: str, sentence: str) -> None:
    done = setup(tmp_path, "local", python)
    assert done.returncode == 1
    assert done.stderr == sentence.format(fake=tmp_path / "fake/python3")
    assert not (tmp_path / ".venv").exists()


def test_setup_passes_over_an_old_python3(tmp_path: Path) -> None:
    """A too old python3 does not matter while a newer one is there under its own name."""
    script(tmp_path / "fake/python3.13", "echo 3.13")
    path = f"{tmp_path}/fake:{os.environ['PATH']}"
    done = setup(tmp_path, "--python", "echo 3.9", PYTHON="", PATH=path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "python3.13\n", "")
