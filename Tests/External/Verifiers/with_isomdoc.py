"""Verification by isomdoc, as its example shows.

The package verifies signatures, digests and the device, and leaves the issuer's certificates and the dates to others;
this server adds nothing to it.
"""

from isomdoc import verify_device_response

import mdoc
from opening import opened


class WithIsomdoc:
    def __init__(self, roots):
        pass

    def verify(self, answer):
        session = answer.session
        response = verify_device_response(opened(answer), mdoc.transcript(session.encryption_info, session.origin))
        return [
            {"docType": document.doctype, "elements": {
                name: {item.element_identifier: item.element_value for item in items}
                for name, items in document.issuer_signed.namespaces.items()}}
            for document in response.documents]
