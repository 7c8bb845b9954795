#!/usr/bin/env python3
"""Builds the site of the pages, follows every link of it, and plants what it must refuse.

    test_site.py [TEST]
"""

import base64
import gzip
import json
import pathlib
import posixpath
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
from html.parser import HTMLParser

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROGRAM = ROOT / ".ci" / "build-site"
# Copies of files of the repository, among them pages that are not of the site.
COPIES = "files/"
# A visitor of a page loads it at the first word of a search.
LARGEST_INDEX = 400_000

# A repository with the pages that the site needs.
SMALL = {
    "README.md": "# Small\n\nThe [start](docs/start.md).\n",
    "docs/README.md": "# The pages\n\n## By task\n\n| you | read |\n| --- | --- |\n| learn | [guide.md](guide.md) |\n",
    "docs/start.md":
        "# What it is\n\nA sentence.\n\n![A stage](stage.png)\n\n## A site of mine\n\n- [Learn](guide.md#two)\n",
    "docs/guide.md":
        "# Guide\n\nParts.\n\n## One\n\nSee [below](#two).\n\n![A phone](phone.webp)\n\n## Two\n\n"
        "See [above](#one), [it](guide.md).\n",
    # The width and height of the first picture are 3 and 2, those of the second 5 and 4.
    "docs/stage.png": "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02",
    "docs/phone.webp": "RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x04\0\0\x03\0\0",
}


def build(output, *arguments):
    return subprocess.run(
        [sys.executable, "-B", str(PROGRAM), str(output), *map(str, arguments)], capture_output=True, text=True)


class Document(HTMLParser):
    """What the tests look at of a page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.addresses, self.elements, self.title = [], [], [], ""
        self.open = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.open = tag
        self.elements.append((tag, given))
        if "id" in given:
            self.ids.append(given["id"])
        self.addresses += [(tag, given[name]) for name in ("href", "src") if name in given]
        self.addresses += [(tag, one.split()[0]) for one in given.get("srcset", "").split(",") if one.strip()]

    def handle_data(self, data):
        if self.open == "title":
            self.title += data
            self.open = ""

    def all(self, tag):
        return [given for name, given in self.elements if name == tag]

    def meta(self, name):
        return [given["content"] for given in self.all("meta") if name in given.values()]


def entries(site):
    """What the search finds: place, title and text."""
    script = (site / "search-index.js").read_text()
    packed = re.fullmatch(r'const packedIndex = "(.*)";\n', script).group(1)
    index = json.loads(gzip.decompress(base64.b64decode(packed)))
    return [(f"{index['pages'][page][0]}#{anchor}".rstrip("#"), title, text)
            for page, anchor, title, text, _ in index["entries"]]


class SiteTests(unittest.TestCase):
    """The site of this repository."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory(prefix="presentment-")
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.site = pathlib.Path(cls.temporary.name) / "site"
        built = build(cls.site)
        assert built.returncode == 0, built.stderr
        cls.places = {file.relative_to(cls.site).as_posix() for file in cls.site.rglob("*") if file.is_file()}
        cls.pages = {place: Document((cls.site / place).read_text(encoding="utf-8"))
                     for place in cls.places if place.endswith(".html") and not place.startswith(COPIES)}

    def test_every_link_and_anchor_leads_somewhere(self):
        broken, count = [], 0
        for place, page in self.pages.items():
            for tag, address in page.addresses:
                if tag == "a" and re.match(r"https?:", address):
                    continue
                path, anchor = (urllib.parse.unquote(part) for part in urllib.parse.urldefrag(address))
                target = posixpath.normpath(posixpath.join(posixpath.dirname(place), path)) if path else place
                is_broken = ":" in address.split("#")[0] or address.startswith("/") or target not in self.places
                if is_broken or anchor and anchor not in self.pages[target].ids:
                    broken.append(f"{place}: {address}")
                count += 1
        self.assertEqual(broken, [])
        self.assertGreater(count, 5_000)

    def test_pages_say_what_they_are(self):
        titles = set()
        for place, page in self.pages.items():
            with self.subTest(place):
                self.assertEqual(page.all("html"), [{"lang": "en"}])
                self.assertEqual(len(page.all("h1")), 1)
                self.assertEqual(len(page.ids), len(set(page.ids)))
                self.assertRegex(page.title, r"\w.* · presentment$|^presentment$")
                self.assertGreater(len(page.meta("description")[0]), 10)
                self.assertTrue(all(image.get("alt") is not None for image in page.all("img")))
                titles.add(page.title)
        self.assertEqual(len(titles), len(self.pages), "two pages have the same title")

    def test_no_page_asks_another_host_or_runs_what_is_in_it(self):
        for place, page in self.pages.items():
            policy = page.meta("Content-Security-Policy")[0]
            self.assertIn("default-src 'none'; script-src 'self' file:; style-src 'self' file:;", policy, place)
            self.assertTrue(all(script.get("src") for script in page.all("script")), place)
            self.assertEqual(page.all("style"), [], place)
            self.assertEqual([given for _, given in page.elements if "style" in given], [], place)
        for file in self.site.glob("*.css"):
            self.assertNotRegex(file.read_text(), r"url\(|@import", file.name)
        self.assertNotRegex((self.site / "site.js").read_text(), r"https?:|fetch\(|XMLHttpRequest")

    def test_every_page_of_the_repository_is_in_the_site(self):
        markdown = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        sections = len(re.findall(r"^## ", (ROOT / "docs" / "guide.md").read_text(), re.M))
        own = [place for place in self.pages if not place.startswith("view/")]
        self.assertEqual(len(own), len(markdown) + sections)
        # All but the front page are in the navigation.
        listed = {address for tag, address in self.pages["map.html"].addresses if tag == "a"}
        self.assertLessEqual({"guide/index.html", "checks.html", "howto/index.html", "overview.html"}, listed)

    def test_the_guide_is_pages_with_a_way_through_them(self):
        place, seen = "guide/index.html", []
        while place:
            seen.append(place)
            following = [given["href"] for given in self.pages[place].all("a") if given.get("rel") == "next"]
            place = posixpath.join("guide", following[0]) if following else None
        self.assertEqual(set(seen), {one for one in self.pages if one.startswith("guide/")})
        self.assertGreater(len(seen), 10)
        self.assertIn(("a", "guide/real-files.html#an-apps-request"), self.pages["index.html"].addresses)

    def test_the_search_finds_codes_keys_and_sentences(self):
        found = entries(self.site)
        for place, title in [("checks.html", "issuer.signature/invalid"), ("faults.html", "issuer.signature-altered"),
                             ("scenarios.html", "authorizes-with")]:
            places = [one for one, name, _ in found if name == title]
            self.assertIn(f"{place}#row-{title}", places)
        self.assertIn("checks.html", [place for place, _, text in found if "Names do not change; messages can" in text])
        self.assertIn("guide/run-scenarios.html", [place for place, title, _ in found if title == "Run scenarios"])
        for place, *_ in found:
            path, _, anchor = place.partition("#")
            self.assertTrue(not anchor or anchor in self.pages[path].ids, place)
        # The tables of other pages lead to the rows, and no row to itself.
        address = ("a", "checks.html#row-issuer.signature/invalid")
        self.assertIn(address, self.pages["faults.html"].addresses)
        self.assertNotIn(address, self.pages["checks.html"].addresses)
        self.assertIn(("a", "faults.html#row-issuer.signature-altered"), self.pages["test-your-server.html"].addresses)
        self.assertLess((self.site / "search-index.js").stat().st_size, LARGEST_INDEX)


