#pragma once

/// Turns off SQLite's statistics of its memory, for which every allocation in the process takes one lock. Call it before the
/// first database is opened; afterwards it has no effect.
void csqlite_disable_memory_statistics(void);
