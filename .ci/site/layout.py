"""The frame of a page: navigation, contents, search."""

import html
import pathlib
import string

from pages import FRONT
from rendering import relative

TEMPLATE = string.Template(pathlib.Path(__file__).with_name("page.html").read_text(encoding="utf-8"))
# Everything is of the site, in files of its own. Not every browser counts the files beside a file as 'self'.
OWN = "'self' file:"
POLICY = (f"default-src 'none'; script-src {OWN}; style-src {OWN}; img-src {OWN}; "
          "base-uri 'none'; form-action 'none'")
NAME = "presentment"


def link(page, place, text, attributes=""):
    return f'<a href="{html.escape(relative(place, page))}"{attributes}>{html.escape(text, quote=False)}</a>'


def entry(page, here):
    """A page in the navigation, with its parts if the page that is shown is one of them."""
    current = ' aria-current="page"' if page is here else ""
    parts = "".join(entry(child, here) for child in page.children) if here in [page, *page.children] else ""
    named = link(here.place, page.place, page.label or page.title, current)
    return f"<li>{named}<ul>{parts}</ul></li>" if parts else f"<li>{named}</li>"


def navigation(groups, here):
    result = []
    for group in groups:
        title = f"<h2>{html.escape(group.title)}</h2>" if group.title else ""
        result.append(f"{title}<ul>{''.join(entry(page, here) for page in group.pages)}</ul>")
    return "\n".join(result)


def contents(page):
    """The sections of a page, if there are several."""
    shown = [(anchor, text) for level, anchor, text in page.headings() if level == 2]
    if len(shown) < 2:
        return ""
    lines = "".join(f'<li><a href="#{anchor}">{html.escape(text, quote=False)}</a></li>' for anchor, text in shown)
    return (f'<nav class="contents" aria-label="On this page"><h2 aria-hidden="true">On this page</h2>'
            f"<details><summary>On this page</summary><ul>{lines}</ul></details></nav>")


def neighbours(page):
    """Links to the parts before and after."""
    whole = page.parent or page
    if not any(part.source is whole.source for part in whole.children):
        return ""
    parts = [whole, *whole.children]
    number = parts.index(page)
    before = parts[number - 1] if number else None
    after = parts[number + 1] if number + 1 < len(parts) else None
    links = [link(page.place, other.place, f"{word}: {other.title}", f' rel="{rel}"')
             for other, word, rel in [(before, "Before", "prev"), (after, "Next", "next")] if other]
    return f'<nav class="neighbours" aria-label="Parts">{"".join(links)}</nav>' if links else ""


def frame(page, groups, content):
    """The whole page."""
    path = page.source.path if page.source else None
    kind = "front" if path == FRONT else "page" if path else "file"
    titles = [page.title, *([page.parent.title] if page.parent else []), *([] if page.title == NAME else [NAME])]
    return TEMPLATE.substitute(
        policy=POLICY, title=html.escape(" · ".join(titles)), description=html.escape(page.description()),
        root="../" * page.place.count("/"), kind=kind, navigation=navigation(groups, page),
        content=content + neighbours(page), contents=contents(page) if kind == "page" else "")
