"""Makes HTML of a page's Markdown. Every link leads to a page or file of the site, or is a problem."""

import html
import posixpath
import re

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

import code
from reading import MARKDOWN, text_of

COMMENTS = re.compile(r"\s*(<!--.*?-->\s*)*", re.S)
# A link's text that names a file.
FILE_NAME = re.compile(r"[\w./-]+\.md")
SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
# Links to elsewhere. The site itself asks no other host for anything.
ALLOWED = ("https:", "http:", "mailto:")


def relative(place, page):
    """The address of a place of the site on a page of it."""
    path, hash_sign, anchor = place.partition("#")
    folder = posixpath.dirname(page) or "."
    return posixpath.relpath(path, folder) + hash_sign + anchor


class Renderer(RendererHTML):
    """Renders pages."""

    def __init__(self, pages, files, problems):
        super().__init__()
        self.pages, self.files, self.problems = pages, files, problems

    def page(self, page):
        """The HTML of a page's content."""
        self.rewrite(page)
        return self.render(page.tokens, MARKDOWN.options, {})

    def rewrite(self, page):
        """Gives each link and picture its address in the site."""
        line = 1
        for number, token in enumerate(page.tokens):
            line = token.map[0] + 1 if token.map else line
            place = line
            if token.type == "html_block":
                self.refuse_html(page, place, token)
            elif token.type == "th_open" and not page.tokens[number + 1].content:
                # A header without words heads nothing.
                token.tag = page.tokens[number + 2].tag = "td"
            for index, child in enumerate(token.children or []):
                if child.type in ("softbreak", "hardbreak"):
                    place += 1
                elif child.type == "link_open":
                    self.rewrite_link(page, place, child, token.children[index + 1])
                elif child.type == "image":
                    self.rewrite_picture(page, place, child)
                elif child.type == "html_inline":
                    self.refuse_html(page, place, child)
            if token.type == "inline" and page.tokens[number - 1].type == "td_open":
                self.link_codes(page, token, page.tokens[number - 2].attrGet("id"))

    def link_codes(self, page, cell, row):
        """Links codes of checks and faults in a cell to the rows that explain them.

        A first cell, which has the anchor of its row, explains a code of its own page."""
        children, depth = [], 0
        for child in cell.children:
            depth += child.nesting
            explained = self.pages.codes.get(child.content) if child.type == "code_inline" and depth == 0 else None
            if explained is None or (explained[0] == page.source.path and row):
                children.append(child)
                continue
            target = relative(self.pages.address(*explained), page.place)
            children += [Token("link_open", "a", 1, {"href": target}), child, Token("link_close", "a", -1)]
        cell.children = children

    def refuse_html(self, page, line, token):
        if not COMMENTS.fullmatch(token.content):
            self.problems.add(page.source.path, line, "HTML in a page: write it in Markdown")
        token.content = ""

    def rewrite_link(self, page, line, token, text):
        target = token.attrGet("href")
        if scheme := SCHEME.match(target):
            if scheme.group().lower() not in ALLOWED:
                self.problems.add(page.source.path, line, f"{target}: a link with this scheme is not allowed")
            return
        name, _, anchor = target.partition("#")
        path = page.source.path
        if name:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if path not in self.pages.by_path and posixpath.join(path, "README.md") in self.pages.by_path:
            path = posixpath.join(path, "README.md")
        if path in self.pages.by_path:
            place = self.pages.address(path, anchor)
            if place is None:
                return self.problems.add(page.source.path, line, f"{target}: no such heading")
            if FILE_NAME.fullmatch(text.content):
                text.content = self.pages.title(path, anchor)
        else:
            place = self.files.view(path)
            if place is None:
                return self.problems.add(page.source.path, line, f"{target}: no such file")
            if anchor:
                return self.problems.add(page.source.path, line, f"{target}: a file has no headings")
        is_here = place.partition("#")[0] == page.place
        token.attrSet("href", f"#{anchor}" if is_here and anchor else relative(place, page.place))

    def rewrite_picture(self, page, line, token):
        source = token.attrGet("src")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page.source.path), source))
        place = self.files.picture(path)
        if place is None:
            return self.problems.add(page.source.path, line, f"{source}: no such picture")
        if not text_of(token):
            self.problems.add(page.source.path, line, f"{source}: a picture needs a text alternative")
        token.attrSet("src", relative(place, page.place))
        for name, size in zip(("width", "height"), self.files.size(path)):
            token.attrSet(name, str(size))

    def fence(self, tokens, index, *_):
        """A block of code, which can be scrolled."""
        token = tokens[index]
        return f"<pre><code>{code.block(token.content, token.info.strip())}</code></pre>\n"

    code_block = fence

    def table_open(self, *_):
        return '<div class="table"><table>\n'

    def table_close(self, *_):
        return "</table></div>\n"

    def html_block(self, *_):
        return ""

    html_inline = html_block

    def text(self, tokens, index, *_):
        return html.escape(tokens[index].content, quote=False)
