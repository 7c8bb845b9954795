"""Makes the animation of the site's front page from the stage. usage: animation.py PRESENTMENT FOLDER

It plays the headline scenario before an audience, and then with a fault. The folder gets each picture, the animation of
them in WebP, one for narrow windows with the phone alone, and the words of each step.
"""

import base64
import contextlib
import json
import os
import pathlib
import struct
import sys
import tempfile

from playwright.sync_api import expect

# It adds the folder of the modules below to the path.
import story
from demo import Demo, Server
from window import playwright_context

SIZE = {"width": 1120, "height": 700}
# Sharp where a device has more pixels than CSS has.
SCALE = 1.5
HEADLINE = "scenario=headline&seed=7&present"
# The moments, how long each is shown in milliseconds, and what says what happens in it. Together ten seconds.
MOMENTS = [
    (f"{HEADLINE}&step=1", 1700, ".now-words"),
    (f"{HEADLINE}&step=2", 2000, ".now-words"),
    (f"{HEADLINE}&step=4", 2000, ".now-words"),
    (f"{HEADLINE}&step=6", 2100, ".now-words, .verdict-title"),
    (f"{HEADLINE}&step=99&fault=wallet.value-changed", 2200, "#broken, .verdict-title"),
]
# The phone and a little around it.
DEVICE = "#scene .device"
# Chromium encodes the pictures.
ENCODE = """
async (picture) => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext("2d").drawImage(bitmap, 0, 0);
  const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.9 })).arrayBuffer());
  return [btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join("")), bitmap.width, bitmap.height];
}
"""
# A page of the site should load soon.
LIMIT = 1_000_000


def chunks(data):
    """The parts of a file in WebP: name and content."""
    place = 12
    while place < len(data):
        name, size = data[place:place + 4], struct.unpack_from("<I", data, place + 4)[0]
        yield name, data[place + 8:place + 8 + size]
        place += 8 + size + size % 2


def chunk(name, content):
    return name + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)


def number(value):
    """A number of three bytes."""
    return struct.pack("<I", value)[:3]


def animate(frames):
    """Joins pictures in WebP, each with its milliseconds, to an animation that repeats."""
    (_, width, height), _ = frames[0]
    size = number(width - 1) + number(height - 1)
    # The flag says that it is animated; the color behind it is white, and 0 repetitions are without an end.
    parts = [chunk(b"VP8X", b"\x02\0\0\0" + size), chunk(b"ANIM", b"\xff\xff\xff\xff\0\0")]
    for (data, *_), milliseconds in frames:
        picture = b"".join(chunk(name, content) for name, content in chunks(data) if name in (b"VP8 ", b"VP8L"))
        parts.append(chunk(b"ANMF", number(0) + number(0) + size + number(milliseconds) + b"\0" + picture))
    body = b"WEBP" + b"".join(parts)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def take(demo, page, clip=None):
    """A picture in WebP of what the window shows, with its width and height."""
    picture = base64.b64encode(demo.page.screenshot(clip=clip)).decode()
    data, width, height = page.evaluate(ENCODE, picture)
    return base64.b64decode(data), width, height


def sentences(texts):
    """The first sentence of each text. After it come codes."""
    return " ".join(f"{' '.join(text.split()).partition('.')[0]}." for text in texts)


def make(setting, folder):
    """Writes the files, and returns the sizes of the animations by name."""
    wide, narrow, steps = [], [], []
    with Server(setting) as server, playwright_context(
            setting, SIZE, device_scale_factor=SCALE, color_scheme="light", reduced_motion="reduce") as context:
        with Demo(setting, "animation", context, server) as demo:
            encoder = setting.browser.new_page()
            for place, (query, milliseconds, words) in enumerate(MOMENTS, 1):
                demo.open_stage(query)
                # Its style and its script come after the run.
                expect(demo.find(".presenter-tools")).to_be_visible()
                told = [one.inner_text().strip() for one in demo.find(words).filter(visible=True).all()]
                assert told, f"{query}: nothing says what happens"
                wide.append((take(demo, encoder), milliseconds))
                device = demo.find(DEVICE).first.bounding_box()
                narrow.append((take(demo, encoder, device), milliseconds))
                name = f"step-{place}.webp"
                (folder / name).write_bytes(wide[-1][0][0])
                steps.append({"picture": name, "words": sentences(told)})
    sizes = {}
    for name, frames in [("animation.webp", wide), ("animation-narrow.webp", narrow)]:
        data = animate(frames)
        assert len(data) <= LIMIT, f"{name} has {len(data)} bytes, more than {LIMIT}"
        (folder / name).write_bytes(data)
        sizes[name] = len(data)
    size = [SIZE["width"], SIZE["height"]]
    text = json.dumps({"size": size, "steps": steps}, ensure_ascii=False, indent=1)
    (folder / "steps.json").write_text(text, encoding="utf-8")
    return sizes


@contextlib.contextmanager
def one_browser(presentment):
    """The setting of a Chromium, which ends afterwards."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        tempfile.tempdir = temporary
        arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        browser = playwright.chromium.launch(executable_path=story.chromium(), args=arguments)
        yield story.Setting(str(pathlib.Path(presentment).resolve()), pathlib.Path(temporary), playwright, browser)
        browser.close()


def main():
    presentment, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with one_browser(presentment) as setting:
        for name, size in make(setting, folder).items():
            print(f"{folder / name}: {size // 1000} KB")


if __name__ == "__main__":
    main()
