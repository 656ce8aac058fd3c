"""A real nginx or Caddy for tests, with the configuration of `deploy/`."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.preflight import CI_VARIABLE
from tests.waiting import PATIENCE_SECONDS, wait_until

DEPLOY = Path(__file__).parent.parent.parent / "deploy"
NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    {site}
}}
"""

_KILL_AT_END_OF_INPUT = 'exec 3<&0; (read _ <&3; kill "$$") & exec "$@" 3<&- </dev/null'
"""Runs a program until the input is closed, which happens when this process ends."""


def replace_pieces(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with pieces replaced, each of which must occur."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


def _nginx(folder: Path, port: int, servers: list[int]) -> list[str]:
    site = (DEPLOY / "nginx.conf").read_text()
    site, redirect = site.split("server {\n    listen 80;")
    assert "return 301 https://$host$request_uri;" in redirect
    site = replace_pieces(
        site,
        ("listen 443 ssl;", f"listen 127.0.0.1:{port};"),
        ("    ssl_certificate     /etc/ssl/acesaround/cert.pem;\n", ""),
        ("    ssl_certificate_key /etc/ssl/acesaround/key.pem;\n", ""),
        ("127.0.0.1:8001", f"127.0.0.1:{servers[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{servers[1]}"),
    )
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, site=site))
    return ["-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, port: int, servers: list[int]) -> list[str]:
    site = (DEPLOY / "Caddyfile").read_text()
    (folder / "Caddyfile").write_text(f"{{\n\tadmin off\n}}\n{site}")
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


@contextmanager
def proxy(program: str, folder: Path, port: int, servers: list[int]) -> Iterator[None]:
    """Run a proxy before two servers until the block or this process ends.

    If the program is missing, the test is skipped, and in CI it fails.
    """
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if found is None:
        missing = f"There is no {program} here, so its configuration is not tried."
        if os.environ.get(CI_VARIABLE):
            pytest.fail(missing)
        pytest.skip(missing)
    folder.mkdir()
    words = (_nginx if program == "nginx" else _caddy)(folder, port, servers)
    environment = {
        "ACESAROUND_SITE": f"http://127.0.0.1:{port}",
        "ACESAROUND_SERVERS": " ".join(f"127.0.0.1:{server}" for server in servers),
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    with (folder / "output").open("wb") as output:
        running = subprocess.Popen(
            ["sh", "-c", _KILL_AT_END_OF_INPUT, "sh", found, *words],
            env=os.environ | environment,
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            cwd=folder,
            start_new_session=True,
        )

    def listens() -> bool:
        assert running.poll() is None, (folder / "output").read_text()
        return _listens(port)

    try:
        wait_until(listens, f"{program} listens")
        yield
    finally:
        assert running.stdin is not None
        running.stdin.close()
        try:
            running.wait(PATIENCE_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
            running.wait()


def _listens(port: int) -> bool:
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


__all__ = ["free_port", "proxy", "replace_pieces"]
