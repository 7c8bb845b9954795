"""Stories of other views of a run: side by side, for a presenter, and with explanations."""

import re
import urllib.parse

from playwright.sync_api import expect

from demo import story
from looks import AXE, SIZES, axe_core

OUT_OF_SIGHT = """
() => {
  const inside = (id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  };
  return ["bar", "go-play"].filter((id) => !inside(id))
    .concat(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []);
}
"""


# The words in Chinese headings that have parts in two lines, and the number of headings with two lines.
BROKEN_WORDS = r"""
() => {
  const linesOf = (node, first, last) => {
    const range = document.createRange();
    range.setStart(node, first);
    range.setEnd(node, last);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
  };
  const headings = [...document.querySelectorAll(":lang(zh-Hans):is(h2)")].filter((one) => one.checkVisibility());
  const words = new Intl.Segmenter("zh", { granularity: "word" });
  const broken = headings.flatMap((heading) => [...heading.childNodes].filter(({ nodeType }) => nodeType === 3)
    .flatMap((node) => [...words.segment(node.data)].filter(({ segment, index }) =>
      /^\p{Script=Han}{2,}$/u.test(segment) && linesOf(node, index, index + segment.length) > 1))
    .map(({ segment }) => `${segment} in ${heading.textContent}`));
  const tall = headings.filter((one) => one.clientHeight > 1.8 * parseFloat(getComputedStyle(one).lineHeight));
  return [broken, tall.length];
}
"""


