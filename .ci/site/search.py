"""The index of the search: a script, since a page that is opened as a file may not fetch."""

import base64
import gzip
import json

from reading import text_of


def entries(page):
    """Yields what can be found on a page: anchor, title, text, and the section of a row.

    An entry is a section, or a row of a table that has an anchor."""
    section, words = ("", page.title), []
    row, cells = None, []
    for index, token in enumerate(page.tokens):
        before = page.tokens[index - 1].type if index else ""
        if token.type == "heading_open":
            yield *section, " ".join(words), ""
            is_title = index == 0
            section, words = ("" if is_title else token.attrGet("id"), text_of(page.tokens[index + 1])), []
        elif token.type == "tr_open":
            row, cells = token.attrGet("id"), []
        elif token.type == "tr_close":
            if row:
                yield row, cells[0], " · ".join(cell for cell in cells[1:] if cell), section[1]
            else:
                words.extend(cells)
        elif token.type == "inline" and before in ("td_open", "th_open"):
            cells.append(text_of(token))
        elif token.type == "inline" and before != "heading_open":
            words.append(text_of(token))
        elif token.type in ("fence", "code_block"):
            words.append(token.content)
    yield *section, " ".join(words), ""


def index(pages):
    """The script that declares what can be found: pages by place and name; entries by page, anchor, title and text."""
    names = [[page.place, f"{page.parent.title}: {page.title}" if page.parent else page.title] for page in pages]
    found = []
    for number, page in enumerate(pages):
        for anchor, title, text, section in entries(page):
            if text or anchor:
                found.append([number, anchor, title, " ".join(text.split()), section])
    data = json.dumps({"pages": names, "entries": found}, ensure_ascii=False, separators=(",", ":"))
    # A quarter of its size. The time is left out, so that the same pages give the same bytes.
    packed = base64.b64encode(gzip.compress(data.encode(), mtime=0)).decode()
    return f'const packedIndex = "{packed}";\n'
