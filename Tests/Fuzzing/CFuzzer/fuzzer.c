#include "CFuzzer.h"

/// libFuzzer's own main function asks for this. It is linked and never run: what is fuzzed is given to the driver.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  (void)data;
  (void)size;
  return 0;
}
