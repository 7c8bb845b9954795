"""Reads Markdown files of the repository."""

import re

from markdown_it import MarkdownIt

from anchors import Anchors

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
# Keeps the anchors of rows apart from those of headings.
ROW = "row-"


def text_of(inline):
    """The text of an inline token, without its markup."""
    parts = []
    for child in inline.children or []:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "image":
            parts.append(text_of(child))
    return "".join(parts)


class Source:
    """A Markdown file. Its headings have the anchors of GitHub; a row of a table has one if its first cell is code."""

    def __init__(self, path, text):
        self.path = path
        self.tokens = MARKDOWN.parse(text)
        # The anchor of the first row of each word of code.
        self.rows = {}
        made = Anchors()
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                token.attrSet("id", made.heading(text_of(self.tokens[index + 1])))
            elif token.type == "tr_open" and self.tokens[index + 1].type == "td_open":
                cell = self.tokens[index + 2].children or []
                if [child.type for child in cell] == ["code_inline"]:
                    name = re.sub(r"\s+", "-", cell[0].content)
                    token.attrSet("id", made.unique(f"{ROW}{name}"))
                    self.rows.setdefault(cell[0].content, token.attrGet("id"))

    @property
    def title(self):
        """The text of the first heading."""
        return next((text_of(self.tokens[index + 1]) for index, token in enumerate(self.tokens)
                     if token.type == "heading_open"), "")


def links(tokens):
    """Yields the address of each link in its order, with the text that it is on."""
    for token in tokens:
        for index, child in enumerate(token.children or []):
            if child.type == "link_open":
                end = next(place for place in range(index, len(token.children))
                           if token.children[place].type == "link_close")
                text = "".join(one.content for one in token.children[index:end])
                yield child.attrGet("href"), text
