#include "CWorkCounters.h"

#include <errno.h>
#include <stddef.h>

// Worlds run on one thread, so the counters need not be atomic.
uint64_t work_counters[work_counter_count] __attribute__((visibility("hidden")));

uint64_t work_counter(int32_t counter) {
  return counter >= 0 && counter < work_counter_count ? work_counters[counter] : 0;
}

#if defined(__x86_64__)
#define COUNTED(counter, symbol) \
  __asm__(".text\n.weak \"__real_" symbol "\"\n.globl \"__wrap_" symbol "\"\n\"__wrap_" symbol "\":\n" \
          "  incq work_counters+8*" #counter "(%rip)\n" \
          "  jmp \"__real_" symbol "\"@PLT\n");
#elif defined(__aarch64__)
// x16 and x17 belong to nobody between a call and its function (procedure call standard, 6.1.1).
#define COUNTED(counter, symbol) \
  __asm__(".text\n.weak \"__real_" symbol "\"\n.globl \"__wrap_" symbol "\"\n\"__wrap_" symbol "\":\n" \
          "  adrp x16, work_counters\n  add x16, x16, :lo12:work_counters\n" \
          "  ldr x17, [x16, #8*" #counter "]\n  add x17, x17, #1\n  str x17, [x16, #8*" #counter "]\n" \
          "  b \"__real_" symbol "\"\n");
#else
#error "the calls of this architecture are not known"
#endif

COUNTED(0, "CCryptoBoringSSLShims_ECDSA_do_verify")
COUNTED(1, "CCryptoBoringSSLShims_ECDSA_do_sign")
COUNTED(2, "CCryptoBoringSSL_EC_KEY_set_private_key")
COUNTED(3, "CCryptoBoringSSL_ECDH_compute_key")
COUNTED(4, "CCryptoBoringSSL_EC_KEY_set_public_key_affine_coordinates")
COUNTED(4, "CCryptoBoringSSL_EC_POINT_oct2point")
COUNTED(4, "CCryptoBoringSSL_EC_POINT_set_compressed_coordinates_GFp")
COUNTED(5, "CCryptoBoringSSL_EC_POINT_get_affine_coordinates_GFp")
COUNTED(6, "CCryptoBoringSSL_SHA256_Final")
// DER.parse(_: ArraySlice<UInt8>) of SwiftASN1, and DER.sequence(_:identifier:_:) for Certificate of X509, both under the
// names that optimized builds give them. Other builds have neither.
COUNTED(7, "$s9SwiftASN13DERO5parseyAA0B4NodeVs10ArraySliceVys5UInt8VGKFZTf4nd_n")
COUNTED(8, "$s9SwiftASN13DERO8sequence_10identifier_xAA0B4NodeV_AA0B10IdentifierVxAA0bF10CollectionV8IteratorVzKXEtKlFZ4X50911CertificateV_Tt3gq509$s4X50911k19V10derEncoded14withg3AC9a7ASN10H4f22V_AF0hF0VtKcfcAcF0hI10h2V8I8VzKXEfU_Tf1nnnc_n")
COUNTED(9, "sqlite3_open_v2")
COUNTED(10, "sqlite3_prepare_v2")
COUNTED(10, "sqlite3_prepare_v3")
COUNTED(11, "sqlite3_step")
// JSONEncoder.init() and JSONDecoder.init(), as optimized and as other builds call them.
COUNTED(12, "$s20FoundationEssentials11JSONEncoderCACycfc")
COUNTED(12, "$s20FoundationEssentials11JSONEncoderCACycfC")
COUNTED(12, "$s20FoundationEssentials11JSONDecoderCACycfc")
COUNTED(12, "$s20FoundationEssentials11JSONDecoderCACycfC")

_Static_assert(work_allocations == 13, "the numbers above are those of the header");

// The C library's allocator under its own names, which the library allows ("Replacing malloc" in its manual).
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static void *counted(void *block) {
  work_counters[work_allocations]++;
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
