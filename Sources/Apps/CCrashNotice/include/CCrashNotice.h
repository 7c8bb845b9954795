#ifndef CCRASHNOTICE_H
#define CCRASHNOTICE_H

/// Handles the signals of a crash, such as a trap, from now on: the thread that crashes writes its notice to the standard
/// error, and then the signal has the effect that it had before. Returns -1 and sets errno if that cannot be done.
int crash_notice_install(void);

/// Sets the notice of the calling thread, which replaces the one before. Its end is cut off after 1,023 bytes. From the
/// first notice on, the thread has an alternative stack for the handler, so that a full stack has a notice too.
void crash_notice_set(const char *text);

#endif
