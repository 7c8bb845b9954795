"""Stories of the site of the pages, opened from its files: axe, windows of four sizes, the search and the animation."""

import base64
import subprocess
import sys

from playwright.sync_api import expect

import animation
from looks import axe_core
from story import ROOT, register
from window import Window, playwright_context

SIZE = {"width": 1280, "height": 800}
SIZES = [(390, 844), (768, 1024), (1280, 800), (1920, 1080)]
AXE = """
const options = { resultTypes: ["violations"], preload: false, %s };
const { violations, passes } = await axe.run(document, options);
return { passes: passes.length,
  violations: violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((one) => one.html).join(" ")}`) };
"""
# The dark changes colors only.
RULES = {"light": "rules: {}", "dark": "runOnly: ['color-contrast']"}
WITHOUT_CONTRAST = "rules: { 'color-contrast': { enabled: false } }"
# The rows of a table differ in their words, not in their colors, and axe looks at the contrast of each.
FIRST_ROWS = """
() => document.querySelectorAll("tbody").forEach((rows) => {
  while (rows.children.length > 2) rows.lastElementChild.remove();
})
"""
# What goes beyond the window, other than what is scrolled in its own place.
WIDE = """
() => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()
  && !one.closest("pre *, .table *, .visually-hidden, .skip") && one.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 3).map((one) => one.outerHTML.slice(0, 200))
"""
# After a change of its size, the page hears of it with the next frame.
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
# The number of pictures of an animation, which is given in Base64.
FRAMES = """
async (text) => {
  const data = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: "image/webp" });
  await Promise.all([decoder.tracks.ready, decoder.completed]);
  return decoder.tracks.selectedTrack.frameCount;
}
"""


class Site(Window):
    """A window of the site."""

    def __init__(self, setting, name, context, folder, scheme):
        super().__init__(setting, f"site-{name}-{scheme}", context)
        self.folder, self.scheme = folder, scheme

    def open(self, place):
        path, _, anchor = place.partition("#")
        self.page.goto((self.folder / path).as_uri() + (f"#{anchor}" if anchor else ""))

    def search(self, words):
        """Types words after the key of the search."""
        self.press("/")
        self.type(words)
        expect(self.find(".results a").first).to_be_visible()

    def judge(self, state, rules=None):
        """Axe finds nothing, and nothing is wider than the window."""
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(axe_core())
        self.page.evaluate(NEXT_FRAME)
        result = self.run(AXE % (rules or RULES[self.scheme]))
        assert result["violations"] == [] and result["passes"] > 0, (state, result)
        wide = self.page.evaluate(WIDE)
        width = self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert not wide and width <= 0, (state, wide, width)


def build(setting, *arguments):
    """Makes the site in a new folder."""
    folder = setting.folder() / "site"
    done = subprocess.run(
        [sys.executable, "-B", ROOT / ".ci" / "build-site", folder, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


def story(make=build):
    """Declares a story by its function, for light and dark colors. `make` builds the site."""
    def declare(function):
        def run(setting):
            folder = make(setting)
            for scheme in ["light", "dark"]:
                with playwright_context(setting, SIZE, color_scheme=scheme) as context:
                    with Site(setting, function.__name__, context, folder, scheme) as site:
                        function(site)
        register(f"site-{function.__name__}", function, run, ["axe", "site"])
        return function
    return declare


def with_animation(setting):
    """Makes the animation, and the site with it."""
    folder = setting.folder()
    animation.make(setting, folder)
    return build(setting, "--animation", folder)


@story(with_animation)
def front(site):
    """The front page moves until the person stops it or wants nothing to move; then its pictures are shown."""
    site.open("index.html")
    data = (site.folder / "animation" / "animation.webp").read_bytes()
    assert site.page.evaluate(FRAMES, base64.b64encode(data).decode()) == len(animation.MOMENTS)
    moving, steps = site.find(".moving > img"), site.find(".steps img")
    for width, height in SIZES:
        site.resize(width, height)
        site.open("index.html")
        shown = "animation-narrow.webp" if width < 600 else "animation.webp"
        site.wait(f"{shown} is shown",
                  "(name) => { const one = document.querySelector('.moving > img');"
                  " return one.currentSrc.endsWith(`/${name}`) && one.naturalWidth > 0; }", shown)
        site.judge(f"{width} moving")
        site.shoot(f"-{width}")
    site.find(".animation button").click()
    expect(moving).to_be_hidden()
    expect(steps.last).to_be_visible()
    site.judge("stopped")
    site.page.emulate_media(reduced_motion="reduce")
    site.open("index.html")
    expect(moving).to_be_hidden()
    expect(steps).to_have_count(len(animation.MOMENTS))
    expect(steps.first).to_be_visible()
    assert "Verified: it is Kelly" in site.text(".steps"), site.text(".steps")
    # The ways in lead to pages.
    site.find(".jumps a", "A talk of mine").click()
    site.find(".ways a", "Present it to a room").click()
    expect(site.find("h1")).to_have_text("Serve the demo")
    expect(site.find("#present-it")).to_be_in_viewport()


@story()
def pages(site):
    """A long page of the reference, and the search: keys and words lead to rows, sections and sentences."""
    site.open("faults.html#row-issuer.signature-altered")
    expect(site.find("tr:target")).to_be_in_viewport()
    if site.scheme == "light":
        site.judge("the whole reference", WITHOUT_CONTRAST)
    site.page.evaluate(FIRST_ROWS)
    for width, height in SIZES:
        site.resize(width, height)
        site.judge(f"reference {width}")
        site.shoot(f"-reference-{width}")
    site.open("guide/seeds.html")
    for width, height in SIZES:
        site.resize(width, height)
        site.search("issuer.signature/invalid")
        site.see(".results li:first-child", "issuer.signature/invalid", "Checks › The device response")
        expect(site.find(".results mark").first).to_have_text("issuer.signature/invalid")
        site.judge(f"search {width}")
        site.shoot(f"-search-{width}")
        site.press("Escape")
        expect(site.find(".results")).to_be_hidden()
        site.press("Escape")
        expect(site.find("#words")).to_have_value("")
        site.find("h1").click()
    site.search("issuer.signature/invalid")
    site.press("ArrowDown", "Enter")
    expect(site.find("tr:target")).to_contain_text("the issuer signature does not verify")
    site.search("authorizes-with")
    site.press("Enter")
    expect(site.find("tr:target")).to_be_in_viewport()
    assert site.page.url.endswith("/scenarios.html#row-authorizes-with"), site.page.url
    site.search("names do not change")
    site.see(".results li:first-child", "Names do not change")
    # Words are searched for as they are, and marked where a word begins.
    for words, marks in [("--jobs", "--jobs"), ("face id", "Face")]:
        site.press("Escape", "Escape")
        site.type(words)
        expect(site.find(".results mark").first).to_have_text(marks)
    site.press("Escape", "Escape")
    site.type("<b>(-[")
    site.see(".results [role=status]", "No section has all of these words.")
