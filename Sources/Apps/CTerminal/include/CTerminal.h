#ifndef CTERMINAL_H
#define CTERMINAL_H

/// Takes control of a terminal: no echo, no line mode, every key at once, the alternate screen, no cursor.
/// terminal_leave restores the terminal, as does every signal that ends the process and can be caught, including traps;
/// after a stack overflow, only on the thread that called this function. While SIGTSTP has stopped the process, the
/// terminal is restored too.
///
/// Returns a descriptor from which the number of each signal to handle can be read as a byte: SIGTERM, SIGINT, SIGHUP
/// or SIGWINCH. A second request to end ends the process at once. Returns -1 and sets errno if the terminal cannot be
/// controlled.
int terminal_enter(int input, int output);

/// Restores the terminal. Does nothing without a preceding terminal_enter.
void terminal_leave(void);

/// Gets a terminal's rows and columns; 24 and 80 if they are unknown.
void terminal_size(int output, int *rows, int *columns);

/// Waits until a descriptor can be read, for at most a number of milliseconds, or without limit if it is negative.
/// Returns the position of the first readable descriptor, -1 after the time, or -2 on an error other than an
/// interruption.
int terminal_wait(const int *descriptors, int count, int milliseconds);

#endif
