"""The two servers that look at nothing."""

from checks import Refusal


class AcceptAll:
    """Verifies every answer and opens none."""

    def __init__(self, roots):
        pass

    def verify(self, answer):
        return []


class RefuseAll(AcceptAll):
    """Refuses every answer."""

    def verify(self, answer):
        raise Refusal("refuses everything")
