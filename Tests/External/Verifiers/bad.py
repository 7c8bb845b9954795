"""Servers that no client should trust: each path is one way to answer badly."""

import collections
import json
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

REQUEST = {"protocol": "org-iso-mdoc", "data": {"deviceRequest": "AA", "encryptionInfo": "AA"}}
OPTIONS = {"digital": {"requests": [REQUEST]}}
CHUNK = b"A" * (1 << 16)
# More than any limit, and less than a disk.
HUGE = 1 << 30


class Bad(BaseHTTPRequestHandler):
    """POST to a path of `WAYS`."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.do_POST()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.calls[self.path] += 1
        way = getattr(self, "answer_" + self.path.lstrip("/").replace("-", "_"), None)
        if way is None:
            return self.reply(404, b"no such way")
        way()

    def reply(self, status, body, *headers):
        self.send_response(status)
        for name, value in (("Content-Type", "application/json"), ("Content-Length", str(len(body))), *headers):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_loop(self):
        self.reply(302, b"", ("Location", "/loop"))

    def answer_elsewhere(self):
        self.reply(307, b"", ("Location", "http://127.0.0.1:9/"))

    def answer_credentials_in_address(self):
        self.reply(302, b"", ("Location", "http://user:secret@localhost/"))

    def answer_no_json(self):
        self.reply(200, b"<html></html>")

    def answer_no_options(self):
        self.reply(200, json.dumps({"session": "1"}).encode())

    def answer_unreadable_request(self):
        self.reply(200, json.dumps(OPTIONS).encode())

    def answer_old_clock(self):
        self.send_response_only(200)
        body = json.dumps(OPTIONS).encode()
        for name, value in (("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def answer_slow(self):
        time.sleep(60)

    def answer_closed(self):
        self.close_connection = True

    def answer_no_http(self):
        self.wfile.write(b"SSH-2.0-presentment\r\n")
        self.close_connection = True

    def answer_huge(self):
        self.send_response(200)
        self.send_header("Content-Length", str(HUGE))
        self.end_headers()
        for _ in range(HUGE // len(CHUNK)):
            self.wfile.write(CHUNK)

    def answer_endless(self):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(CHUNK), CHUNK))

    def answer_dripping(self):
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(600):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(.1)

    def log_message(self, *_):
        pass

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass


def start():
    """Returns a server that listens on a free port; the caller lets it serve."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Bad)
    server.calls = collections.Counter()  # By their paths.
    return server