class RefusalTests(unittest.TestCase):
    """A small repository of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="presentment-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.output = self.folder / "site"
        for path, text in SMALL.items():
            self.write(path, text)

    def write(self, path, text):
        file = self.folder / "repository" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="latin-1" if path.endswith((".png", ".webp")) else "utf-8", newline="")

    def build(self, *arguments):
        return build(self.output, "--root", self.folder / "repository", *arguments)

    def page(self, place):
        return (self.output / place).read_text(encoding="utf-8")

    def test_anchors_of_the_split_page_lead_to_its_parts(self):
        self.assertEqual(self.build().returncode, 0)
        self.assertIn('href="guide/two.html"', self.page("index.html"))
        self.assertIn('<a href="one.html">above</a>, <a href="index.html">it</a>', self.page("guide/two.html"))
        self.assertIn('<h1 id="two">Two</h1>', self.page("guide/two.html"))
        # A text that names a file becomes the title of its page.
        self.assertIn('<a href="guide/index.html">Guide</a></td>', self.page("map.html"))
        self.assertIn('width="3" height="2"', self.page("index.html"))
        self.assertIn('width="5" height="4"', self.page("guide/one.html"))

    def test_planted_problems_are_refused_with_page_and_line(self):
        self.write("docs/guide.md", SMALL["docs/guide.md"] + "\n".join([
            "", "One [line](missing.md)", "and [another](#three),", "[a file](../../outside.md).", "",
            "- [hidden](../.git/config)", "", "![](stage.png)", "", "| a |", "| --- |", "| [x](start.md#no) |", "",
            "<div>", "", "[run](ftp:run) ![none](none.png)", ""]))
        refused = self.build()
        self.assertEqual(refused.returncode, 1)
        self.assertEqual(refused.stderr.splitlines(), [
            "docs/guide.md:15: missing.md: no such file",
            "docs/guide.md:16: #three: no such heading",
            "docs/guide.md:17: ../../outside.md: no such file",
            "docs/guide.md:19: ../.git/config: no such file",
            "docs/guide.md:21: stage.png: a picture needs a text alternative",
            "docs/guide.md:25: start.md#no: no such heading",
            "docs/guide.md:27: HTML in a page: write it in Markdown",
            "docs/guide.md:29: ftp:run: a link with this scheme is not allowed",
            "docs/guide.md:29: none.png: no such picture",
        ])
        self.assertFalse(self.output.exists())

    def test_files_and_folders_are_shown(self):
        self.write("docs/guide.md", "# Guide\n\n[one](a/b.yaml) and [all](a)\n\n## One\n\nText.\n")
        self.write("docs/start.md", SMALL["docs/start.md"].replace("#two", "#one"))
        self.write("docs/a/b.yaml", "key: <value>\n")
        self.write("docs/a/.hidden", "secret")
        self.assertEqual(self.build().returncode, 0)
        self.assertIn('href="../view/docs/a/b.yaml.html"', self.page("guide/index.html"))
        self.assertIn("&lt;value&gt;", self.page("view/docs/a/b.yaml.html"))
        self.assertEqual(self.page("files/docs/a/b.yaml"), "key: <value>\n")
        self.assertIn('<a href="b.yaml.html">b.yaml</a>', self.page("view/docs/a/index.html"))
        self.assertNotIn("hidden<", self.page("view/docs/a/index.html"))

    def test_the_animation_is_on_the_front_page(self):
        animation = self.folder / "animation"
        animation.mkdir()
        steps = [{"picture": "step-1.webp", "words": "Kelly taps <Verify>."},
                 {"picture": "step-2.webp", "words": "It is Kelly."}]
        (animation / "steps.json").write_text(json.dumps({"size": [8, 6], "steps": steps}))
        for name in ["animation.webp", "animation-narrow.webp", "step-1.webp", "step-2.webp"]:
            (animation / name).write_text(name)
        self.assertEqual(self.build("--animation", animation).returncode, 0)
        page = Document(self.page("index.html"))
        self.assertEqual([given["srcset"] for given in page.all("source")],
                         ["animation/animation-narrow.webp", "animation/animation.webp"])
        self.assertTrue(all("prefers-reduced-motion: no-preference" in given["media"] for given in page.all("source")))
        self.assertIn("Kelly taps <Verify>. It is Kelly.", [given["alt"] for given in page.all("img")])
        self.assertIn("<figcaption>Kelly taps &lt;Verify&gt;.</figcaption>", self.page("index.html"))
        self.assertEqual(self.page("animation/animation.webp"), "animation.webp")

    def test_libraries_have_pages(self):
        data = self.folder / "archives" / "Small.doccarchive" / "data" / "documentation"
        (data / "small" / "one").mkdir(parents=True)

        def write(place, title, declaration, *summary, kind="struct"):
            sections = [{"kind": "declarations", "declarations": [{"tokens": [{"text": declaration}]}]}]
            (data / place).write_text(json.dumps({
                "kind": "symbol", "metadata": {"symbolKind": kind, "title": title}, "abstract": summary,
                "references": {"doc:two": {"title": "Two"}}, "primaryContentSections": sections}))

        write("small.json", "Small", "", {"type": "text", "text": "A library."}, kind="module")
        write("small/one.json", "One", "struct One<A>", {"type": "text", "text": "Less than <"},
              {"type": "reference", "identifier": "doc:two"})
        write("small/one/two.json", "Two", "var two: Int", {"type": "codeVoice", "code": "a&b"})
        self.assertEqual(self.build("--documentation", self.folder / "archives").returncode, 0)
        page = self.page("libraries/small.html")
        self.assertIn('<h2 id="one">One</h2>', page)
        self.assertIn("<p>Less than &lt;<code>Two</code></p>", page)
        self.assertIn('<h3 id="one-two">Two</h3>', page)
        self.assertIn("<p><code>a&amp;b</code></p>", page)
        self.assertIn("&lt;", page[page.index("<pre>"):page.index("</pre>")])
        self.assertIn(("a", "libraries/small.html"), Document(self.page("index.html")).addresses)

    def test_the_same_pages_give_the_same_bytes(self):
        self.build()
        first = {file: file.read_bytes() for file in self.output.rglob("*") if file.is_file()}
        self.assertEqual(self.build().returncode, 0)
        self.assertEqual({file: file.read_bytes() for file in self.output.rglob("*") if file.is_file()}, first)

    def test_a_folder_with_other_files_is_left_alone(self):
        self.output.mkdir()
        (self.output / "mine").write_text("mine")
        refused = self.build()
        self.assertEqual((refused.returncode, (self.output / "mine").read_text()), (1, "mine"))
        self.assertIn("has other files", refused.stderr)

    def test_a_page_without_a_title_is_refused(self):
        self.write("docs/other.md", "No title.\n")
        self.assertIn("docs/other.md:1: a page begins with its title", self.build().stderr)


if __name__ == "__main__":
    unittest.main()
