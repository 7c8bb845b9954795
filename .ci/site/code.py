"""Highlights code."""

import functools
import html
import itertools
import pathlib
import re

from pygments.lexers import TextLexer, get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String
from pygments.util import ClassNotFound

# What has a color, by class. Everything else is plain, which keeps the pages small.
KINDS = {
    Comment: "note", Keyword: "word", Operator.Word: "word", String: "text", Number: "number",
    Name.Tag: "name", Name.Attribute: "name", Name.Decorator: "name", Generic.Inserted: "text",
    Generic.Deleted: "removed", Generic.Heading: "note", Generic.Subheading: "note",
}
# A block without a language whose lines all begin like this has commands.
COMMAND = re.compile(r"(presentment|make|swift|python3|curl|git|docker|tar|\.build/\S+|\w+=\S+|#) ")


def block(code, language):
    """The HTML of a block of code."""
    if language:
        return colored(code, get_lexer_by_name(language))
    lines = code.splitlines()
    if lines and lines[0].startswith("$ "):
        return session(lines)
    if lines and all(COMMAND.match(line.strip()) or not line.strip() for line in lines):
        return colored(code, get_lexer_by_name("bash"))
    return html.escape(code, quote=False)


def session(lines):
    """The HTML of what a terminal shows: the commands differ from their output."""
    result, goes_on = [], False
    for line in lines:
        is_command = line.startswith("$ ") or goes_on
        goes_on = is_command and line.endswith("\\")
        text = html.escape(line, quote=False)
        result.append(f"<b>{text}</b>" if is_command else text)
    return "\n".join(result) + "\n"


def file(name, code):
    """The HTML of a file."""
    return colored(code, lexer_of(pathlib.PurePath(name).suffix))


@functools.lru_cache(maxsize=None)
def lexer_of(suffix):
    try:
        return get_lexer_for_filename(f"file{suffix}")
    except ClassNotFound:
        return TextLexer()


@functools.lru_cache(maxsize=None)
def kind(token):
    """The class of a kind of token, or that of a wider one."""
    while token is not None and token not in KINDS:
        token = token.parent
    return KINDS.get(token)


def colored(code, lexer):
    result = []
    for name, tokens in itertools.groupby(lexer.get_tokens(code), lambda one: kind(one[0])):
        text = html.escape("".join(content for _, content in tokens), quote=False)
        result.append(f'<span class="{name}">{text}</span>' if name else text)
    return "".join(result)
