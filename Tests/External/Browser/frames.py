"""Measures how the trace page scrolls in a headless Chromium. usage: frames.py PRESENTMENT [PAGE]

Without a PAGE it makes one of a trace with 10,000 messages. It prints the frames a second, and the work of a frame: the
processor time of the page's main thread from one frame to the next, for script, style, layout and paint. Other load on
the machine takes frames away, and changes the work little. At 60 frames a second a frame has 16.7 ms.
"""

import bisect
import json
import os
import pathlib
import statistics
import sys
import tempfile

import long_trace

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from patience import PATIENCE  # noqa: E402

SIZE = {"width": 1280, "height": 720}
SECONDS = 3
# Chromium's events of tasks and of the marks below. "toplevel" has the processor time of each task.
CATEGORIES = ["toplevel", "blink.user_timing"]
MARK = "frame of the measure"

# A mark in each frame.
FRAMES = """
({ selector, seconds, mark, step, isJumping }) => new Promise((done) => {
  const scroller = document.querySelector(selector);
  const range = scroller.scrollHeight - scroller.clientHeight;
  const times = [];
  let place = 1;
  scroller.scrollTop = 0;
  const frame = (now) => {
    times.push(now);
    performance.mark(mark);
    if (now - times[0] >= seconds * 1000) return done(times);
    // Places in no order, the same in each run.
    place = place * 16807 % 2147483647;
    if (isJumping) scroller.scrollTop = place % range;
    else scroller.scrollTop = scroller.scrollTop + step > range ? 0 : scroller.scrollTop + step;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(() => requestAnimationFrame(frame));
})
"""

START = """
({ selector, mark }) => {
  document.querySelector(selector).scrollTop = 0;
  window.frameTimes = [];
  const frame = (now) => {
    window.frameTimes.push(now);
    performance.mark(mark);
    window.nextFrame = requestAnimationFrame(frame);
  };
  window.nextFrame = requestAnimationFrame(frame);
}
"""
STOP = "() => { cancelAnimationFrame(window.nextFrame); return window.frameTimes; }"


def by_steps(page, selector):
    """240 pixels a frame, 14,400 a second."""
    return page.evaluate(
        FRAMES, {"selector": selector, "seconds": SECONDS, "mark": MARK, "step": 240, "isJumping": False})


def by_jumps(page, selector):
    """Another place in each frame, as when the scroll bar is dragged."""
    return page.evaluate(FRAMES, {"selector": selector, "seconds": SECONDS, "mark": MARK, "step": 0, "isJumping": True})


def by_wheel(page, selector):
    """The wheel, 8,000 pixels a second: input events, the compositor and the page together."""
    page.evaluate(START, {"selector": selector, "mark": MARK})
    box = page.locator(selector).bounding_box()
    page.context.new_cdp_session(page).send("Input.synthesizeScrollGesture", {
        "x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "yDistance": -8000 * SECONDS,
        "speed": 8000, "gestureSourceType": "mouse", "preventFling": True})
    return page.evaluate(STOP)


def works(events):
    """The milliseconds of processor time of the page's main thread in each frame."""
    marks = [event for event in events if event.get("name") == MARK]
    thread = (marks[0]["pid"], marks[0]["tid"])
    starts = sorted(mark["ts"] for mark in marks)
    work = [0.0] * len(starts)
    for event in events:
        is_task = event.get("name") == "ThreadControllerImpl::RunTask" and event["ph"] == "X"
        if not is_task or (event["pid"], event["tid"]) != thread or "tdur" not in event:
            continue
        # The task of a frame has the mark in it; other tasks belong to the frame before them.
        frame = bisect.bisect_right(starts, event["ts"] + event["dur"]) - 1
        if frame >= 0:
            work[frame] += event["tdur"] / 1000
    # The first and the last frame are not whole.
    return work[1:-1]


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def measure(path):
    """Returns the lines of the report of a page."""
    from playwright.sync_api import sync_playwright

    lines = ["scrolled           frames a second   work of a frame: median   95 in 100 below"]
    with sync_playwright() as playwright:
        arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=arguments)
        page = browser.new_page(viewport=SIZE)
        page.set_default_timeout(PATIENCE * 1000)
        page.goto(pathlib.Path(path).resolve().as_uri())
        page.locator(".row.open").wait_for()
        ways = [("lines by steps", by_steps, "#timeline"), ("lines by wheel", by_wheel, "#timeline"),
                ("lines by jumps", by_jumps, "#timeline"), ("bytes by steps", by_steps, ".hex")]
        for name, scroll, selector in ways:
            browser.start_tracing(page=page, categories=CATEGORIES)
            times = scroll(page, selector)
            work = works(json.loads(browser.stop_tracing())["traceEvents"])
            rate = (len(times) - 1) / (times[-1] - times[0]) * 1000
            lines.append(f"{name:<18} {rate:15.1f} {statistics.median(work):22.1f} ms {percentile(work, .95):14.1f} ms")
        rows = page.locator("#timeline .row").count()
        elements = page.evaluate("document.getElementsByTagName('*').length")
        load = os.getloadavg()[0]
        lines.append(f"{rows} rows and {elements} elements in the document; load of the machine {load:.1f}")
        browser.close()
    return lines


def main():
    if len(sys.argv) > 2:
        print("\n".join(measure(sys.argv[2])))
        return
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(measure(long_trace.make_page(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(folder)))))


if __name__ == "__main__":
    main()
