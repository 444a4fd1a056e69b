// A layer below SQLite that remembers what is written and synced, and fails when it is told to.
//
// It stands between SQLite and the system's layer (a VFS of its own, https://sqlite.org/vfs.html), which does the work. No
// header of SQLite is needed to build this: what it uses of the binary interface, which is stable, is declared in the source.
//
// What it remembers and how it fails belongs to the process. Any thread may call these functions.

#ifndef CUT_FILES_H
#define CUT_FILES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// Kinds of calls.
enum {
    CUT_FILES_OPEN = 0,     // as an event: a file was made, under the name `bytes`
    CUT_FILES_DELETE = 1,   // `offset` is 1 if the folder was synced
    CUT_FILES_READ = 2,
    CUT_FILES_WRITE = 3,    // `bytes` were written at `offset`
    CUT_FILES_TRUNCATE = 4, // to `offset` bytes
    CUT_FILES_SYNC = 5,     // `offset` is 1 if the folder was synced too
    CUT_FILES_LOCK = 6,     // of the file or of its index
    CUT_FILES_SIZE = 7,
    CUT_FILES_ACCESS = 8,
    CUT_FILES_MAP = 9,      // of the index
    CUT_FILES_MARK = 10,    // what the program has said: `offset` is its number
    CUT_FILES_KINDS = 11,
};

// A call that changed something, in the order of all calls.
typedef struct {
    int kind;
    // The number of the file. A file that is made anew under the name of one that was deleted is another one.
    int file;
    int64_t offset;
    size_t count;
    const uint8_t *_Nullable bytes;
} CutFilesEvent;

// Puts the layer under all files that are opened from now on, and returns 0 if that is not possible. It stays for ever. The
// name is the one by which the library was opened, or null for the system's.
int cut_files_install(const char *_Nullable library);

// Remembers the calls for files whose path begins so, and forgets what was remembered. Null ends that.
void cut_files_watch(const char *_Nullable prefix);

// Whether a sync reaches the disk. It is remembered either way.
void cut_files_set_syncs(int are_real);

// Adds a mark after everything that has been called.
void cut_files_mark(int64_t number);

// The number of events, and one of them. The bytes stay until `cut_files_watch` is called.
size_t cut_files_count(void);
CutFilesEvent cut_files_event(size_t index);

// How a call fails.
enum {
    CUT_FILES_ERROR = 0,    // the device fails
    CUT_FILES_FULL = 1,     // the disk is full; only for writes and truncations
    CUT_FILES_BUSY = 2,     // another has the lock; only for locks
};

// From now on, counts the calls of the kinds in `kinds`, a set of bits, and has those fail of which the number is from `first`
// to before `first + times`. A write that fails has written the first part of its bytes if `is_partial`.
void cut_files_fail(uint32_t kinds, int64_t first, int64_t times, int answer, int is_partial);

// Ends that, and returns how many calls were counted.
int64_t cut_files_succeed(void);
// How many calls have failed since `cut_files_fail`.
int64_t cut_files_failed(void);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#endif
