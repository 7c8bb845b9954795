"""Stories of how the stage looks: in windows of every size, in both color schemes, on paper, and to axe-core."""

import json
import pathlib
import re

from playwright.sync_api import expect

from demo import story
from plays import FRAMED, FRAMED_ON_A_LAPTOP
from window import TAKES_PICTURES

SIZES = [(1024, 768), (1280, 720), (640, 360), (390, 844), (1440, 900), (2560, 1440)]
TWO_PHONES = "cross-device/any-phone-can-scan%23two%20phones,%20and%20the%20first%20one%20is%20far%20away"
# Neighbours are of different runs, in the dark as well.
STATES = [
    ("checkout", "scenario=headline&step=1"),
    ("own-app", "scenario=consent/declined-in-local-driving-authority&step=3"),
    ("selector", "scenario=headline&step=2"),
    ("two-documents", "scenario=documents/two-documents-together&step=4"),
    ("consent", "scenario=headline&step=4"),
    ("another-document", "scenario=documents/two-licenses-in-one-app&step=4"),
    ("code", "scenario=cross-device/qr-code-on-a-laptop&step=2"),
    ("verified", "scenario=headline&step=99"),
    ("refused", "scenario=headline&fault=wallet.value-changed&step=99"),
    ("home", "scenario=consent/declined-in-wallet"),
    ("two-devices", "scenario=session/two-devices&step=3"),
    ("mac", "scenario=cross-device/nearby-iphone&step=5"),
    ("three-devices", f"scenario={TWO_PHONES}&step=3"),
]
LIGHT_ONLY = ["home", "two-devices", "mac", "three-devices"]
# In the dark. The pages' style sheets know it by light-dark(), which takes colors only.
DARK_SIZE = (1280, 720)
# What is wrong with the picture: bar and verdict out of sight, words that are broken or cut off, texts over each other.
WRONG = r"""
() => {
  const wrong = [];
  const inside = (id) => {
    const { left, top, right, bottom, width, height } = document.getElementById(id).getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth + 1 && bottom <= innerHeight + 1 && width > 40 && height > 10;
  };
  const [devices, wire] = ["scene", "wire"].map((id) => document.getElementById(id)?.getBoundingClientRect());
  if (wire?.left >= devices.right - 1 && wire.width < 300) wrong.push(`the wire is ${wire.width} px wide`);
  for (const id of ["bar", "verdict", "go-play"]) if (!inside(id)) wrong.push(`${id} is out of sight`);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  // On a phone most of the window is for the devices: a header of two rows, and a verdict in a few lines.
  if (innerWidth < 700 && innerHeight > 600) {
    const [head, bar] = [".top", "#bar"].map((one) => document.querySelector(one).offsetHeight);
    if (head > 110) wrong.push(`the header is ${head} px high`);
    if (bar > innerHeight * .27) wrong.push(`the bar is ${bar} px high`);
  }
  for (const scroller of document.querySelectorAll(".read-through > [role=group]")) scroller.scrollTop = 1e6;
  const range = document.createRange();
  const areas = [".top", "#bar", "#broken", ".lane-heads", "#scene .terminal", "#scene .between", "#scene .sheet",
    "#scene .custom-view", "#scene .phone-home", "#scene .prompt", "#scene .notification", "#scene .code-dialog",
    "#scene .page-view", "#scene .window-bar", "#scene .as-person"];
  for (const area of areas.flatMap((selector) => [...document.querySelectorAll(selector)])) {
    const lines = [];
    const frame = area.getBoundingClientRect();
    const walker = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (!node.data.trim() || holder.closest("code, select, .visually-hidden, .more-below, [inert]")) continue;
      if (!holder.checkVisibility({ visibilityProperty: true })) continue;
      if (getComputedStyle(holder).clipPath !== "none") continue;
      const isTurned = getComputedStyle(holder).writingMode !== "horizontal-tb";
      for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{N}]+/gu)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
        // A line of Chinese breaks between any two of its signs.
        const isWhole = isTurned || /\p{Script=Han}/u.test(word);
        if (!isWhole && new Set(parts.map(({ top }) => Math.round(top))).size > 1) wrong.push(`broken: ${word}`);
        const isScrolled = holder.closest(".sheet-body, .page-scroll, .overheard, .track, .bar, .scene") !== null;
        const isShortened = getComputedStyle(holder).textOverflow === "ellipsis"
          || getComputedStyle(holder).webkitLineClamp !== "none";
        if (!isShortened && parts.some(({ left, right }) => left < frame.left - 1 || right > frame.right + 1)) {
          wrong.push(`beyond its box: ${word}`);
        }
        if (!isScrolled && !isShortened && parts.some(({ top, bottom }) => bottom > frame.bottom + 2
          || top < frame.top - 2)) wrong.push(`cut off: ${word}`);
      }
      range.selectNodeContents(node);
      // Lines beyond the end of a shortened text are not seen.
      const { bottom: end } = holder.getBoundingClientRect();
      for (const rect of range.getClientRects()) {
        if (rect.width > 1 && rect.top < end - 3) lines.push([node.data.trim(), rect, holder]);
      }
    }
    for (const [index, [text, one, holder]] of lines.entries()) {
      for (const [other, two, its] of lines.slice(index + 1)) {
        // The boxes of adjacent lines may touch, their letters do not.
        const wide = Math.min(one.right, two.right) - Math.max(one.left, two.left);
        const high = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
        // What is scrolled away in one list may lie where another text is.
        const lists = ".sheet-body, .page-scroll, .overheard, .track";
        const [list, itsList] = [holder, its].map((element) => element.closest(lists));
        if (wide > 2 && high > 6 && list === itsList && text !== other) wrong.push(`"${text}" over "${other}"`);
      }
    }
  }
  for (const button of document.querySelectorAll("#scene :is(.gesture, .own-yes, .offer, .prompt-actions button)")) {
    if (button.closest("[inert]")) continue;
    button.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!button.contains(found)) wrong.push(`covered: ${button.textContent}`);
  }
  return [...new Set(wrong)];
}
"""


