"""The compose file, the image and the systemd unit: parsed, and run as far as possible here."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import starlette
import yaml

from acesaround.cli.commands import build_parser
from tests.deploy.proxies import DEPLOY, replace_pieces

ROOT = DEPLOY.parent
UNIT = DEPLOY / "acesaround@.service"
_EXPOSURE = 2.0
"""The maximal exposure by `systemd-analyze security`, of 10; without hardening it is 9.6."""


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yml").read_text())
    return found


def dockerfile() -> list[tuple[str, str]]:
    """Return the steps of the Dockerfile as instruction and arguments."""
    text = (DEPLOY / "Dockerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, " ".join(rest.split())) for word, _, rest in (x.partition(" ") for x in lines)]


class TestCompose:
    def test_services_are_two_servers_a_database_and_a_proxy(self) -> None:
        services = compose()["services"]
        assert sorted(services) == ["database", "one", "proxy", "two"]
        one, two = services["one"], services["two"]
        assert one == two

    def test_server_command_is_parsed_with_the_options_of_the_image(self) -> None:
        [entry] = [json.loads(rest) for word, rest in dockerfile() if word == "ENTRYPOINT"]
        command = [word.replace("${ACESAROUND_SITE:?", "x}") for word in self.server()["command"]]
        given = build_parser().parse_args([*entry[1:], *command])
        assert (given.host, given.port, given.log_format) == ("0.0.0.0", 8000, "json")
        assert given.database_url.endswith("@database/acesaround")

    def test_servers_trust_only_the_proxy_network(self) -> None:
        [network] = compose()["networks"]["inside"]["ipam"]["config"]
        assert f"--trusted-proxies={network['subnet']}" in self.server()["command"]
        published = [name for name, service in compose()["services"].items() if "ports" in service]
        assert published == ["proxy"]

    def test_proxy_lists_both_servers(self) -> None:
        listed = compose()["services"]["proxy"]["environment"]["ACESAROUND_SERVERS"].split()
        [port] = [rest for word, rest in dockerfile() if word == "EXPOSE"]
        assert listed == [f"{name}:{port}" for name in ("one", "two")]
        assert "{$ACESAROUND_SERVERS:" in (DEPLOY / "Caddyfile").read_text()

    def test_server_has_minimal_privileges(self) -> None:
        server = self.server()
        assert server["read_only"] is True
        assert server["cap_drop"] == ["ALL"]
        assert server["security_opt"] == ["no-new-privileges:true"]
        assert server["ulimits"]["nofile"] == 65536
        written = [rest for word, rest in dockerfile() if word == "VOLUME"]
        assert "/var/cache/acesaround" in json.loads(written[0])
        assert server["volumes"] == ["kernels:/var/cache/acesaround"]

    def test_secrets_are_required_from_the_environment(self) -> None:
        text = (DEPLOY / "compose.yml").read_text()
        for secret in ("ACESAROUND_SECRET", "POSTGRES_PASSWORD", "ACESAROUND_SITE"):
            assert f"${{{secret}:?" in text
        assert not re.search(r"(SECRET|PASSWORD): (?!\$\{)", text)

    def test_volumes_and_networks_are_declared(self) -> None:
        found = compose()
        for service in found["services"].values():
            assert set(service["networks"]) <= set(found["networks"])
            named = [volume.partition(":")[0] for volume in service["volumes"]]
            assert {name for name in named if not name.startswith(".")} <= set(found["volumes"])
        assert (DEPLOY / "Caddyfile").is_file()

    def server(self) -> dict[str, Any]:
        found: dict[str, Any] = compose()["services"]["one"]
        return found


class TestImage:
    def test_image_has_a_user_and_a_health_check(self) -> None:
        words = [word for word, _ in dockerfile()]
        assert words.index("USER") < words.index("ENTRYPOINT")
        assert ("USER", "acesaround") in dockerfile()
        assert "HEALTHCHECK" in words

    def test_base_images_have_tags_and_nothing_is_downloaded(self) -> None:
        text = (DEPLOY / "Dockerfile").read_text()
        bases = [rest.split()[0] for word, rest in dockerfile() if word == "FROM"]
        assert all(re.fullmatch(r"[a-z]+:[a-z0-9.-]+", base) for base in bases)
        assert len(set(bases)) == 1  # or the environment would not match
        assert not re.search(r"https?://(?!127\.0\.0\.1)|curl|wget", text)

    def test_copied_paths_exist_and_are_in_the_context(self) -> None:
        sent = [
            line.removeprefix("!")
            for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines()
            if line.startswith("!")
        ]
        copied = [
            path
            for word, rest in dockerfile()
            if word == "COPY" and not rest.startswith("--from")
            for path in rest.split()[:-1]
        ]
        assert sorted(copied) == sorted(sent)
        for path in copied:
            assert (ROOT / path).exists(), path

    def test_pins_are_the_locked_packages_of_a_server(self) -> None:
        [step] = [rest for word, rest in dockerfile() if word == "RUN" and "pins.py" in rest]
        step = replace_pieces(
            step, ("/tools/bin/python", sys.executable), (" > /wheel/pins.txt", "")
        )
        pins = self.run(step, ROOT)
        names = re.findall(r"^([A-Za-z0-9._-]+)==", pins, re.MULTILINE)
        assert {"starlette", "uvicorn", "uvloop", "asyncpg", "numba", "greenlet"} <= set(names)
        assert not {"playwright", "ruff", "pytest", "matplotlib", "distributed"} & set(names)
        lock = (ROOT / "requirements.lock").read_text()
        for block in re.split(r"(?m)^(?=\S)", pins):
            assert block in lock
            assert "--hash=sha256:" in block or not block

    @pytest.mark.skipif(
        not (ROOT / "src/acesaround/static/index.html").is_file(),
        reason="The page is not built here, and building it needs the network.",
    )
    def test_built_wheel_runs_from_another_folder(self, tmp_path: Path) -> None:
        source = tmp_path / "build"
        for word, rest in dockerfile():
            if word == "COPY" and not rest.startswith("--from"):
                *paths, _ = rest.split()
                for path in paths:
                    self.copy(path, source)
        self.copy("src/acesaround/static", source)  # built by the hook
        for built in (source / "src/acesaround/static").rglob("*"):
            built.touch()
        [step] = [rest for word, rest in dockerfile() if word == "RUN" and "hatchling" in rest]
        wheel = tmp_path / "wheel"
        self.run(
            replace_pieces(step, ("/tools/bin/python", sys.executable), ("/wheel", str(wheel))),
            source,
        )
        [built_wheel] = wheel.glob("*.whl")
        installed = tmp_path / "place"
        with zipfile.ZipFile(built_wheel) as archive:
            assert "acesaround/static/index.html" in archive.namelist()
            archive.extractall(installed)
        code = (
            "from importlib.metadata import version; import acesaround.server.startup as it;"
            "from acesaround.server.settings import STATIC_FOLDER;"
            "assert (STATIC_FOLDER / 'index.html').is_file();"
            "print(it.__file__, version('acesaround'))"
        )
        packages = Path(starlette.__file__).parent.parent
        output = subprocess.run(
            [sys.executable, "-S", "-c", code],
            env={"PYTHONPATH": f"{installed}:{packages}", "HOME": str(tmp_path)},
            capture_output=True, text=True, cwd=tmp_path, check=True,
        ).stdout  # fmt: skip
        assert output.startswith(str(installed))

    def test_image_script_fails_with_a_sentence_without_a_builder(self, tmp_path: Path) -> None:
        broken = tmp_path / "docker"
        broken.write_text("#!/bin/sh\nexit 1\n")
        broken.chmod(0o755)
        (tmp_path / "podman").symlink_to(broken)
        done = subprocess.run(
            [DEPLOY / "image.sh"],
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 3
        assert done.stderr == (
            "There is no builder of images here: neither docker nor podman answers.\n"
        )

    @pytest.mark.soak  # it takes minutes, and packages from the network
    def test_the_image_is_built_and_serves(self) -> None:
        done = subprocess.run(
            [DEPLOY / "image.sh", "acesaround-test"], capture_output=True, text=True, timeout=1800
        )
        if done.returncode == 3:
            pytest.skip(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        assert done.stdout.endswith("acesaround-test serves, with its page.\n")

    def copy(self, path: str, to: Path) -> None:
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / path).is_file():
            shutil.copy2(ROOT / path, to / path)
        else:
            leave = shutil.ignore_patterns("node_modules", "__pycache__", "static", ".svelte-kit")
            shutil.copytree(ROOT / path, to / path, ignore=None if "static" in path else leave)

    def run(self, step: str, folder: Path) -> str:
        done = subprocess.run(["sh", "-euc", step], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout


class TestUnit:
    def test_exec_start_is_parsed(self) -> None:
        [words] = re.findall(r"^ExecStart=(.*)$", UNIT.read_text(), re.MULTILINE)
        program, *given = replace_pieces(words, ("%i", "8001"), (" $OPTIONS", "")).split()
        assert program.endswith("/bin/acesaround")
        assert build_parser().parse_args(given).port == 8001

    @pytest.mark.soak  # results depend on the version of systemd
    def test_systemd_verifies_the_unit_and_its_exposure(self, tmp_path: Path) -> None:
        if shutil.which("systemd-analyze") is None:
            pytest.skip("There is no systemd here, so its unit is only read.")
        program = tmp_path / "acesaround"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        unit = tmp_path / "acesaround@8001.service"
        unit.write_text(
            replace_pieces(UNIT.read_text(), ("/opt/acesaround/bin/acesaround", str(program)))
        )
        for words in (
            ["verify"],
            ["security", "--offline=true", f"--threshold={10 * _EXPOSURE:.0f}"],
        ):
            done = subprocess.run(
                ["systemd-analyze", *words, unit],
                capture_output=True,
                text=True,
                env=os.environ | {"SYSTEMD_COLORS": "0", "SYSTEMD_EMOJI": "0"},
            )
            assert done.returncode == 0, done.stdout[-200:] + done.stderr
        assert "acesaround" not in done.stderr

    def test_unit_may_write_to_its_state_directory(self) -> None:
        text = UNIT.read_text()
        assert "StateDirectory=acesaround\n" in text
        assert "XDG_DATA_HOME=/var/lib " in text
        assert "MemoryDenyWriteExecute=yes" not in text  # bots use compiled code
