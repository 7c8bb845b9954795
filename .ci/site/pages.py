"""The pages of the site: which there are, where each is, and where each anchor of the repository leads."""

import dataclasses
import posixpath

from reading import Source, links, text_of

MAP = "docs/README.md"
FRONT = "docs/start.md"
# The page that is split into one for each of its sections.
GUIDE = "docs/guide.md"
# The pages that explain the codes in tables of all pages.
CODES = ("docs/checks.md", "docs/faults.md")
# Search engines cut longer ones.
LONGEST_DESCRIPTION = 200


@dataclasses.dataclass
class Page:
    """A page of the site: a Markdown file or a section of one."""

    source: Source
    tokens: list
    place: str
    title: str
    # The page that this one is a part of.
    parent: "Page" = None
    children: list = dataclasses.field(default_factory=list)
    # The description, if it is not in the Markdown.
    summary: str = ""
    # The name in the navigation, if it is not the title.
    label: str = ""

    def description(self):
        """The beginning of the first paragraph."""
        for index, token in enumerate(self.tokens):
            if token.type == "paragraph_open" and token.level == 0:
                return shorten(text_of(self.tokens[index + 1]))
        return self.summary or self.title

    def headings(self):
        """The level, anchor and text of each heading below the title."""
        found = [(int(token.tag[1]), token.attrGet("id"), text_of(self.tokens[index + 1]))
                 for index, token in enumerate(self.tokens) if token.type == "heading_open"]
        return found[1:]


def shorten(text):
    """The beginning of a text: whole sentences, or whole words of the first one."""
    if len(text) <= LONGEST_DESCRIPTION:
        return text
    end = text.rfind(". ", 0, LONGEST_DESCRIPTION)
    return text[:end + 1] if end > 0 else f"{text[:text.rfind(' ', 0, LONGEST_DESCRIPTION)]} …"


def place_of(path):
    """The place of a Markdown file in the site."""
    if path == FRONT:
        return "index.html"
    if path == MAP:
        return "map.html"
    inner = path[len("docs/"):] if path.startswith("docs/") else path
    folder, name = posixpath.split(inner)
    stem = name[:-len(".md")]
    if stem == "README":
        stem = "index" if folder else "overview"
    return posixpath.join(folder, f"{stem.lower()}.html")


class Pages:
    """All pages, and the address of every anchor."""

    def __init__(self, sources):
        self.sources = {source.path: source for source in sources}
        self.all = []
        # The page of each file, and of each anchor of a split one.
        self.by_path, self.by_anchor = {}, {}
        for source in sources:
            if source.path == GUIDE:
                self.split(source)
            else:
                self.add(Page(source, source.tokens, place_of(source.path), source.title))
        self.codes = {code: (path, anchor) for path in reversed(CODES) if path in self.sources
                      for code, anchor in self.sources[path].rows.items()}
        for path, page in self.by_path.items():
            if path.endswith("/README.md") and path != MAP:
                folder = posixpath.dirname(path)
                page.children = [other for name, other in self.by_path.items()
                                 if posixpath.dirname(name) == folder and other is not page]
                for child in page.children:
                    child.parent = page

    def add(self, page):
        self.all.append(page)
        self.by_path.setdefault(page.source.path, page)
        for token in page.tokens:
            if token.attrGet("id"):
                self.by_anchor[page.source.path, token.attrGet("id")] = page

    def split(self, source):
        """Makes one page of what is before the first section, and one of each section."""
        starts = [index for index, token in enumerate(source.tokens)
                  if token.type == "heading_open" and token.tag == "h2" and token.level == 0]
        stem = place_of(source.path)[:-len(".html")]
        whole = Page(source, source.tokens[:starts[0]], f"{stem}/index.html", source.title)
        self.add(whole)
        for start, end in zip(starts, starts[1:] + [len(source.tokens)]):
            anchor = source.tokens[start].attrGet("id")
            title = text_of(source.tokens[start + 1])
            for token in source.tokens[start:end]:
                if token.type in ("heading_open", "heading_close"):
                    token.tag = f"h{int(token.tag[1]) - 1}"
            part = Page(source, source.tokens[start:end], f"{stem}/{anchor}.html", title, whole)
            whole.children.append(part)
            self.add(part)

    def address(self, path, anchor):
        """The place of a file's page, with the anchor; None if there is no such heading."""
        page = self.by_anchor.get((path, anchor)) if anchor else self.by_path[path]
        if page is None:
            return None
        is_title = anchor and page.tokens[0].attrGet("id") == anchor
        return f"{page.place}#{anchor}" if anchor and not is_title else page.place

    def title(self, path, anchor):
        """The title of a file's page, or of its section with an anchor."""
        page = self.by_anchor[path, anchor] if anchor else self.by_path[path]
        return next((text for _, name, text in page.headings() if name == anchor), page.title)


@dataclasses.dataclass
class Group:
    """A part of the navigation."""

    title: str
    pages: list


def navigation(pages):
    """The groups of docs/README.md, each page once, in its order. What it names before them comes first."""
    source = pages.sources[MAP]
    groups, seen = [Group("", [pages.by_path[MAP]])], {FRONT, MAP}
    for index, token in enumerate(source.tokens):
        if token.type == "heading_open" and token.tag == "h2":
            groups.append(Group(text_of(source.tokens[index + 1]), []))
        elif token.type == "inline":
            for address, text in links([token]):
                path = posixpath.normpath(posixpath.join("docs", address.partition("#")[0]))
                if path in pages.by_path and path not in seen:
                    seen.add(path)
                    groups[-1].pages.append(pages.by_path[path])
                    if len(groups) == 1:
                        pages.by_path[path].label = text
    return [group for group in groups if group.pages]