@story(is_long=True)
def sizes(demo):
    """Every state is whole in every window, with bar and verdict; 640 x 360 is 1280 x 720 at 200 %."""
    found = {}
    for scheme in ["light", "dark"]:
        demo.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        for width, height in SIZES if scheme == "light" or TAKES_PICTURES else [DARK_SIZE]:
            demo.resize(width, height)
            for name, query in STATES:
                if scheme == "dark" and name in LIGHT_ONLY:
                    continue
                # The page is loaded for each size, and draws each state in it.
                (demo.open_stage if name == STATES[0][0] else demo.go_to)(query)
                demo.shoot(f"-{width}-{scheme}-{name}")
                wrong = demo.page.evaluate(WRONG)
                if wrong:
                    found[f"{width} x {height} {name}"] = wrong
    assert not found, json.dumps(found, indent=1)


# Windows in which there is little room for a scene, with what is in sight in them.
NARROW = [
    (390, 844, "scenario=cross-device/nearby-iphone&step=5", ".notification .plain"),
    (1024, 768, "scenario=cross-device/qr-code-on-a-laptop&step=3", ".home-apps li:last-child span"),
    (768, 1024, "scenario=provider/settings&step=5", "#go-next"),
    (1024, 768, "scenario=provider/settings&step=5", ".wire-scroll .row:last-child summary"),
    (1024, 768, "scenario=documents/two-documents-together&step=5", ".more-below"),
    (1024, 768, "scenario=provider/first-registration-asks&step=2", ".row-button[aria-label*='May this app provide']"),
]
# The middle of an element is what is at its place, the page is not scrolled for it, and no name of a message is cut off
# after one or two letters.
HIDDEN = r"""
(selector) => {
  const hidden = [];
  const shown = [...document.querySelectorAll(selector)].findLast((one) => one.checkVisibility());
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  if (!shown.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))) hidden.push(selector);
  if (scrollY !== 0) hidden.push(`the page is scrolled by ${scrollY}`);
  for (const one of document.querySelectorAll(".row-label .subject:not(.size)")) {
    if (one.clientWidth > 0 && one.clientWidth < 20 && one.scrollWidth > one.clientWidth) hidden.push(one.textContent);
  }
  return hidden;
}
"""


