"""A headless Chromium with its driver, for tests with Selenium."""

import os

from selenium import webdriver


def start(size, arguments=()):
    """Starts a browser whose window has this size, and which keeps the messages of its console."""
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ["--headless=new", "--disable-dev-shm-usage", f"--window-size={size[0]},{size[1]}", *arguments]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    return webdriver.Chrome(options=options, service=service)
