"""What the packages leave to their user: the answer's envelope and its encryption."""

import mdoc
from checks import require
from exchange import decode
from sessions import PROTOCOL


def opened(answer):
    """The bytes of the device response; raises if it was not sealed for this session."""
    require(answer.protocol == PROTOCOL, "the answer is in another protocol")
    require("=" not in answer.data["response"], "the answer has padding")
    session = answer.session
    return mdoc.open_response(
        decode(answer.data["response"]), session.key, mdoc.transcript(session.encryption_info, session.origin))
