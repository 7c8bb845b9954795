#!/usr/bin/env python3
"""Tries `presentment test-verifier` and `new-target` against servers on this machine: the one of docs/your-site, and
servers that answer badly.

    test_command.py PRESENTMENT
"""

import contextlib
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "docs" / "your-site"), str(pathlib.Path(__file__).parent)]
import bad  # noqa: E402
import server as site  # noqa: E402

PRESENTMENT = ""
# Seconds of a call. Only a server that does not answer within a minute reaches the short one's end.
TIMEOUT, SHORT_TIMEOUT = 60, 1


def run(*arguments, folder):
    return subprocess.run([PRESENTMENT, *map(str, arguments)], cwd=folder, capture_output=True, text=True)


@contextlib.contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        if hasattr(server, "folder"):
            shutil.rmtree(server.folder)


class Folder(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory(prefix="presentment-")
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def run_there(self, *arguments):
        return run(*arguments, folder=self.folder)


class OwnSite(Folder):
    """The page's five minutes with the server of docs/your-site."""

    def setUp(self):
        super().setUp()
        self.assertEqual(self.run_there("test-verifier", "--roots", "roots").returncode, 0)

    def test_five_minutes(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            address = f"http://localhost:{port}"
            begun = self.run_there("new-target", f"{address}/request")
            self.assertEqual(begun.returncode, 2, begun)
            self.assertIn("# Later calls can use $session", begun.stdout)
            made = self.run_there("new-target", f"{address}/request", "--submit", f"{address}/response")
            self.assertEqual(made.returncode, 0, made)
            self.assertIn('accepted: { json: "/verdict", is: verified }', made.stdout)
            self.write("shop.yaml", made.stdout)
            chosen = ["genuine.license", "issuer.expired", "wallet.value-changed", "sessions.*", "request.*", "http.*"]
            filters = [word for one in chosen for word in ("--filter", one)]
            tested = self.run_there(
                "test-verifier", "shop.yaml", *filters, "--strict", "--report", "junit=out.xml",
                "--report", "json=out.json")
            self.assertEqual(tested.returncode, 0, tested)
            self.assertIn("0 wrongly accepted, 0 wrongly refused", tested.stdout)
            self.assertIn("wallet.value-changed", (self.folder / "out.xml").read_text())
            merged = self.run_there("merge", "out.json")
            self.assertEqual(merged.returncode, 0, merged)

    def test_server_without_the_roots(self):
        other = self.run_there("test-verifier", "--roots", "others", "--seed", "2")
        self.assertEqual(other.returncode, 0, other)
        with serving(site.start(PRESENTMENT, self.folder / "others/issuer-roots.pem")) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { json: /verdict, is: verified }"))
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired")
            self.assertEqual(tested.returncode, 2, tested)
            self.assertIn("does it trust the roots that --roots writes", tested.stdout)
            self.assertIn("[suite.genuine-refused]", tested.stdout)
            # The seed chooses the roots.
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired", "--seed", "2")
            self.assertEqual(tested.returncode, 0, tested)

    def test_wrong_verdicts_are_explained(self):
        with serving(site.start(PRESENTMENT, self.folder / "roots/issuer-roots.pem")) as port:
            self.write("shop.yaml", target(port, "request", "response", "accepted: { status: 200 }"))
            tested = self.run_there("test-verifier", "shop.yaml", "--filter", "issuer.expired", "--out", "wrong",
                                    "--update-known", "known.yaml")
            self.assertEqual(tested.returncode, 1, tested)
            self.assertIn("WRONGLY ACCEPTED  1", tested.stdout)
            explained = self.run_there("verify", "wrong/issuer.expired.json")
            self.assertEqual(explained.returncode, 1, explained)
            self.assertIn("mso.validity/expired", explained.stdout)
            known = (self.folder / "known.yaml").read_text()
            unexplained = self.run_there("test-verifier", "shop.yaml", "--known", "known.yaml")
            self.assertEqual(unexplained.returncode, 2, unexplained)
            self.assertIn("the reason of the known mistake is missing", unexplained.stderr)
            self.write("known.yaml", known.replace('"?"', "SHOP-212"))
            accepted = self.run_there(
                "test-verifier", "shop.yaml", "--known", "known.yaml", "--filter", "issuer.expired")
            self.assertEqual(accepted.returncode, 0, accepted)


def target(port, begin, submit, *lines, timeout=TIMEOUT):
    address = f"http://localhost:{port}"
    return "\n".join([
        f"origin: {address}", f"begin: POST {address}/{begin}", f"submit: POST {address}/{submit}",
        f"limits: {{ timeout: {timeout} s }}", *lines, ""])


class BadServers(Folder):
    """Each ends with a clear error, in bounded time and memory."""

    WAYS = {
        "loop": "redirects more than 20 times", "elsewhere": "redirects to another server",
        "credentials-in-address": "redirects to", "no-json": "is not JSON", "no-options": "has no options",
        "unreadable-request": "the phone does not answer the server's request",
        "old-clock": "the server's clock differs", "slow": "did not answer in time", "closed": "gave no answer",
        "no-http": "is not HTTP", "huge": "longer than 1048576 bytes",
        "endless": "longer than 1048576 bytes", "dripping": "did not answer in time", "nothing": "begins no session",
    }
    LATE = {"slow", "dripping"}
    # Of the command with the client that it starts.
    MEMORY = 512 << 20

    def test_ways(self):
        with serving(bad.start()) as port:
            for way, message in self.WAYS.items():
                with self.subTest(way=way):
                    timeout = SHORT_TIMEOUT if way in self.LATE else TIMEOUT
                    self.write("bad.yaml", target(port, way, way, timeout=timeout))
                    tested = self.run_there("test-verifier", "bad.yaml", "--filter", "issuer.expired")
                    self.assertEqual(tested.returncode, 2, tested)
                    self.assertIn(message, tested.stdout)
                    self.assertIn("decided 0", tested.stdout)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, self.MEMORY)

    def test_unreachable(self):
        self.write("bad.yaml", target(9, "request", "response"))
        tested = self.run_there("test-verifier", "bad.yaml")
        self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("gave no answer", tested.stdout)

    def test_no_tls(self):
        with serving(bad.start()) as port:
            self.write("bad.yaml", target(port, "no-json", "no-json").replace("http:", "https:"))
            tested = self.run_there("test-verifier", "bad.yaml")
            self.assertEqual(tested.returncode, 2, tested)
            self.assertIn("no TLS connection", tested.stdout)

    def test_other_machines(self):
        text = "origin: https://shop.example\nbegin: POST https://shop.example/a\nsubmit: POST https://shop.example/b\n"
        self.write("far.yaml", text)
        tested = self.run_there("test-verifier", "far.yaml")
        self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("--remote", tested.stderr)
        made = self.run_there("new-target", "https://shop.example/a")
        self.assertEqual(made.returncode, 2, made)
        self.assertIn("--remote", made.stderr)

    def test_usage(self):
        for arguments in (["--filter", "issuer.expires", "--list"], ["missing.yaml"], [], ["--list", "--roots", "a"]):
            tested = self.run_there("test-verifier", *arguments)
            self.assertEqual(tested.returncode, 2, tested)
        self.assertIn("did you mean 'issuer.expired'?",
                      self.run_there("test-verifier", "--filter", "issuer.expires", "--list").stderr)


if __name__ == "__main__":
    PRESENTMENT = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
