"""The files of the repository that pages link to."""

import html
import posixpath
import struct

import code

# The site has its own page for each of them, and a copy to download.
VIEWS, COPIES = "view", "files"
PICTURES = (".png", ".webp", ".svg")


class Files:
    """Files and folders that are linked. Each has a page of the site; a folder's page lists its files."""

    def __init__(self, root):
        self.root = root.resolve()
        self.wanted = {}
        self.copies = {}

    def find(self, path):
        """The file of a path in the repository, or None."""
        found = (self.root / path).resolve()
        return found if self.root in found.parents and found.exists() else None

    def view(self, path):
        """The place of the page that shows a file or a folder; None if there is no such file."""
        found = self.find(path)
        if found is None or any(part.startswith((".", "__")) for part in path.split("/")):
            return None
        place = f"{VIEWS}/{path}/index.html" if found.is_dir() else f"{VIEWS}/{path}.html"
        self.wanted.setdefault(path, place)
        return place

    def picture(self, path):
        """The place of a picture; None if there is no such file."""
        found = self.find(path)
        if found is None or found.suffix not in PICTURES:
            return None
        place = posixpath.join("pictures", found.name)
        self.copies[place] = found.read_bytes()
        return place

    def size(self, path):
        """The width and height of a picture in the format PNG, or in WebP as Chromium writes it."""
        data = self.find(path).read_bytes()
        if data.startswith(b"\x89PNG"):
            return struct.unpack(">II", data[16:24])
        if data[8:16] == b"WEBPVP8X":
            return [1 + int.from_bytes(data[place:place + 3], "little") for place in (24, 27)]
        return ()

    def views(self):
        """Yields path, place and content in HTML of each page that shows a file. A folder's page asks for more."""
        done = set()
        while waiting := [path for path in self.wanted if path not in done]:
            for path in waiting:
                done.add(path)
                yield path, self.wanted[path], self.folder(path) if self.find(path).is_dir() else self.file(path)

    def folder(self, path):
        items = []
        for child in sorted(self.find(path).iterdir()):
            place = self.view(f"{path}/{child.name}")
            if place:
                address = posixpath.relpath(place, posixpath.dirname(self.wanted[path]))
                items.append(f'<li><a href="{html.escape(address)}">{html.escape(child.name)}</a></li>')
        return f"<ul>\n{''.join(items)}\n</ul>\n"

    def file(self, path):
        data = self.find(path).read_bytes()
        copy = f"{COPIES}/{path}"
        self.copies[copy] = data
        address = html.escape(posixpath.relpath(copy, posixpath.dirname(self.wanted[path])))
        link = f'<p><a href="{address}" download>Download</a></p>\n'
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            return link
        return f"{link}<pre><code>{code.file(posixpath.basename(path), text)}</code></pre>\n"
