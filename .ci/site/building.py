"""Makes all files of the site in memory, so that nothing is written if something is wrong."""

import pathlib

import front
import libraries
import search
from files import Files
from layout import frame
from pages import FRONT, MAP, Group, Page, Pages, navigation
from problems import Problems
from reading import Source
from rendering import Renderer

HERE = pathlib.Path(__file__).resolve().parent
# Styles and the icon that the pages of the command have, too.
SHARED = "Sources/Tools/TraceViews/Web"


def markdown_files(root):
    """The paths of all pages: the Markdown files of the root folder and of docs."""
    found = [*root.glob("*.md"), *root.glob("docs/**/*.md")]
    return sorted(file.relative_to(root).as_posix() for file in found)


def build(root, animated=None, documented=None):
    """Returns the files of the site, bytes by place, and the lines of all problems. The folders have the animation of
    the front page and the archives of docc, if there are some."""
    problems = Problems()
    sources = [Source(path, (root / path).read_text(encoding="utf-8")) for path in markdown_files(root)]
    for path in (FRONT, MAP):
        if path not in [source.path for source in sources]:
            problems.add(path, 1, "no such page, and the site begins with it")
    for source in sources:
        if not source.tokens or source.tokens[0].tag != "h1":
            problems.add(source.path, 1, "a page begins with its title: # Title")
    if problems.lines:
        return {}, problems.lines
    pages, files = Pages(sources), Files(root)
    groups = navigation(pages)
    products = libraries.pages(documented) if documented else []
    if products:
        groups.append(Group("Libraries", [page for page, _ in products]))
    result = {"search-index.js": search.index(pages.all)}
    renderer = Renderer(pages, files, problems)
    for page in pages.all:
        content = renderer.page(page)
        if page.source.path == FRONT:
            content = front.arrange(content, animated, result)
        result[page.place] = frame(page, groups, content)
    for page, content in products:
        result[page.place] = frame(page, groups, content)
    for path, place, content in files.views():
        page = Page(None, [], place, path, summary=f"{path} in the repository of presentment.")
        # Files are not in the navigation: hundreds of pages stay small.
        result[place] = frame(page, [Group("", [pages.by_path[MAP]])], f"<h1>{page.title}</h1>\n{content}")
    for name in ("site.css", "site.js"):
        result[name] = (HERE / name).read_bytes()
    for file in (HERE.parents[1] / SHARED / "base.css", HERE.parents[1] / SHARED / "icons" / "presentment.svg"):
        result[file.name] = file.read_bytes()
    result.update(files.copies)
    return {place: data if isinstance(data, bytes) else data.encode() for place, data in result.items()}, problems.lines
