"""Pages of the library products: a page for each archive of docc, with every public symbol. docc's own pages need a
server and a fixed address."""

import html
import json

import code
from pages import Page

FOLDER = "libraries"


def archives(folder):
    """The archives of docc in a folder."""
    return sorted(folder.glob("*.doccarchive"))


def words(content, references):
    """The HTML of a summary."""
    parts = []
    for one in content:
        if one["type"] == "codeVoice":
            parts.append(f"<code>{html.escape(one['code'])}</code>")
        elif one["type"] == "reference":
            title = references.get(one["identifier"], {}).get("title", "")
            parts.append(f"<code>{html.escape(title)}</code>")
        elif "inlineContent" in one:
            parts.append(words(one["inlineContent"], references))
        else:
            parts.append(html.escape(one.get("text", ""), quote=False))
    return "".join(parts)


def summary(symbol):
    return words(symbol.get("abstract", []), symbol.get("references", {}))


def declaration(symbol):
    """The declaration of a symbol in Swift."""
    for section in symbol.get("primaryContentSections", []):
        if section["kind"] == "declarations":
            return "".join(token["text"] for token in section["declarations"][0]["tokens"])
    return ""


def symbols(archive):
    """Yields the path of each public symbol in its module, as docc has it, with what the archive says of it."""
    root = archive / "data" / "documentation"
    found = []
    for file in root.rglob("*.json"):
        symbol = json.loads(file.read_text(encoding="utf-8"))
        if symbol["kind"] == "symbol" and symbol["metadata"]["symbolKind"] != "module":
            parts = file.relative_to(root).with_suffix("").parts[1:]
            found.append((parts, symbol))
    return sorted(found, key=lambda one: one[0])


def page(archive):
    """The page of a library, with its content."""
    name, types, lines = archive.stem, [], []
    module = json.loads((archive / f"data/documentation/{name.lower()}.json").read_text(encoding="utf-8"))
    for parts, symbol in symbols(archive):
        title, anchor = symbol["metadata"]["title"], html.escape("-".join(parts))
        level = 2 if len(parts) == 1 else 3
        if level == 2:
            types.append(f'<li><a href="#{anchor}">{html.escape(title)}</a></li>')
        lines.append(f'<h{level} id="{anchor}">{html.escape(title)}</h{level}>')
        lines.append(f"<pre><code>{code.block(declaration(symbol), 'swift')}</code></pre>")
        if text := summary(symbol):
            lines.append(f"<p>{text}</p>")
    content = [f"<h1>{name}</h1>", f"<p>{summary(module)}</p>", f"<ul>{''.join(types)}</ul>", *lines]
    return Page(None, [], f"{FOLDER}/{name.lower()}.html", name, summary=f"The symbols of the library {name}."), content


def pages(folder):
    """The page of each library, with its content in HTML."""
    return [(made, "\n".join(content)) for made, content in map(page, archives(folder))]
