#ifndef GIVE_BACK_H
#define GIVE_BACK_H

/// Gives the memory that the process has freed back to the system, where the allocator keeps it otherwise (glibc).
void memory_give_back(void);

#endif