@story
def narrow(demo):
    """With little room, the device where something happens is in sight, with its icons, and so is the newest line."""
    demo.page.emulate_media(reduced_motion="reduce")
    found = {}
    for width, height, query, selector in NARROW:
        demo.resize(width, height)
        demo.open_stage(query)
        hidden = demo.page.evaluate(HIDDEN, selector)
        if hidden:
            found[f"{width} x {height} {query}"] = hidden
    assert not found, json.dumps(found, indent=1)


# A phone, a tablet, a laptop and a big screen. Neighbours among the states are of different runs.
LANGUAGE_SIZES = [(390, 844), (768, 1024), (1280, 800), (1920, 1080)]
LANGUAGE_STATES = [
    ("selector", "scenario=headline&step=2", "Elige una app", "选择用于验证身份的 App"),
    ("several-documents", "scenario=selector/several-documents&step=2", "(2 documentos)", "2 份证件", "(2 documents)"),
    ("permission", "scenario=provider/first-registration-asks&step=1", "quiere proporcionar documentos", "想要向网站提供"),
    ("consent", "scenario=headline&step=4", "pide ver tu documento de identidad", "请求查看你的身份证件"),
    ("own-app", "scenario=consent/declined-in-local-driving-authority&step=3", "¿Verificar con", "驾驶执照进行验证吗"),
    ("question", "scenario=consent/a-question-answered&step=3", "¿Compartir con", "共享吗？"),
    ("another-document", "scenario=documents/two-licenses-in-one-app&step=4", "Puedes compartir otro", "你可以提供其他证件"),
    ("hidden", "scenario=selector/app-not-authorized&step=3", "", ""),
    ("code", "scenario=cross-device/qr-code-on-a-laptop&step=2", "Usa tu teléfono", "使用你的手机"),
    ("code-in-person", "scenario=in-person/a-phone-in-chinese&step=1", "Muestra este código", "向读取器出示此二维码"),
    ("mac", "scenario=cross-device/nearby-iphone&step=5", "", ""),
    ("in-app", "scenario=in-app/accepted&step=4", "se guardará durante 30 días", "将存储 30 天",
     "will be stored for 30 days"),
    ("home", "scenario=consent/declined-in-wallet", "Ajustes", "设置"),
]
LANGUAGES = ["es", "zh-Hans", "en"]


@story(is_long=True)
def languages(demo):
    """The phone's screens are whole in every language and window, and say their texts in the language."""
    demo.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    found = {}
    demo.open_stage("scenario=headline")
    for width, height in LANGUAGE_SIZES:
        demo.resize(width, height)
        for place, language in enumerate(LANGUAGES):
            for name, query, *texts in LANGUAGE_STATES:
                demo.go_to(f"{query}&language={language}")
                demo.shoot(f"-{width}-{language}-{name}")
                wrong = demo.page.evaluate(WRONG)
                if wrong:
                    found[f"{width} x {height} {language} {name}"] = wrong
                if place < len(texts) and texts[place]:
                    demo.see("#scene", texts[place])
                spoken = demo.page.evaluate("document.querySelector('#scene :is(.phone, .desktop)').lang")
                assert spoken == ("" if language == "en" else language), (name, spoken)
    assert not found, json.dumps(found, indent=1, ensure_ascii=False)


