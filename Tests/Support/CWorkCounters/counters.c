#include "CWorkCounters.h"

#include <errno.h>
#include <stddef.h>

// Worlds run on one thread, so the counters need not be atomic.
#define COUNTER(name) __attribute__((visibility("hidden"))) uint64_t work_##name

// Puts a function that counts in front of another one, to which it goes on with the same registers and stack, whatever its
// parameters and calling convention. The linker is told --wrap for each symbol, in Package.swift. A symbol that a build lacks
// is not called.
#if defined(__x86_64__)
#define COUNT_CALLS(name, symbol) \
  __asm__(".text\n.weak \"__real_" symbol "\"\n.globl \"__wrap_" symbol "\"\n\"__wrap_" symbol "\":\n" \
          "  incq work_" #name "(%rip)\n" \
          "  jmp \"__real_" symbol "\"@PLT\n");
#elif defined(__aarch64__)
// A call may change x16 and x17 before its function begins (procedure call standard, 6.1.1).
#define COUNT_CALLS(name, symbol) \
  __asm__(".text\n.weak \"__real_" symbol "\"\n.globl \"__wrap_" symbol "\"\n\"__wrap_" symbol "\":\n" \
          "  adrp x16, work_" #name "\n" \
          "  ldr x17, [x16, :lo12:work_" #name "]\n  add x17, x17, #1\n  str x17, [x16, :lo12:work_" #name "]\n" \
          "  b \"__real_" symbol "\"\n");
#else
#error "the calls of this architecture are not known"
#endif

COUNTER(signatures_verified);
COUNT_CALLS(signatures_verified, "CCryptoBoringSSLShims_ECDSA_do_verify")

COUNTER(signatures_made);
COUNT_CALLS(signatures_made, "CCryptoBoringSSLShims_ECDSA_do_sign")

COUNTER(keys_derived);
COUNT_CALLS(keys_derived, "CCryptoBoringSSL_EC_KEY_set_private_key")

COUNTER(key_agreements);
COUNT_CALLS(key_agreements, "CCryptoBoringSSL_ECDH_compute_key")

COUNTER(points_imported);
COUNT_CALLS(points_imported, "CCryptoBoringSSL_EC_KEY_set_public_key_affine_coordinates")
COUNT_CALLS(points_imported, "CCryptoBoringSSL_EC_POINT_oct2point")
COUNT_CALLS(points_imported, "CCryptoBoringSSL_EC_POINT_set_compressed_coordinates_GFp")

COUNTER(field_inversions);
COUNT_CALLS(field_inversions, "CCryptoBoringSSL_EC_POINT_get_affine_coordinates_GFp")

COUNTER(digests);
COUNT_CALLS(digests, "CCryptoBoringSSL_SHA256_Final")

// ASN1.ParseResult.parse(_:encoding:) of SwiftASN1.
COUNTER(asn1_parses);
COUNT_CALLS(asn1_parses, "$s9SwiftASN10B0O11ParseResultV5parse_8encodingAEs10ArraySliceVys5UInt8VG_AC13EncodingRulesOtKFZ")

// Certificate.Signature.init(signatureAlgorithm:signatureBytes:) of X509, which reads the signature of each certificate.
COUNTER(certificates_parsed);
COUNT_CALLS(certificates_parsed, "$s4X50911CertificateV9SignatureV18signatureAlgorithm0D5BytesAeC0cE0V_9SwiftASN10H9BitStringVtKcfC")

COUNTER(databases_opened);
COUNT_CALLS(databases_opened, "sqlite3_open_v2")

COUNTER(statements_compiled);
COUNT_CALLS(statements_compiled, "sqlite3_prepare_v2")
COUNT_CALLS(statements_compiled, "sqlite3_prepare_v3")

COUNTER(statement_steps);
COUNT_CALLS(statement_steps, "sqlite3_step")

// JSONEncoder.init() and JSONDecoder.init().
COUNTER(foundation_json);
COUNT_CALLS(foundation_json, "$s20FoundationEssentials11JSONEncoderCACycfC")
COUNT_CALLS(foundation_json, "$s20FoundationEssentials11JSONDecoderCACycfC")

COUNTER(allocations);

// The C library's allocator under its own names, which the library allows ("Replacing malloc" in its manual).
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *counted(void *block) {
  work_allocations++;
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return counted(__libc_calloc(count, size)); }

void *realloc(void *block, size_t size) { return counted(__libc_realloc(block, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return counted(__libc_memalign(alignment, size)); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = counted(__libc_memalign(alignment, size));
  return *block || !size ? 0 : ENOMEM;
}

struct work_count work_count(int32_t position) {
  const struct work_count counts[] = {
      {"signatures verified", work_signatures_verified},
      {"signatures made", work_signatures_made},
      {"keys derived", work_keys_derived},
      {"key agreements", work_key_agreements},
      {"points imported", work_points_imported},
      {"field inversions", work_field_inversions},
      {"digests", work_digests},
      {"ASN.1 parses", work_asn1_parses},
      {"certificates parsed", work_certificates_parsed},
      {"databases opened", work_databases_opened},
      {"statements compiled", work_statements_compiled},
      {"statement steps", work_statement_steps},
      {"Foundation JSON", work_foundation_json},
      {"allocations", work_allocations},
  };
  const int32_t count = sizeof counts / sizeof counts[0];
  return position >= 0 && position < count ? counts[position] : (struct work_count){NULL, 0};
}
