// What Baton uses of SQLite, which is opened at run time; on Apple's systems it is linked. No header of SQLite is needed to
// build this.
//
// The members are named as SQLite's functions are after `sqlite3_`; its documentation says what they do
// (https://sqlite.org/c3ref/funclist.html). Its binary interface is stable: functions and codes stay as they are.

#ifndef BATON_SQLITE_LIBRARY_H
#define BATON_SQLITE_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
#pragma clang assume_nonnull begin
#else
#define _Nullable
#define _Nonnull
#endif

// A connection and a prepared statement. Their content is SQLite's business.
typedef struct BatonSQLiteDatabase BatonSQLiteDatabase;
typedef struct BatonSQLitePrepared BatonSQLitePrepared;

// Why a library cannot be used.
enum {
    BATON_SQLITE_LOADED = 0,
    BATON_SQLITE_MISSING = 1,           // there is no such library
    BATON_SQLITE_INCOMPLETE = 2,        // it lacks a function, so it is no SQLite or a very old one
    BATON_SQLITE_TOO_OLD = 3,           // it has too small a number
    BATON_SQLITE_STATIC = 4,            // this program is linked statically, and must not open libraries
    BATON_SQLITE_FAILED = 5,            // it could not be initialized
    BATON_SQLITE_SINGLE_THREADED = 6,   // it is built for programs of one thread
};

// The functions of one library.
typedef struct {
    const char *_Nonnull (*_Nonnull libversion)(void);
    int (*libversion_number)(void);
    int (*threadsafe)(void);
    int (*initialize)(void);
    const char *_Nullable (*_Nonnull errstr)(int code);

    int (*open_v2)(const char *path, BatonSQLiteDatabase *_Nullable *_Nonnull database, int flags, const char *_Nullable vfs);
    int (*close)(BatonSQLiteDatabase *_Nullable database);
    int (*extended_result_codes)(BatonSQLiteDatabase *database, int isOn);
    int (*errcode)(BatonSQLiteDatabase *database);
    int (*extended_errcode)(BatonSQLiteDatabase *database);
    const char *_Nullable (*_Nonnull errmsg)(BatonSQLiteDatabase *database);
    int (*busy_handler)(
        BatonSQLiteDatabase *database, int (*_Nullable handler)(void *_Nullable, int), void *_Nullable context);
    int (*get_autocommit)(BatonSQLiteDatabase *database);
    void (*interrupt)(BatonSQLiteDatabase *database);
    int (*changes)(BatonSQLiteDatabase *database);
    int64_t (*last_insert_rowid)(BatonSQLiteDatabase *database);
    // Takes an option and values that it needs: Swift cannot call it.
    int (*db_config)(BatonSQLiteDatabase *database, int option, ...);

    int (*prepare_v2)(
        BatonSQLiteDatabase *database, const char *text, int count, BatonSQLitePrepared *_Nullable *_Nonnull statement,
        const char *_Nullable *_Nullable rest);
    BatonSQLitePrepared *_Nullable (*_Nonnull next_stmt)(BatonSQLiteDatabase *database, BatonSQLitePrepared *_Nullable after);
    int (*finalize)(BatonSQLitePrepared *_Nullable statement);
    int (*step)(BatonSQLitePrepared *statement);
    int (*reset)(BatonSQLitePrepared *statement);
    int (*clear_bindings)(BatonSQLitePrepared *statement);

    int (*bind_parameter_count)(BatonSQLitePrepared *statement);
    int (*bind_null)(BatonSQLitePrepared *statement, int index);
    int (*bind_int64)(BatonSQLitePrepared *statement, int index, int64_t value);
    int (*bind_double)(BatonSQLitePrepared *statement, int index, double value);
    int (*bind_blob64)(
        BatonSQLitePrepared *statement, int index, const void *bytes, uint64_t count,
        void (*_Nullable release)(void *_Nullable));
    int (*bind_text64)(
        BatonSQLitePrepared *statement, int index, const char *bytes, uint64_t count,
        void (*_Nullable release)(void *_Nullable), unsigned char encoding);

    int (*column_count)(BatonSQLitePrepared *statement);
    int (*column_type)(BatonSQLitePrepared *statement, int column);
    int64_t (*column_int64)(BatonSQLitePrepared *statement, int column);
    double (*column_double)(BatonSQLitePrepared *statement, int column);
    const void *_Nullable (*_Nonnull column_blob)(BatonSQLitePrepared *statement, int column);
    const unsigned char *_Nullable (*_Nonnull column_text)(BatonSQLitePrepared *statement, int column);
    int (*column_bytes)(BatonSQLitePrepared *statement, int column);

    // Gives a connection its key; only libraries that encrypt have it.
    int (*_Nullable key)(BatonSQLiteDatabase *database, const void *key, int count);
} BatonSQLiteLibrary;

