"""The check of the built site."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.website.check import find_faults


def write(site: Path, **pages: str) -> list[str]:
    """Write pages by their names and return the faults of the site."""
    for name, text in pages.items():
        file = site / name.replace("__", "/").replace("_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return find_faults(site)


def test_a_site_without_faults_has_none(tmp_path: Path) -> None:
    start = """<link rel="stylesheet" href="a.css"><p id="top"><a href="b/#there">b</a>
        <a href="https://other.example">c</a><a href="#top">d</a><img src="data:image/png,x">"""
    second = '<h1 id="there">B</h1><a href="..">a</a>'
    css = "a { background: url(data:image/png;base64,x) }"
    assert write(tmp_path, index_html=start, b__index_html=second, a_css=css) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('<a href="none/">x</a>', "index.html links to none/, which does not exist."),
        (
            '<a href="#none">x</a>',
            "index.html links to #none, but that page has no such heading.",
        ),
        ('<img src="none.png">', "index.html loads none.png, which does not exist."),
        *(
            (text, "index.html loads https://o.example/x from another host.")
            for text in (
                '<script src="https://o.example/x"></script>',
                '<link rel="preconnect" href="https://o.example/x">',
                '<img srcset="https://o.example/x 2x">',
                '<p style="background: url(https://o.example/x)">',
                '<style>@import "https://o.example/x";</style>',
            )
        ),
        ('<img src="//o.example/x">', "index.html loads //o.example/x from another host."),
    ],
)
def test_a_fault_of_a_page_is_found(tmp_path: Path, text: str, fault: str) -> None:
    assert write(tmp_path, index_html=text) == [fault]


def test_a_font_from_another_host_is_found(tmp_path: Path) -> None:
    css = "@font-face { src: url('https://o.example/f.woff2') }"
    assert write(tmp_path, index_html="", a__b_css=css) == [
        "a/b.css loads https://o.example/f.woff2 from another host."
    ]


def test_a_page_without_a_link_is_found(tmp_path: Path) -> None:
    assert write(tmp_path, index_html="", a__index_html="") == ["No link leads to a/index.html."]


def test_a_site_without_a_start_page_is_a_fault(tmp_path: Path) -> None:
    assert len(write(tmp_path)) == 1
