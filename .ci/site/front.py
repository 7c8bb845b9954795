"""The layout of the front page: what it is, the animation, and the ways in beside each other."""

import html
import json
import re

SECTION = re.compile(r"(?=<h2)")
TITLE = re.compile(r'<h2 id="([^"]*)">(.*?)</h2>')
PICTURE = re.compile(r"<p>(<img [^>]*>)</p>")
# The files of `make animation`.
WORDS, WIDE, NARROW = "steps.json", "animation.webp", "animation-narrow.webp"
MOVES = "(prefers-reduced-motion: no-preference)"
IS_NARROW = "(max-width: 599px)"


def arrange(content, folder, result):
    """The content of the front page; the animation's files join the result, bytes by place."""
    start, *ways = SECTION.split(content)
    figure = animation(folder, result) if folder else None
    start = PICTURE.sub(lambda match: figure or f'<figure class="still">{match.group(1)}</figure>', start, count=1)
    sections = "".join(f"<section>{way}</section>\n" for way in ways)
    # The ways in are below the animation.
    jumps = "".join(f'<li><a href="#{anchor}">{text}</a></li>' for anchor, text in TITLE.findall("".join(ways)))
    start = start.replace("</p>", f'</p>\n<nav class="jumps" aria-label="Ways in"><ul>{jumps}</ul></nav>', 1)
    return f'<div class="start">{start}</div>\n<div class="ways">\n{sections}</div>\n'


def animation(folder, result):
    """The figure with the animation, and with its pictures for readers who want nothing to move."""
    words = json.loads((folder / WORDS).read_text(encoding="utf-8"))
    for name in (WIDE, NARROW, *(step["picture"] for step in words["steps"])):
        result[f"animation/{name}"] = (folder / name).read_bytes()
    width, height = words["size"]
    size = f'width="{width}" height="{height}"'
    last = words["steps"][-1]["picture"]
    told = html.escape(" ".join(step["words"] for step in words["steps"]))
    steps = "\n".join(
        f'<li><figure><img src="animation/{step["picture"]}" {size} alt="" loading="lazy">'
        f'<figcaption>{html.escape(step["words"], quote=False)}</figcaption></figure></li>' for step in words["steps"])
    return f"""<figure class="animation">
<picture class="moving"><source media="{IS_NARROW} and {MOVES}" srcset="animation/{NARROW}">
<source media="{MOVES}" srcset="animation/{WIDE}">
<img src="animation/{last}" {size} alt="{told}"></picture>
<ol class="steps">
{steps}
</ol>
<p><button type="button" hidden>Stop, and show each step</button></p>
</figure>"""