// Opens a library at the first call with its name, or the system's if there is no name, and says why it cannot be used.
// The library then stays open, and its functions where they are. Any thread may call this. The version is set where the
// library says one.
int baton_sqlite_load(
    const char *_Nullable name, const BatonSQLiteLibrary *_Nullable *_Nonnull library, int *version);

// The first of the names by which the system's library is looked for.
const char *baton_sqlite_name(void);

// How long a connection waits for locks of others. It belongs to the thread of its connection, but for `isStopped`.
typedef struct {
    int64_t limit;      // nanoseconds that a call may wait in all
    int64_t start;      // when the call that runs began to wait, or 0
    int isStopped;      // not 0 if no call waits any more
} BatonSQLiteWait;

// Waits for locks as long as `wait` says, which must outlive the connection. Sets `start` to 0 before each call.
int baton_sqlite_set_wait(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database, BatonSQLiteWait *wait);

// Ends the call that a connection is in, from another thread. The connection must stay open meanwhile.
void baton_sqlite_stop(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database, BatonSQLiteWait *wait);

// Has the closing of a connection leave the log as it is, where the library can.
void baton_sqlite_keep_log(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database);

// Refuses SQL that damages the file on purpose, where the library can; what a file says of tables may come from anyone.
void baton_sqlite_defend(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database);

// Binds bytes or a text that the caller lends until the statement is reset. There may be none.
int baton_sqlite_lend_blob(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count);
int baton_sqlite_lend_text(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count);
// Binds bytes or a text of which the library makes a copy.
int baton_sqlite_copy_blob(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count);
int baton_sqlite_copy_text(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count);

// Makes an empty file that its owner alone can read and write, whatever the umask is, unless there is a file already, of
// which the permissions are set to the same, with those of its log and index. Returns 0 or an error number.
//
// A file that may be open in this process is not opened here: to close it would end the locks of every connection to it.
int baton_sqlite_make_private(const char *path);

// Takes the lock of a file, which is made for its owner alone if it is not there. Waits for as many nanoseconds while
// another process or another holder in this one has it. Returns a descriptor that is not inherited by other programs, or
// -1 if others had the lock all the time, or -2 with the error in `code`.
int baton_sqlite_lock(const char *path, int64_t wait, int *code);
// Gives the lock back.
void baton_sqlite_unlock(int descriptor);

// Opens a file of one byte, which is made for its owner alone if it is not there, and holds it until the descriptor is
// closed or the process ends. Sets `isAlone` if nobody else holds it. Returns a descriptor that is not inherited by other
// programs, or -1.
int baton_sqlite_hold_note(const char *path, int *isAlone);
// Returns the byte, which is 0 if none was written.
unsigned char baton_sqlite_read_note(int descriptor);
// Writes the byte. If `atExit` is not negative, that byte is written when the process ends by itself, until the next call.
void baton_sqlite_write_note(int descriptor, unsigned char byte, int atExit);
// Closes the descriptor, and writes nothing at the end of the process.
void baton_sqlite_close_note(int descriptor);

// Codes of results, without what extended codes add to them.
enum {
    BATON_SQLITE_OK = 0,
    BATON_SQLITE_ERROR = 1,
    BATON_SQLITE_PERM = 3,
    BATON_SQLITE_BUSY = 5,
    BATON_SQLITE_LOCKED = 6,
    BATON_SQLITE_NOMEM = 7,
    BATON_SQLITE_READONLY = 8,
    BATON_SQLITE_INTERRUPT = 9,
    BATON_SQLITE_IOERR = 10,
    BATON_SQLITE_CORRUPT = 11,
    BATON_SQLITE_FULL = 13,
    BATON_SQLITE_CANTOPEN = 14,
    BATON_SQLITE_PROTOCOL = 15,
    BATON_SQLITE_SCHEMA = 17,
    BATON_SQLITE_TOOBIG = 18,
    BATON_SQLITE_CONSTRAINT = 19,
    BATON_SQLITE_MISUSE = 21,
    BATON_SQLITE_RANGE = 25,
    BATON_SQLITE_NOTADB = 26,
    BATON_SQLITE_ROW = 100,
    BATON_SQLITE_DONE = 101,
};

// Flags of opening, and types of columns.
enum {
    BATON_SQLITE_OPEN_READONLY = 1,
    BATON_SQLITE_OPEN_READWRITE = 2,
    BATON_SQLITE_OPEN_NOMUTEX = 0x8000,
    BATON_SQLITE_INTEGER = 1,
    BATON_SQLITE_FLOAT = 2,
    BATON_SQLITE_TEXT = 3,
    BATON_SQLITE_BLOB = 4,
    BATON_SQLITE_NULL = 5,
};

// The oldest version that can be used, as SQLite counts: 3.15.0.
enum { BATON_SQLITE_OLDEST = 3015000 };

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#endif
