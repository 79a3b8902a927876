"""The commands' machinery: the server, the numbers that move in notebooks."""

import copy
import http.client
import socket

import nbformat
import pytest

from tools import notebooks, server


@pytest.fixture
def site(tmp_path):
    folder = tmp_path / "a site"
    folder.mkdir()
    for name in ["index.html", "a.js", "a.mjs", "a.css", "a.woff2", "a.wasm", "a.svg", "a.unknown"]:
        (folder / name).write_text(name)
    return folder


def get(address, path):
    connection = http.client.HTTPConnection(address.split("/")[2], timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


KINDS = {
    "text/html; charset=utf-8": "/", "text/javascript; charset=utf-8": "/a.js /a.mjs", "image/svg+xml": "/a.svg",
    "text/css; charset=utf-8": "/a.css", "font/woff2": "/a.woff2", "application/wasm": "/a.wasm",
    "application/octet-stream": "/a.unknown",
}  # fmt: skip


def test_server_states_the_type_and_forbids_caching(site):
    with server.serving(site) as address:
        for kind, paths in KINDS.items():
            for path in paths.split():
                answer = get(address, path)
                told = answer.status, answer.headers["Content-Type"], answer.headers["Cache-Control"]
                assert told == (200, kind, "no-store"), path


def test_server_lets_a_browser_keep_what_is_named_by_its_hash(site):
    folder = site / "_static" / "python" / "0123456789"
    folder.mkdir(parents=True)
    (folder / "a.pack").write_bytes(b"a")
    with server.serving(site) as address:
        kept = get(address, "/_static/python/0123456789/a.pack")
        missing = get(address, "/_static/python/0123456789/b.pack")
    assert "immutable" in kept.headers["Cache-Control"]
    assert missing.headers["Cache-Control"] == "no-store"


def test_server_refuses_a_request_that_it_can_not_read(site):
    with (
        server.serving(site) as address,
        socket.create_connection(("127.0.0.1", int(address.split(":")[2][:-1]))) as line,
    ):
        line.sendall(b"\x16\x03\x01 a browser that tries https first\r\n\r\n")
        assert b"400" in line.recv(4096)


def test_server_listens_on_this_machine_alone(site):
    with server.make_server(site, 0) as running:
        assert running.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("port", [-1, 2**16, 99999])
def test_server_says_what_a_port_is(site, port, capsys):
    assert server.serve(site, port, browser=False) == 2
    assert capsys.readouterr().err == f"A port is a number from 0 to 65535, got {port}.\n"


# Notebooks


def test_running_a_notebook_twice_gives_the_same_file(tmp_path):
    path = tmp_path / "01_toy.ipynb"
    cell = nbformat.v4.new_code_cell("import os\nprint(os.getcwd() == os.path.realpath('.'))\n1 + 1")
    path.write_text(notebooks.text_of(nbformat.v4.new_notebook(cells=[cell])), encoding="utf-8")
    assert notebooks.refresh(path, check=True) == (["01_toy.ipynb: differs in cell 1: import os"], False)
    assert notebooks.refresh(path, check=False) == (["01_toy.ipynb: written"], True)
    first = path.read_bytes()
    assert b'"execution_count": 1' in first
    assert notebooks.refresh(path, check=False) == (["01_toy.ipynb: unchanged"], True)
    assert notebooks.refresh(path, check=True) == (["01_toy.ipynb: same"], True)
    assert path.read_bytes() == first


def test_a_number_that_moved_is_put_into_the_text():
    """The page's words, spans and line ends stay; a sentence whose words changed is left to its author."""
    was = 'At the score 2, it has 0.53\nof <span data-light="w.0">1,296</span> words and −3 left.'
    says = nbformat.v4.new_code_cell("says(…)", metadata={"tags": ["says"]})
    said = ["At the score 2, it has 0.53 of 1,296 words and −3 left.", "It grows."]
    says.outputs = [nbformat.v4.new_output("stream", name="stdout", text="\n".join(said) + "\n")]
    old = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(was + " It grows."), says])
    new = copy.deepcopy(old)
    new.cells[1].outputs[0].text = "At the score 2, it has 0.61 of 2,592 words and −2 left.\nIt shrinks.\n"
    moved = notebooks.moved_sentences(old, new)
    assert [pair[0] for pair in moved] == said
    assert notebooks.lacks(new) == [f"its text lacks: {pair[1]}" for pair in moved]
    notebooks.put_into(new, moved)
    assert new.cells[0].source == (
        'At the score 2, it has 0.61\nof <span data-light="w.0">2,592</span> words and −2 left. It grows.'
    )
    assert notebooks.lacks(new) == ["its text lacks: It shrinks."]


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ("It [takes 40](a.md#b), of [80](c.md).", "It [takes 41](a.md#b), of [82](c.md)."),
        ('X(says="It takes 40, "\n       "of 80.")', 'X(says="It takes 41, "\n       "of 82.")'),
    ],
)
def test_a_number_is_put_between_links_and_strings(was, is_now):
    page = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(was)])
    notebooks.put_into(page, [("It takes 40, of 80.", "It takes 41, of 82.")])
    assert page.cells[0].source == is_now
