#pragma once
#include <stdint.h>

// Counters of calls. Each counted function is replaced at link time by one that counts and goes on in the original, which
// sees the same registers and stack, whatever its parameters and calling convention.
enum {
  work_signatures_verified,
  work_signatures_made,
  work_keys_derived,
  work_agreements,
  work_points_imported,
  work_field_inversions,
  work_digests,
  work_asn1_parses,
  work_certificates_parsed,
  work_databases_opened,
  work_statements_compiled,
  work_statement_steps,
  work_foundation_json,
  work_allocations,
  work_counter_count
};

// Returns the number of calls so far.
uint64_t work_counter(int32_t counter);
