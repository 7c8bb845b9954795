"""The anchors of headings."""

import re


class Anchors:
    """Makes each anchor of a page unique, as GitHub does: a later one of the same name has a number."""

    def __init__(self):
        self.counts = {}

    def heading(self, text):
        """Returns the anchor of the next heading, which has this text."""
        return self.unique(re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"))

    def unique(self, name):
        count = self.counts.get(name, 0)
        self.counts[name] = count + 1
        return f"{name}-{count}" if count else name
