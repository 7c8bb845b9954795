"""Answers that a server must refuse, by the check that refuses them."""

import json

import answers

WITH_AAMVA = {answers.mdoc.DRIVING_LICENCE: {
    answers.mdoc.NAME_SPACE: ["family_name", "given_name"], answers.AAMVA: ["DHS_compliance"]}}
DATES_AND_AGES = {answers.mdoc.DRIVING_LICENCE: {
    answers.mdoc.NAME_SPACE: ["birth_date", "issue_date", "age_over_18", "age_over_21"]}}
TWO_DOCUMENTS = {
    answers.mdoc.DRIVING_LICENCE: {answers.mdoc.NAME_SPACE: ["family_name", "given_name"]},
    answers.PHOTO_ID: {answers.PHOTO_ID_NAME_SPACE: ["family_name"]}}

# Each check with what only it refuses: faults of presentment, and forgeries of the wallet in Python.
REFUSED_BY = {
    "trailing-bytes": [
        "wallet.byte-after-the-end", "wallet.envelope-byte-after-the-end", "issuer.byte-after-security-object"],
    "duplicate-keys": [
        "wallet.map-key-twice", "issuer.header-twice", "issuer.security-object-key-twice", "issuer.digest-id-twice",
        "wallet.device-header-twice"],
    "encoding": [
        "wallet.head-longer-than-needed", "wallet.indefinite-length", "wallet.indefinite-length-within",
        "issuer.security-object-encoding", "issuer.element-encoding", "issuer.header-encoding",
        "wallet.device-header-encoding"],
    "utf-8": [answers.text_not_utf8],
    "limits": ["wallet.too-deep"],
    "protocol": ["browser.protocol-replaced"],
    "base64url": ["browser.response-padded"],
    "envelope-marker": ["wallet.envelope-marker"],
    "encapsulated-key": ["wallet.hpke.encapsulated-key.without-prefix"],
    "version": ["wallet.response-version"],
    "status": ["wallet.response-status"],
    "documents": ["wallet.no-documents"],
    "empty": ["wallet.name-spaces-empty", "wallet.name-space-empty"],
    "other-kinds": ["wallet.other-kind-malformed"],
    "document-errors": ["wallet.document-error-for-two"],
    "errors": ["wallet.error-for-returned", "wallet.errors-malformed"],
    "document-requested": ["issuer.type-not-requested"],
    "document-once": ["wallet.document-twice"],
    "second-document": [answers.second_document],
    "header-once": ["issuer.header-in-both-buckets"],
    "critical-headers": ["issuer.critical-unprotected"],
    "signer-key": [answers.signer_of_small_order],
    "issuer-algorithm": [
        "issuer.algorithm-unprotected", "issuer.algorithm-unknown", "issuer.algorithm-of-another-curve"],
    "thumbprint": ["issuer.thumbprint-of-another"],
    "issuer-signature": ["issuer.signature-altered", "issuer.signature-length", "issuer.signature-range"],
    "root-trust": [answers.unknown_root],
    "chain": [answers.lookalike_root, "issuer.signer-of-another-root"],
    "authorities": [answers.signer_certifies_another],
    "path-length": [answers.authority_too_deep],
    "authority-place": ["issuer.signer-of-another-state"],
    "issuer-dates": ["issuer.signer-expired"],
    "root-dates": [answers.expired_root],
    "critical-extensions": [answers.unknown_critical_extension],
    "end-entity": ["issuer.signer-is-authority"],
    "key-usage": [answers.signer_for_key_agreement],
    "purpose": [
        "issuer.signer-is-reader", "issuer.signer-without-purpose", "issuer.signer-for-person-data"],
    "security-object-tag": ["issuer.security-object-outside-its-tag", "issuer.security-object-tag-nested"],
    "security-object-version": ["issuer.security-object-version"],
    "doc-type": ["issuer.other-document-type"],
    "date-form": ["issuer.date-offset", "issuer.impossible-date"],
    "date-order": ["issuer.dates-out-of-order", "issuer.valid-minutes-before-signature"],
    "signing-date": ["issuer.signed-before-signer", "issuer.signed-minutes-before-signer"],
    "validity-not-yet": ["issuer.not-yet-valid"],
    "validity": ["issuer.expired"],
    "digest-algorithm": ["issuer.digest-algorithm"],
    "value-digests": [answers.empty_digests],
    "digest-length": ["issuer.digest-length"],
    "digest-id": ["issuer.digest-id-too-large", "issuer.digest-id-of-32-bits"],
    "key-info": ["issuer.key-info-malformed"],
    "coverage": ["issuer.name-space-not-covered", "issuer.element-not-covered"],
    "digests": ["wallet.value-changed", answers.second_value, answers.last_value],
    "second-digest": [answers.second_value, answers.last_value],
    "second-name-space": [answers.second_name_space],
    "element-tag": ["wallet.element-outside-its-tag", "wallet.element-tag-nested"],
    "salt-length": ["issuer.salt-too-short"],
    "salt-once": ["issuer.salts-equal"],
    "element-once": [answers.element_with_two_values],
    "element-dates": ["issuer.element-date-impossible", "issuer.element-date-offset"],
    "ages": [answers.contradicting_ages],
    "surplus": ["wallet.element-not-requested", "wallet.age-not-requested"],
    "key-authorizations": ["issuer.key-authorizations-twice", "issuer.key-authorizations-empty"],
    "device-elements": ["wallet.device-element"],
    "device-authentication": ["wallet.device-not-signed"],
    "device-authentication-once": ["wallet.device-auth-twice"],
    "device-mac": ["wallet.device-mac"],
    "device-critical-headers": [answers.device_critical_header],
    "device-key": [answers.device_key_of_small_order],
    "device-algorithm": ["wallet.device-algorithm"],
    "device-payload": ["wallet.another-payload-attached"],
    "device-signature": [
        "wallet.another-device-key", "wallet.signs-for-another-origin", "wallet.signs-for-another-nonce",
        "wallet.device-signature-length"],
    "device-authentication-form": [
        "wallet.device-authentication.not-embedded", "wallet.device-authentication.context",
        "wallet.device-authentication.name-spaces-not-embedded", "wallet.device-authentication.document-type"],
    "transcript-origin": [
        "wallet.transcript.origin.trailing-slash", "wallet.transcript.origin.port-missing",
        "wallet.transcript.origin.scheme", "wallet.transcript.origin.null"],
    "transcript-form": [
        "wallet.transcript.tagged", "wallet.transcript.encryption-info.padded", "wallet.transcript.handover.swapped",
        "wallet.transcript.hashed", "wallet.transcript.absent"],
}
# Refused by more than one check, or by what no server can do without.
REFUSED = [
    "issuer.not-signed", "issuer.signature-malformed", "issuer.signer-not-yet-valid", "issuer.signer-key-kind",
    "issuer.device-key-small-order", "issuer.device-key-curve", "issuer.security-object-malformed",
    "issuer.value-digests-empty", "issuer.header-label", "wallet.text-not-utf8", "wallet.byte-after-an-element",
    "wallet.element-twice", "wallet.not-well-formed", "wallet.length-beyond-the-end",
    "wallet.member-missing", "wallet.empty-documents", "wallet.element-tag-around-text", "wallet.too-many-elements",
    "wallet.device-signature-malformed", "wallet.another-nonce", "wallet.another-recipient-key",
    "wallet.envelope-member-missing", "wallet.hpke.suite.aes-256-gcm", "wallet.transcript.openid4vp.dc-api",
    "network.response-altered", "browser.origin-replaced",
]
# Departures that a server may accept.
MAY = set(REFUSED_BY["encoding"])
# What a server must be started with to have the case at all.
OPTIONS = {
    "second-name-space": ["--asks", json.dumps(WITH_AAMVA)],
    "second-document": ["--asks", json.dumps(TWO_DOCUMENTS)],
    "element-dates": ["--asks", json.dumps(DATES_AND_AGES)],
    "ages": ["--asks", json.dumps(DATES_AND_AGES)],
    "session-expires": ["--lifetime", "0"],
}
# The phone has one document with one name space, and refuses a nonce that is too short.
NOT_FOR_THE_PHONE = ("second-name-space", "second-document", "nonce-length")