@story(needs=["axe"])
def language_switch(demo):
    """The switch plays the same moment in another language, is used by keys, and stays for the next scenario."""
    demo.open_stage("scenario=headline&seed=7&step=4")
    demo.see("#scene", "asks to see your ID")
    demo.find("#view summary").focus()
    demo.press("Enter")
    switch = demo.page.get_by_label("The phone’s language")
    expect(switch).to_be_visible()
    switch.focus()
    with demo.another_run():
        switch.select_option("es")
    demo.press("Escape")
    assert "language=es" in demo.page.url and "step=4" in demo.page.url, demo.page.url
    demo.see("#scene", "Spaceship Rentals pide ver tu documento de identidad", "Datos que se guardarán",
             "Autorizar con Face ID")
    expect(demo.find("#scene .phone")).to_have_attribute("lang", "es")
    expect(demo.find("#scene .phone-page-box")).to_have_attribute("lang", "en")
    demo.page.evaluate(axe_core())
    assert not demo.run(AXE % "rules: {}")
    # The person takes over: the world of the acts speaks it, too, and so does the phone on a page of its own.
    demo.tap("Autorizar con Face ID")
    demo.see("#scene", "Kelly")
    address = f"{demo.url}phone?world={demo.world()}"
    with demo.in_page(demo.context.new_page()) as phone:
        phone.goto(address)
        demo.see("#phone .phone-home", "lunes, 15 de septiembre", "Ningún sitio web pide nada.")
        expect(demo.find("#phone .phone")).to_have_attribute("aria-label", "Teléfono")
        phone.close()
    demo.go_to("scenario=headline&seed=7&step=4")
    demo.see("#scene", "asks to see your ID")


# The columns whose actor has no picture.
BARE_HEADS = """
() => [...document.querySelectorAll(".lane-heads .lane-head")]
  .filter((head) => !document.querySelector(head.querySelector("use").getAttribute("href")))
  .map((head) => head.textContent)
"""
HEADS = """
() => [...document.querySelectorAll(".lane-heads li")].filter((head) => {
  const name = head.querySelector(".lane-name");
  const { width, height } = name.getBoundingClientRect();
  const isCut = name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1;
  return isCut || width > head.clientWidth + 1 || height > 160;
}).map((head) => head.textContent)
"""


@story
def heads(demo):
    """The names above the columns fit in them, whole, and each has a picture."""
    columns = "document.querySelectorAll('.lane-heads li').length"
    for width, height in [(1024, 768), (1280, 720), (1440, 900), (390, 844)]:
        demo.resize(width, height)
        for scenario in ["headline", "in-app/accepted", "cross-device/nearby-iphone"]:
            (demo.open_stage if scenario == "headline" else demo.go_to)(f"scenario={scenario}&step=99")
            cut = demo.page.evaluate(HEADS)
            assert not cut, (width, scenario, cut)
            before = demo.page.evaluate(columns)
            demo.page.evaluate("document.querySelector('.setup').open = true")
            demo.wait("the columns of the set-up", f"(before) => {columns} > before", before)
            cut = demo.page.evaluate(HEADS)
            assert not cut, (width, scenario, cut)
            demo.shoot(f"-{width}-{scenario.replace('/', '-')}")
    for scenario in ["in-person/a-phone-in-chinese", "in-person/nfc"]:
        demo.go_to(f"scenario={scenario}&step=99")
        bare = demo.page.evaluate(BARE_HEADS)
        assert not bare, (scenario, bare)


GROUND = """
() => {
  const probe = document.createElement("i");
  probe.style.color = "var(--ground)";
  document.body.append(probe);
  const color = getComputedStyle(probe).color;
  probe.remove();
  return color;
}
"""


# As a part of a page it would run scripts, and load a picture in two ways.
HOSTILE = """
<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8" onload="top.wasRun = 1"><script>top.wasRun = 2</script>
<image href="/loaded-1.png"/><style>@import "/loaded-2.css";</style><foreignObject width="8" height="8">
<img xmlns="http://www.w3.org/1999/xhtml" src="/loaded-3.png" onerror="top.wasRun = 3"/></foreignObject></svg>
"""
SHOW_HOSTILE = """
async (drawing) => {
  const { picture } = await import("/dom.js");
  const image = picture(`data:image/svg+xml;base64,${btoa(drawing)}`, "website.svg", "app-icon");
  document.body.append(image);
  await image.decode();
  return [image.naturalWidth, window.wasRun ?? null];
}
"""


