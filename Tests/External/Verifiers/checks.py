"""The checks of a careful server by name. Each can be taken out, which plants the mistake of a server without it."""

import functools

PHRASES = {}


class Refusal(Exception):
    """A check failed. Its name is the reason; a server that is careless with refusals shows the documents too."""

    def __init__(self, reason, documents=()):
        super().__init__(reason)
        self.reason, self.documents = reason, documents


def declare(name, phrase):
    """Names a check that is more than a condition."""
    if name in PHRASES:
        raise ValueError(f"two checks are named {name}")
    PHRASES[name] = phrase


def check(name, phrase):
    """The method is the condition of a check, which refuses unless it is true."""
    declare(name, phrase)

    def wrap(method):
        @functools.wraps(method)
        def checked(self, *arguments):
            if name not in self.without and not method(self, *arguments):
                raise Refusal(name)

        return checked

    return wrap


class Checking:
    """A part of a server, without some of its checks."""

    def __init__(self, without=frozenset()):
        self.without = frozenset(without)

    def makes(self, name):
        if name not in PHRASES:
            raise ValueError(f"no check is named {name}")
        return name not in self.without


def require(condition, sentence):
    """What no server can do without: the data must be readable."""
    if not condition:
        raise Refusal(f"malformed: {sentence}")
