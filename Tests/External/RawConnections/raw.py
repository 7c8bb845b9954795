"""Tests `presentment serve` with malformed HTTP. usage: raw.py PRESENTMENT

Each connection gets a status of 4xx or is closed, and the server continues."""

import contextlib
import pathlib
import socket
import subprocess
import sys
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE  # noqa: E402

# Longer than the system's buffers.
LONG = b"a" * (1 << 20)
UNHEARD_BEYOND = 1 << 16
HOST = b"Host: localhost:%d\r\n"
JSON = b"Content-Type: application/json\r\n"

CONNECTIONS = {
    "nothing": b"",
    "a line end": b"\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
    "zeros": bytes(4096),
    "no version": b"POST /api/answer\r\n\r\n",
    "another version": b"POST /api/answer HTTP/9.9\r\n" + HOST + b"\r\n",
    "HTTP/2 without its upgrade": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "no such method": b"ANSWER /api/answer HTTP/1.1\r\n" + HOST + b"\r\n",
    "no host": b"POST /api/answer HTTP/1.1\r\n" + JSON + b"Content-Length: 2\r\n\r\n{}",
    "two hosts": b"POST /api/answer HTTP/1.1\r\n" + HOST + b"Host: other\r\n" + JSON + b"Content-Length: 2\r\n\r\n{}",
    "two hosts, and no body": b"GET / HTTP/1.1\r\n" + HOST + HOST + b"\r\n",
    "another's host": b"GET / HTTP/1.1\r\nHost: rebound.example\r\n\r\n",
    "a header without a name": b"GET /none HTTP/1.1\r\n" + HOST + b": nothing\r\n\r\n",
    "a header with a line end": b"GET /none HTTP/1.1\r\n" + HOST + b"A: b\n c\r\n\r\n",
    "a long path": b"GET /" + LONG + b" HTTP/1.1\r\n" + HOST + b"\r\n",
    "a long header": b"GET /none HTTP/1.1\r\n" + HOST + b"A: " + LONG + b"\r\n\r\n",
    "many headers": b"GET /none HTTP/1.1\r\n" + HOST + b"A: b\r\n" * 100_000 + b"\r\n",
    "a length below zero": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: -1\r\n\r\n{}",
    "a length that is no number": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: two\r\n\r\n{}",
    "a length beyond all numbers": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
    "two lengths": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
    "a length and chunks": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
    "a body that ends early": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON + b"Content-Length: 900\r\n\r\n{",
    "chunks of no length": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "a chunk beyond all numbers": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffffffff\r\n{}",
    "chunks without an end": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\n[\r\n" * 1000,
    "chunks beyond the limit": b"POST /api/answer HTTP/1.1\r\n" + HOST + JSON
    + b"Transfer-Encoding: chunked\r\n\r\n" + (b"10000\r\n" + b" " * 0x10000 + b"\r\n") * 41,
}


# Requests with a status other than 400; an empty text means a closed connection.
STATUSES = {
    "nothing": b"",
    "a line end": b"",
    "another's host": b"421",
    "chunks beyond the limit": b"413",
}


def speak(port, data):
    """The answer to bytes on a new connection that then sends no more."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        try:
            connection.sendall(data)
            # It may have been reset already; what was received before can still be read.
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            return connection.recv(4096)
        except ConnectionError:
            return b""


def main(presentment):
    server = subprocess.Popen([presentment, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        for name, data in CONNECTIONS.items():
            answer = speak(port, data.replace(b"%d", str(port).encode()))
            status = answer.split(b" ")[1:2]
            # A client that still sends after the connection is closed may not receive the answer.
            unheard = not answer and len(data) > UNHEARD_BEYOND
            expected = STATUSES.get(name, b"400")
            assert unheard or expected == (status[0] if status else b""), f"{name}: {answer[:200]!r}"
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/issuer-roots", timeout=PATIENCE) as response:
                assert response.status == 200, name
        # A slow client does not prevent the server from ending.
        slow = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        slow.sendall(b"POST /api/answer HTTP/1.1\r\n" + HOST.replace(b"%d", str(port).encode()) + JSON
                     + b"Content-Length: 900\r\n\r\n{")
        asked = urllib.request.urlopen(f"http://127.0.0.1:{port}/api/issuer-roots", timeout=PATIENCE)
        assert asked.status == 200
    finally:
        server.terminate()
    assert server.wait(PATIENCE) == 0, f"the server ends with {server.returncode}"


if __name__ == "__main__":
    main(*sys.argv[1:])
