"""The files of a checkout of web-platform-tests over HTTPS on several hosts, with what the tests need of its server:
`.sub.` files, `.headers` files, `.any.js` tests, and scripts that every page loads first."""

import datetime
import http.server
import pathlib
import re
import ssl
import tempfile
import threading

HOST = "wpt.localhost"
OTHER_SITE = "not-wpt.localhost"
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css",
         ".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml"}
ANY = """<!doctype html>
<meta charset=utf-8>
<script src="/resources/testharness.js"></script>
<script src="/resources/testharnessreport.js"></script>
<div id=log></div>
<script src="{}"></script>
"""
# Keeps the results where the runner finds them.
REPORT = """
add_completion_callback((tests, status) => {
  window.wptResults = {
    status: status.status, message: status.message,
    tests: tests.map(({ name, status, message }) => ({ name, status, message })),
  };
});
"""


class Files:
    """The checkout, with the replacements for one server."""

    def __init__(self, root, replaced, injected):
        self.root = pathlib.Path(root).resolve()
        self.replaced = {"/resources/testharnessreport.js": REPORT, **replaced}
        self.injected = injected
        self.ports = {}

    def substitute(self, text):
        values = {"host": HOST, "hosts[alt][]": OTHER_SITE, "hosts[][]": HOST}
        values |= {f"ports[{scheme}][{place}]": str(port) for (scheme, place), port in self.ports.items()}

        def value(found):
            name = found[1].strip()
            domain = re.fullmatch(r"(?:domains|hosts\[(alt)?\])\[(.*)\]", name)
            if name in values:
                return values[name]
            if domain:
                base = OTHER_SITE if domain[1] else HOST
                return f"{domain[2]}.{base}" if domain[2] else base
            return found[0]
        return re.sub(r"\{\{([^{}]+)\}\}", value, text)

    def read(self, path):
        """The headers and the content of a path, or None."""
        if path in self.replaced:
            return [("Content-Type", TYPES[".js"])], self.replaced[path].encode()
        file = (self.root / path.lstrip("/")).resolve()
        if path.endswith(".any.html"):
            source = path.removesuffix(".html") + ".js"
            content = ANY.format(source) if (self.root / source.lstrip("/")).is_file() else None
        elif file.is_relative_to(self.root) and file.is_file():
            content = file.read_bytes()
        else:
            content = None
        if content is None:
            return None
        content = content.encode() if isinstance(content, str) else content
        headers = [("Content-Type", TYPES.get(file.suffix, "application/octet-stream"))]
        if ".sub." in file.name:
            content = self.substitute(content.decode()).encode()
        if file.suffix == ".html":
            content = self.inject(content)
        for name, changes in [(f"{file.name}.headers", False), (f"{file.name}.sub.headers", True)]:
            extra = file.with_name(name)
            if extra.is_file():
                lines = self.substitute(extra.read_text()) if changes else extra.read_text()
                for line in filter(str.strip, lines.splitlines()):
                    field, text = line.split(":", 1)
                    headers = [one for one in headers if one[0].lower() != field.lower()] + [(field, text.strip())]
        return headers, content

    def inject(self, page):
        """Adds the scripts after the declaration of the document type, before everything else."""
        beginning = re.match(rb"\s*<!doctype[^>]*>", page, re.IGNORECASE)
        place = beginning.end() if beginning else 0
        return page[:place] + self.injected.encode() + page[place:]


def handler(files):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            found = files.read(self.path.split("?")[0])
            headers, content = found or ([("Content-Type", "text/plain")], b"not found\n")
            self.send_response(200 if found else 404)
            for name, value in [*headers, ("Content-Length", str(len(content))), ("Cache-Control", "no-store")]:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass
    return Handler


def certificate(folder):
    """A certificate for this run; the browser is told to accept it."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.timezone.utc)
    names = [HOST, f"*.{HOST}", OTHER_SITE, f"*.{OTHER_SITE}"]
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), False)
        .sign(key, hashes.SHA256()))
    path = pathlib.Path(folder) / "server.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + made.public_bytes(serialization.Encoding.PEM))
    return path


def serve(files):
    """Serves the files on two ports for each scheme, and returns the servers."""
    servers = []
    with tempfile.TemporaryDirectory() as folder:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(folder))
    for scheme in ["https", "http"]:
        for place in range(2):
            server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(files))
            server.daemon_threads = True
            if scheme == "https":
                server.socket = context.wrap_socket(server.socket, server_side=True)
            files.ports[scheme, place] = server.server_address[1]
            threading.Thread(target=server.serve_forever, daemon=True).start()
            servers.append(server)
    return servers
