#include "csqlite.h"

#include <sqlite3.h>

// In C, because Swift cannot call a function with variable arguments.
void csqlite_disable_memory_statistics(void) {
  // The result says only whether SQLite is already in use. The statistics then stay on, which costs time and nothing else.
  (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