@story
def brand_picture(demo):
    """Sheet and page show the picture of the certificate. A hostile one runs and loads nothing."""
    demo.open_stage("scenario=reader/brand-picture&step=4")
    demo.see("#scene .requester", "Spaceship Rentals")
    for place in [".requester .brand-icon", ".page-mark"]:
        image = demo.find(f"#scene {place}").first
        assert image.get_attribute("src").startswith("data:image/svg+xml;base64,"), place
        assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0, place
    demo.shoot()
    requests = []
    demo.page.on("request", lambda request: requests.append(request.url))
    assert demo.page.evaluate(SHOW_HOSTILE, HOSTILE) == [8, None]
    assert demo.page.evaluate("window.wasRun ?? null") is None
    assert not [url for url in requests if "loaded" in url], requests


@story
def themes(demo):
    """The choice of colors comes before the system's, on every page and after a reload."""
    def color_of(page):
        demo.page.goto(f"{demo.url}{page}")
        return demo.page.evaluate(GROUND)

    pages = ["?scenario=headline", "notes?stage=x", "reference", "phone?world=default"]
    demo.api("/api/worlds/default", {})
    demo.page.emulate_media(color_scheme="light")
    light = color_of(pages[0])
    for choice in ["dark", "light", "system"]:
        for scheme in ["light", "dark"]:
            demo.page.emulate_media(color_scheme=scheme)
            demo.open_stage("scenario=headline")
            demo.find("#view summary").click()
            demo.find(f"[name=theme][value={choice}]").click()
            expected = scheme if choice == "system" else choice
            for page in pages:
                assert (color_of(page) == light) == (expected == "light"), (choice, scheme, page)
            demo.shoot(f"-{choice}-{scheme}")


@story
def printing(demo):
    """Paper has the moment, the devices and the messages so far, and nothing to press."""
    demo.open_stage("scenario=headline&seed=7&step=7")
    messages = demo.find("#wire .row.message").filter(visible=True).count()
    demo.page.emulate_media(media="print")
    demo.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    demo.see("body", "Rent a spaceship", "Step 7 of 7", "Verified: it is Kelly", "Case passed", "Welcome aboard",
             "navigator.credentials.get", "Sealed for Server of Spaceship Rentals")
    rows = demo.find(".printed tbody tr:not(.decided):has(td)").count()
    assert rows == messages > 20, (rows, messages)
    shown = [one for one in ["#bar", ".top", "#wire", "#break"] if demo.find(one).is_visible()]
    assert not shown, shown
    demo.shoot("-paper")
    demo.page.evaluate("dispatchEvent(new Event('afterprint'))")
    demo.page.emulate_media(media="null")
    file = demo.page.pdf(prefer_css_page_size=True)
    pages = len(re.findall(rb"/Type\s*/Page\b", file))
    assert file.startswith(b"%PDF") and pages >= 2, pages
    expect(demo.find(".printed")).to_have_count(0)
    expect(demo.find("#bar")).to_be_visible()


# Neighbours are of different runs.
RUNS = [
    "scenario=headline", "scenario=cross-device/qr-code-on-a-laptop&step=2", "scenario=headline&step=2",
    "scenario=session/two-devices&step=3", "scenario=headline&step=4",
    "scenario=provider/first-registration-asks&step=1", "scenario=headline&step=7", "scenario=in-app/accepted&step=2",
    "scenario=headline&fault=wallet.value-changed&step=99",
    "scenario=consent/declined-in-local-driving-authority&step=3", f"{FRAMED}&step=1", "world=spaceport",
    f"{FRAMED}&step=2", "world=any-site", f"{FRAMED}&step=8", f"{FRAMED_ON_A_LAPTOP}&step=2",
]
# Axe-core looks at the contrast of each text with everything around it, which takes longer than all its other rules.
CONTRAST = "color-contrast"
AXE = """
const { violations } = await axe.run(document, { resultTypes: ["violations"], %s });
return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((one) => one.html).join(" ")}`);
"""


# Removes all but the first two entries of each section.
FIRST_ENTRIES = """
() => document.querySelectorAll(".entries").forEach((entries) => {
  while (entries.children.length > 2) entries.lastElementChild.remove();
})
"""


