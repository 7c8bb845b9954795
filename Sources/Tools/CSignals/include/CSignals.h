#pragma once

// Holds SIGINT, SIGTERM and SIGHUP back for every thread of the process, where they would end it at once. One call at a
// time.
void signals_hold(void);

// Lets the signals act again. One that came meanwhile acts now.
void signals_release(void);