@story
def tour(demo):
    """The headline in six pictures of one run, a sentence each; they lead to the stage, and are two pages of paper."""
    demo.open_stage("scenario=headline&step=2")
    assert demo.find("#open-tour").get_attribute("href") == "/tour?scenario=headline", demo.find("#open-tour")
    demo.page.goto(f"{demo.url}tour")
    pictures = demo.find("#tour > li")
    expect(pictures).to_have_count(6)
    for place, words in enumerate([
            ["Kelly opens Spaceship Rentals"], ["taps Verify Identity", "hides Other Wallet"],
            ["picks Wallet", "consent"],
            ["Wallet seals the answer for Server of Spaceship Rentals", "carry it"],
            ["authorizes with Face ID", "has verified"], ["Verified: it is Kelly."]]):
        for word in words:
            expect(pictures.nth(place).locator(".tour-caption")).to_contain_text(word, use_inner_text=True)
    scenes = demo.find("#tour .scene")
    for place, words in enumerate(["Verify Identity", "Choose", "Authorize with Face ID", "Welcome aboard"]):
        expect(scenes.nth(place)).to_contain_text(words, use_inner_text=True)
    # Nothing in a picture can be pressed.
    assert demo.find("#tour :is(button, a):not([inert] *)").count() == 6
    for size in SIZES:
        demo.page.set_viewport_size({"width": size[0], "height": size[1]})
        width = demo.page.evaluate("document.documentElement.scrollWidth")
        assert width <= size[0], (size, width)
        demo.shoot(f"-{size[0]}")
    demo.page.emulate_media(media="print")
    assert not demo.find("#tour-print").is_visible()
    demo.page.emulate_media(media="null")
    file = demo.page.pdf(prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", file))
    assert file.startswith(b"%PDF") and pages == 2, pages
    demo.find("#tour a").nth(1).click()
    demo.page.wait_for_url(re.compile(r"scenario=headline&step=2"))
    demo.see("#now", "taps Verify Identity")
    # A run with a fault ends with who noticed it; a run without a sealed answer has no picture of one.
    demo.page.goto(f"{demo.url}tour?scenario=headline&fault=wallet.value-changed")
    expect(pictures.last).to_contain_text("noticed", use_inner_text=True)
    # In a narrow window the Chinese heading of a sheet has two lines, each of whole words.
    demo.resize(390, 844)
    demo.page.goto(f"{demo.url}tour?scenario=in-person/a-phone-in-chinese&language=zh-Hans")
    # The headings are there when the whole run is, and as tall as they stay when the style is.
    broken, count = demo.page.wait_for_function(
        f"() => {{ const found = ({BROKEN_WORDS})(); return found[1] > 0 && found; }}").json_value()
    assert count > 0 and not broken, (broken, count)
    demo.resize(1400, 857)
    demo.page.goto(f"{demo.url}tour?scenario=selector/unsigned-request")
    expect(pictures.last).to_contain_text("No app may answer", use_inner_text=True)
    assert "seals the answer" not in demo.text("#tour")
    demo.page.goto(f"{demo.url}tour?scenario=nowhere")
    expect(demo.find("#problem")).to_contain_text("nowhere", use_inner_text=True)
    assert all("scenario=nowhere" in one for one in demo.errors), demo.errors
    demo.errors.clear()


@story
def beside(demo):
    """An honest and a broken run side by side: from the stage to the first difference, on to its bytes, and back."""
    demo.open_stage("scenario=headline&seed=7&fault=network.response-altered")
    demo.find("#compare-honest").click()
    demo.page.wait_for_url(re.compile(r"/beside\?"))
    demo.wait_for_run()
    # The page opens at the moment of the first difference, which is in view and in words.
    first = demo.find(".difference.first")
    box, place = demo.find("#list").bounding_box(), first.bounding_box()
    assert box["y"] <= place["y"] < box["y"] + box["height"] - 40, (box, place)
    demo.see(".difference.first", "cipherText")
    demo.see("#bar", "cipherText")
    position, count = demo.count()
    assert demo.address().endswith(f"step={position}"), demo.address()
    assert position not in (0, count), (position, count)
    address = demo.address()

    verdicts = demo.find(".side .verdict")
    demo.press("End")
    expect(verdicts.nth(0)).to_contain_text("Case passed", use_inner_text=True)
    expect(verdicts.nth(1)).to_contain_text("The fault was noticed", use_inner_text=True)
    expect(verdicts.nth(0)).to_contain_text("Verified: it is Kelly", use_inner_text=True)
    pages = demo.find(".side .page-view").all_inner_texts()
    assert "Welcome aboard" in pages[0] and "Welcome aboard" not in pages[1], pages
    # One key moves both runs; the fault is a step of the right one only.
    demo.press("Home", "ArrowRight")
    demo.expect_step(1)
    assert demo.count() == (1, 8), demo.count()
    demo.see("#now", "no step of its own")
    demo.press("ArrowRight", "ArrowRight")
    # Both selectors.
    expect(demo.find(".side .selector")).to_have_count(2)
    # The keys of the differences.
    demo.press("Shift+N")
    before = demo.focused("one.dataset.row ?? null")
    assert before is not None, "no difference has the focus"
    demo.press("n")
    demo.wait("the next difference has the focus", """(before) => {
        const { row } = document.activeElement.dataset;
        return row !== undefined && row !== before;
    }""", before)
    first.locator(".message-line").first.click()
    # Both messages, each with its marked field.
    expect(demo.find("#message .field-line.marked")).to_have_count(2)
    chosen = demo.find("#message .field-line.on").all_inner_texts()
    assert len(chosen) == 2 and all("cipherText" in one for one in chosen), chosen
    demo.shoot("-message")
    demo.press("Escape")
    expect(demo.find("#message")).to_be_hidden()
    assert demo.focused("one.dataset.message"), "the focus returns to the message"
    # What is the same is folded.
    fold = demo.visible(".both-same")
    fold.locator("summary").click()
    expect(fold.locator(".line")).not_to_have_count(0)
    # The link shows the same moment.
    demo.page.goto("about:blank")
    demo.page.goto(address)
    demo.wait_for_run()
    assert demo.address() == address, (demo.address(), address)
    # Each side has a choice of its own.
    demo.find("#right .side-more summary").click()
    with demo.another_run():
        demo.find("#right .side-more select").select_option("")
    demo.see("#bar", "No difference")
    with demo.another_run():
        demo.find("#right .side-more input").press_sequentially("8")
        demo.press("Enter")
    # Two seeds.
    demo.see("#bar", "No difference")
    demo.see("#note", "random values")
    with demo.another_run():
        demo.page.go_back()
    demo.open_stage("scenario=headline&seed=7&step=2")
    demo.find("#share summary").click()
    expect(demo.find("#compare-seed")).to_have_attribute("href", re.compile("with-seed=8"))
    demo.press("/")
    # Until the whole menu is there, another field waits in its place.
    expect(demo.visible("#menu .menu-group")).to_be_visible()
    demo.find("#menu input").press_sequentially("one failure")
    demo.visible(".menu-compare").click()
    demo.page.wait_for_url(re.compile(r"/beside\?"))
    demo.wait_for_run()
    # Two browsers.
    demo.see("#bar", "NotAllowedError", "AbortError")
    for width, height in SIZES:
        demo.resize(width, height)
        demo.page.goto(address)
        demo.wait_for_run()
        demo.shoot(f"-{width}")
        wrong = demo.page.evaluate(OUT_OF_SIGHT)
        assert not wrong, (width, height, wrong)


# The size on the screen of text that a room has to read, and the height of the phone.
# The number of requested elements that a person sees in the sheet without scrolling.
LIST_IN_SIGHT = """
() => {
  const { top, bottom } = document.querySelector("#scene .read-through").getBoundingClientRect();
  const isInside = (place) => place.height > 0 && place.top >= top && place.bottom <= bottom + 1;
  return [...document.querySelectorAll("#scene .group li")].map((one) => one.getBoundingClientRect()).filter(isInside)
    .length;
}
"""
MARKS_OUT_OF_SIGHT = """
() => {
  const { left, right } = document.querySelector(".track").getBoundingClientRect();
  return [...document.querySelectorAll(".mark")].map((mark) => mark.getBoundingClientRect())
    .filter((place) => place.left < left || place.right > Math.min(right, innerWidth)).map((place) => place.left);
}
"""

PRESENTED = """
() => {
  const sizeOf = (one) => parseFloat(getComputedStyle(one).fontSize) * one.currentCSSZoom;
  const text = [".phrase", ".offer-text", ".now-words"].flatMap((selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()).map(sizeOf));
  return { text: Math.min(...text), phone: document.querySelector("#scene .phone").getBoundingClientRect().height,
    wide: document.documentElement.scrollWidth - innerWidth };
}
"""


@story
def presenting(demo):
    """A presenter's walk with the keyboard only: choose, present, step by clicker, black screen, notes, leave."""
    demo.resize(1280, 720)
    demo.open_stage("scenario=attacks/cloned-document")
    with demo.another_run():
        demo.press("/")
        demo.type("rent a spaceship with an id in wallet")
        demo.press("ArrowDown", "Enter")
    menus, black = demo.find("#break"), demo.find(".blank")
    demo.press("f")
    expect(menus).to_be_hidden()
    assert demo.address().endswith("&present"), demo.address()
    demo.press("PageDown", "PageDown")
    demo.expect_step(2)
    expect(demo.find("#scene .offer")).not_to_have_count(0)
    for size in [(1280, 720), (1920, 1080), (2560, 1440)]:
        demo.resize(*size)
        demo.wait(f"the text fits {size}", f"(least) => ({PRESENTED})().text >= least", size[1] / 45)
        places = demo.page.evaluate(PRESENTED)
        assert places["phone"] > size[1] * .9 and places["wide"] <= 0, (size, places)
        demo.shoot(f"-{size[0]}")
    demo.resize(1280, 720)
    demo.press("n")
    demo.see("#notes", "Other Wallet is hidden")
    demo.press(".")
    expect(black).to_be_visible()
    demo.press("PageDown")
    expect(black).to_be_hidden()
    assert demo.count()[0] == 2, "the key that ends the blackness also moves"

    demo.reach("one.matches('.presenter-tools [aria-label=\"Notes in a window\"]')")
    with demo.context.expect_page() as opened:
        demo.press("Enter")
    notes = opened.value
    place, is_black = notes.locator("#notes-count"), notes.locator("#notes-black")
    expect(place).to_have_text("2 of 7")
    expect(notes.locator(".notes-next")).to_contain_text("The selector offers", use_inner_text=True)
    expect(notes.locator("#notes-time")).to_have_text(re.compile(r"^\d+:\d\d$"))
    with demo.in_page(notes):
        demo.press("PageDown")
        expect(place).to_have_text("3 of 7")
        demo.press("b")
        expect(is_black).to_be_visible()
        demo.shoot("-notes")
        demo.press("b")
        expect(is_black).to_be_hidden()
    # The stage follows the notes.
    demo.expect_step(3)
    demo.page.evaluate("document.activeElement.blur()")
    demo.press("End")
    demo.see("#bar .notes", "Verified: it is Kelly")
    demo.press("n")
    demo.expect_verdict("Verified: it is Kelly", "Case passed")
    expect(place).to_have_text("7 of 7")
    for text in ["Conclusion", "Case passed"]:
        expect(notes.locator("#notes")).to_contain_text(text, use_inner_text=True)
    demo.press("Escape")
    expect(menus).to_be_visible()
    assert "present" not in urllib.parse.urlparse(demo.address()).query, demo.address()
    demo.open_stage("scenario=headline&step=4&present")
    expect(menus).to_be_hidden()
    for language in ["en", "es", "zh-Hans"]:
        demo.go_to(f"scenario=headline&step=4&present&language={language}")
        assert demo.page.evaluate(LIST_IN_SIGHT) == 5, language
        expect(demo.find("#scene .gesture")).not_to_have_attribute("aria-disabled", "true")
    demo.go_to("scenario=cross-device/qr-code-on-a-laptop&step=2&present")
    assert demo.page.evaluate(MARKS_OUT_OF_SIGHT) == []


@story
def explaining(demo):
    """Parties, checks and faults explain themselves, and the reference has more."""
    demo.open_stage("scenario=headline&fault=wallet.value-changed&step=99")
    position = demo.count()
    box = demo.find(".help")

    def press(button):
        button.click()
        expect(box).to_be_visible()
        text = box.inner_text()
        demo.press("Escape")
        expect(box).to_be_hidden()
        assert demo.count() == position, "a key of the explanation moves the run"
        return text

    heads = demo.find(".lane-heads .explained")
    assert heads.count() >= 6, heads.count()
    for head in heads.all():
        text = press(head)
        assert "Can read" in text and "Holds" in text, (head.inner_text(), text)
    assert "digest" in press(demo.find(".verdict-title .explained"))
    assert "Noticed by" in press(demo.find("#broken .explained"))
    codes = {entry["code"] for query in ["headline", "attacks/phishing-site", "browser/no-user-gesture"]
             for entry in demo.api(f"/api/play?scenario={query}")["entries"] if "code" in entry}
    assert len(codes) > 30, codes
    for code in codes:
        assert demo.api(f"/api/reference?name={urllib.parse.quote(code)}")["text"], code
    demo.find(".verdict-title .explained").click()
    demo.page.goto(box.locator("a").evaluate("(one) => one.href"))
    expect(demo.find(":target")).to_contain_text("element.digest", use_inner_text=True)


@story(needs=["axe"])
def altered_bytes(demo):
    """The map of altered bytes is a page of the stage: found by keys, with its own styles, and whole for axe."""
    demo.open_stage("scenario=headline&seed=7&fault=wallet.value-changed")
    demo.find("#view summary").click()
    expect(demo.find("#open-tour")).to_be_visible()
    expect(demo.find("#open-sweep")).to_be_hidden()
    demo.open_stage("scenario=headline&seed=7")
    demo.find("#view summary").focus()
    demo.press("Enter")
    link = demo.find("#open-sweep")
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    assert address == "/api/play/sweep?scenario=headline&seed=7", address
    # A map of one short message, so that few runs are made.
    link.evaluate("link => { link.href += '&message=44'; }")
    demo.reach("one.id === 'open-sweep'")
    with demo.context.expect_page() as opened:
        demo.press("Enter")
    with demo.in_page(opened.value):
        demo.see("h1", "Who notices each altered byte")
        demo.see("#messages + .scroll", "collect request data")
        fills = demo.page.evaluate(
            "[...document.querySelectorAll('.map path')].map((one) => getComputedStyle(one).fill)")
        assert fills and "none" not in fills and "rgb(0, 0, 0)" not in fills, fills
        demo.page.evaluate(axe_core())
        for scheme in ["light", "dark"]:
            demo.page.emulate_media(color_scheme=scheme)
            found = demo.run(AXE % "rules: {}")
            assert not found, (scheme, found)
            demo.shoot(f"-{scheme}")
        links = demo.page.evaluate("[...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href'))")
        assert links == ["/?scenario=headline&seed=7", "?scenario=headline&seed=7"], links
        demo.resize(390, 844)
        width = demo.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, width
        demo.find("nav a").first.click()
        demo.wait_for_run()
        demo.see("#scenario-title", "Rent a spaceship")
