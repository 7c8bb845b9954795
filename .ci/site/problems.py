"""The problems of the pages."""


class Problems:
    """Collects every problem with its page and line, so that one run names them all."""

    def __init__(self):
        self.lines = []

    def add(self, path, line, text):
        self.lines.append(f"{path}:{line}: {text}")
