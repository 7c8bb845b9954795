#ifndef CTERMINAL_H
#define CTERMINAL_H

/// Takes a terminal over: no echo, no lines, every key at once, the other screen, no cursor. It is given back by
/// terminal_leave, and by every signal that ends the process and can be caught, a trap's too; when a stack is full, only
/// where it is the stack of the thread that calls this. While SIGTSTP has stopped the process it is as it was.
///
/// Returns a descriptor from which a byte can be read for each signal that somebody has to look at: its number, of
/// SIGTERM, SIGINT, SIGHUP or SIGWINCH. A second signal that asks for the end ends the process at once. Returns -1 and
/// sets errno when the terminal cannot be taken over.
int terminal_enter(int input, int output);

/// Gives the terminal back as it was. Does nothing when it was not taken over.
void terminal_leave(void);

/// How many rows and columns a terminal has; 24 and 80 where it does not say.
void terminal_size(int output, int *rows, int *columns);

/// Waits until one of some descriptors can be read, at most for a number of milliseconds, or without end when it is
/// negative. Returns the position of the first that can, -1 when the time is over, -2 on an error but an interruption.
int terminal_wait(const int *descriptors, int count, int milliseconds);

#endif
