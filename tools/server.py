"""A server for one folder, on this machine alone: right MIME types, no listings; what a build may change isn't kept."""

import errno
import functools
import http.server
import os
import re
import sys
import threading
import webbrowser
from contextlib import contextmanager

TYPES = {  # stated here, because a machine's own table can be wrong: Windows reads it from the registry
    "": "application/octet-stream",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ipynb": "application/x-ipynb+json",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".woff2": "font/woff2",
}


NAMED_BY_HASH = re.compile(r"/_static/python/[0-9a-f]{10}/")
LARGEST_PORT = 2**16 - 1


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files of one folder; the base class drops `..` from paths."""

    protocol_version = "HTTP/1.1"
    extensions_map = TYPES

    def guess_type(self, path):
        return TYPES.get(os.path.splitext(path)[1].lower(), TYPES[""])

    def end_headers(self):
        # A rebuilt page shows at once. Python's files lie in a folder whose name changes with them.
        path = getattr(self, "path", "")  # none yet where the request can't be read
        keeps = NAMED_BY_HASH.match(path) and os.path.exists(self.translate_path(path))
        self.send_header("Cache-Control", "max-age=31536000, immutable" if keeps else "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def list_directory(self, path):
        self.send_error(404, "Not Found")

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    # On Windows this option would let two servers share one port.
    allow_reuse_address = os.name != "nt"
    daemon_threads = True
    # A browser opens six connections at once. With room for five in the queue, a busy machine drops one, and the page
    # waits for it up to a minute.
    request_queue_size = 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):  # a page that was left while it loaded
            super().handle_error(request, client_address)


def make_server(folder, port=8000):
    """A server for `folder` at 127.0.0.1:`port`, or at a free port if that one is taken."""
    handler = functools.partial(Handler, directory=str(folder))
    try:
        return Server(("127.0.0.1", port), handler)
    except OSError as error:
        taken = (errno.EADDRINUSE, errno.EACCES, getattr(errno, "WSAEACCES", errno.EACCES))
        if error.errno not in taken:
            raise
        return Server(("127.0.0.1", 0), handler)


@contextmanager
def serving(folder, handler=Handler):
    """The address at which a server for `folder` listens while the context lasts."""
    with Server(("127.0.0.1", 0), functools.partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def serve(folder, port=8000, *, browser=True):
    """Serve `folder` until Ctrl-C."""
    if not 0 <= port <= LARGEST_PORT:
        print(f"A port is a number from 0 to {LARGEST_PORT}, got {port}.", file=sys.stderr)
        return 2
    with make_server(folder, port) as server:
        try:
            address = f"http://127.0.0.1:{server.server_port}/"
            print(f"The book is at {address} (Ctrl-C ends it)", flush=True)
            if browser:
                open_browser(address)
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return 0


def open_browser(address):
    """Open the address where there is a screen; never fail for want of one."""
    screen = sys.platform in ("darwin", "win32") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if not screen or os.environ.get("CI"):
        return False
    try:
        controller = webbrowser.get()
        if type(controller) is webbrowser.GenericBrowser:  # one in text mode: it would take the terminal over
            return False
        return controller.open(address)
    except (webbrowser.Error, OSError):
        return False