def axe_core():
    """The script of axe-core, for a page's `evaluate`."""
    import axe_playwright_python

    script = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
    return f"{script.read_text(encoding='utf-8')}\n;null"


@story(needs=["axe"], is_long=True)
def accessible(demo):
    """axe-core finds no violation in any state of the stage, light and dark."""
    script = axe_core()

    def judge(state, rules):
        found = demo.run(AXE % rules)
        assert not found, (state, rules, found)

    def check(state):
        if not demo.page.evaluate("'axe' in window"):
            demo.page.evaluate(script)
        # The dark changes colors only.
        demo.page.emulate_media(color_scheme="dark")
        judge(state, f"runOnly: ['{CONTRAST}']")
        demo.page.emulate_media(color_scheme="light")
        judge(state, "rules: {}")

    demo.page.emulate_media(color_scheme="light", reduced_motion="reduce")
    check_runs(demo, check)
    check_parts(demo, check)
    for step in [0, 2, 7]:
        demo.open_stage(f"scenario=headline&step={step}&present")
        expect(demo.find(".presenter-tools")).to_be_visible()
        demo.press("n")
        expect(demo.find("#notes")).to_be_visible()
        check(f"presenting {step}")
    demo.page.goto(f"{demo.url}notes?stage=x")
    check("notes")
    for query in ["", "?scenario=selector/unsigned-request"]:
        demo.page.goto(f"{demo.url}tour{query}")
        expect(demo.find("#tour figure").last).to_be_visible()
        check(f"tour {query}")
    demo.page.goto(f"{demo.url}reference")
    demo.page.evaluate(script)
    judge("reference", f"rules: {{ '{CONTRAST}': {{ enabled: false }} }}")
    # The entries of a section differ in their words, not in their colors.
    demo.page.evaluate(FIRST_ENTRIES)
    check("the first entries of the reference")
    demo.open_stage("scenario=headline&step=7")
    demo.find("#open-menu").click()
    expect(demo.visible("#menu .menu-group")).to_be_visible()
    check("menu")


def check_runs(demo, check):
    """Moments of runs on the stage and side by side."""
    others = [f"scenario=headline&step={step}&language={language}" for step in [2, 4] for language in ["es", "zh-Hans"]]
    for query in RUNS + others:
        (demo.open_stage if query == RUNS[0] else demo.go_to)(query)
        check(query)
    for query in ["scenario=headline&with-fault=wallet.value-changed", "scenario=headline&with-seed=8",
                  "scenario=cross-device/qr-code-on-a-laptop&with-scenario=headline&step=3"]:
        demo.open(f"beside?{query}")
        check(f"beside {query}")
    demo.open("beside?scenario=headline&with-fault=network.response-altered")
    demo.find(".difference.first .message-line").first.click()
    expect(demo.find("#message .field-line.marked")).to_have_count(2)
    check("beside message")


def check_parts(demo, check):
    """The parts of the stage that open."""
    demo.api("/api/worlds/any-site/pages", {"faults": ["issuer.expired"]}, origin="http://localhost:3000")
    demo.open_stage("world=any-site")
    demo.see("#external-pages", "localhost:3000")
    check("an external page")
    for scheme in ["dark", "light"]:
        demo.page.emulate_media(color_scheme=scheme)
        demo.shoot(f"-external-page-{scheme}")
    demo.open_stage("scenario=headline&step=7")
    demo.find(".row-button").last.click()
    expect(demo.find("#message .field-line")).not_to_have_count(0)
    check("message")
    demo.press("Escape")
    demo.find(".row-button", "DigitalCredential").first.click()
    demo.find("#message .seen-party").last.click()
    expect(demo.find("#message .disclosure")).not_to_have_count(0)
    check("opened answer")
    demo.press("Escape")
    for name, menu in [("faults", "#break"), ("share", "#share"), ("view", "#view")]:
        demo.find(f"{menu} summary").click()
        check(name)
        demo.find(f"{menu} summary").click()
    demo.find(".lane-heads .explained").first.click()
    expect(demo.find(".help")).to_be_visible()
    check("explanation")
    demo.press("Escape")
