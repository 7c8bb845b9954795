"""Verification by pymdoccbor, as its documentation shows for production: with roots and with digests.

The package has neither the device's signature nor what was asked; this server adds nothing to it.
"""

import logging

from pymdoccbor.mdoc.verifier import MdocCbor

from checks import Refusal
from opening import opened

logging.getLogger("pymdoccbor").setLevel(logging.CRITICAL)


class WithPymdoccbor:
    def __init__(self, roots):
        self.roots = roots

    def verify(self, answer):
        response = MdocCbor()
        response.loads(opened(answer))
        if not response.verify(trusted_root_certs=self.roots, verify_hashes=True):
            raise Refusal("pymdoccbor does not verify it")
        return [{"docType": one.doctype, "elements": response.disclosure_map} for one in response.documents]
