#define _GNU_SOURCE
#include "BatonSQLiteLibrary.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <link.h>
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

// A library by its name. Libraries stay open: connections of others may use them.
struct Loaded {
    struct Loaded *_Nullable next;
    int status;
    int version;
    BatonSQLiteLibrary functions;
    char name[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Loaded *_Nullable first;  // guarded by the lock

enum { utf8 = 1, optionKeepLog = 1006, optionDefensive = 1010, lengthOfTemporaryName = 64 };

// Each function that must be there.
#define EACH_FUNCTION(DO) \
    DO(libversion) DO(libversion_number) DO(threadsafe) DO(initialize) DO(errstr) DO(open_v2) DO(close) \
    DO(extended_result_codes) DO(errcode) DO(extended_errcode) DO(errmsg) DO(busy_handler) DO(get_autocommit) \
    DO(interrupt) DO(changes) DO(last_insert_rowid) DO(db_config) DO(prepare_v2) DO(next_stmt) DO(finalize) DO(step) \
    DO(reset) DO(clear_bindings) DO(bind_parameter_count) DO(bind_null) DO(bind_int64) DO(bind_double) DO(bind_blob64) \
    DO(bind_text64) DO(column_count) DO(column_type) DO(column_int64) DO(column_double) DO(column_blob) \
    DO(column_text) DO(column_bytes)

#ifdef __APPLE__
// The system's library is linked.
#define DECLARE(name) extern void sqlite3_##name(void);
EACH_FUNCTION(DECLARE)
#define LINKED(name) *(void **)&functions->name = (void *)&sqlite3_##name;
static void findLinked(BatonSQLiteLibrary *functions) { EACH_FUNCTION(LINKED) }
const char *baton_sqlite_name(void) { return "libsqlite3.dylib"; }
#else
static const char *_Nonnull const names[] = {"libsqlite3.so.0", "libsqlite3.so"};
const char *baton_sqlite_name(void) { return names[0]; }
#endif

#ifdef __linux__
static int isLibrary(struct dl_phdr_info *info, size_t size, void *_Nullable context) {
    (void)size, (void)context;
    // The program itself has no name, and the kernel's page has one without a path.
    return info->dlpi_name != NULL && info->dlpi_name[0] == '/';
}

// A static program has no libraries. It could open some, with a second C library beside its own.
static int isStatic(void) { return dl_iterate_phdr(isLibrary, NULL) == 0; }
#else
static int isStatic(void) { return 0; }
#endif

// A library that is named has the functions of SQLite under the same names as the system's. It must find its own, also
// in a program that has linked the system's. Sanitizers refuse that.
#if defined(RTLD_DEEPBIND) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define OWN_NAMES_FIRST RTLD_DEEPBIND
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#undef OWN_NAMES_FIRST
#define OWN_NAMES_FIRST 0
#endif
#endif
#else
#define OWN_NAMES_FIRST 0
#endif

static void *_Nullable openLibrary(const char *_Nullable name) {
    if (name != NULL) return dlopen(name, RTLD_NOW | RTLD_LOCAL | OWN_NAMES_FIRST);
#ifdef __APPLE__
    return NULL;
#else
    void *library = dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? library : dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
#endif
}

// The structure's members are all pointers to functions.
#define FIND(name) if ((*(void **)&functions->name = dlsym(library, "sqlite3_" #name)) == NULL) return 0;
static int find(BatonSQLiteLibrary *functions, void *library) {
    EACH_FUNCTION(FIND)
    *(void **)&functions->key = dlsym(library, "sqlite3_key");
    return 1;
}

static int load(const char *_Nullable name, BatonSQLiteLibrary *functions, int *version) {
    if (isStatic()) return BATON_SQLITE_STATIC;
#ifdef __APPLE__
    if (name == NULL) findLinked(functions);
    else
#endif
    {
        void *library = openLibrary(name);
        if (library == NULL) return BATON_SQLITE_MISSING;
        if (!find(functions, library)) return BATON_SQLITE_INCOMPLETE;
    }
    *version = functions->libversion_number();
    if (*version < BATON_SQLITE_OLDEST) return BATON_SQLITE_TOO_OLD;
    if (functions->threadsafe() == 0) return BATON_SQLITE_SINGLE_THREADED;
    return functions->initialize() == BATON_SQLITE_OK ? BATON_SQLITE_LOADED : BATON_SQLITE_FAILED;
}

int baton_sqlite_load(
    const char *_Nullable name, const BatonSQLiteLibrary *_Nullable *_Nonnull library, int *version) {
    const char *key = name == NULL ? "" : name;
    int status = BATON_SQLITE_FAILED;
    pthread_mutex_lock(&lock);
    struct Loaded *loaded = first;
    while (loaded != NULL && strcmp(loaded->name, key) != 0) loaded = loaded->next;
    if (loaded == NULL && (loaded = calloc(1, sizeof *loaded + strlen(key) + 1)) != NULL) {
        strcpy(loaded->name, key);
        loaded->status = load(name, &loaded->functions, &loaded->version);
        if (loaded->status == BATON_SQLITE_MISSING) {
            // It may be installed later, and names that are wrong cost no memory.
            free(loaded);
            loaded = NULL;
            status = BATON_SQLITE_MISSING;
        } else {
            loaded->next = first;
            first = loaded;
        }
    }
    pthread_mutex_unlock(&lock);
    *version = loaded == NULL ? 0 : loaded->version;
    if (loaded != NULL) status = loaded->status;
    *library = status == BATON_SQLITE_LOADED ? &loaded->functions : NULL;
    return status;
}

// Locks of others.

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Sleeps for a moment, longer each time, and says whether to try again.
static int waitForLock(void *_Nullable context, int count) {
    BatonSQLiteWait *wait = context;
    if (wait == NULL || wait->limit <= 0 || __atomic_load_n(&wait->isStopped, __ATOMIC_RELAXED)) return 0;
    int64_t time = now();
    if (wait->start == 0) wait->start = time;
    int64_t left = wait->limit - (time - wait->start);
    if (left <= 0) return 0;
    int64_t pause = count < 4 ? 1000000 : count < 10 ? 5000000 : 20000000;
    if (pause > left) pause = left;
    struct timespec sleep = {0, (long)pause};
    nanosleep(&sleep, NULL);
    return 1;
}

int baton_sqlite_set_wait(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database, BatonSQLiteWait *wait) {
    return library->busy_handler(database, waitForLock, wait);
}

void baton_sqlite_stop(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database, BatonSQLiteWait *wait) {
    __atomic_store_n(&wait->isStopped, 1, __ATOMIC_RELAXED);
    library->interrupt(database);
}

void baton_sqlite_keep_log(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database) {
    // Libraries before 3.16 know no such option, and say so.
    library->db_config(database, optionKeepLog, 1, NULL);
}

void baton_sqlite_defend(const BatonSQLiteLibrary *library, BatonSQLiteDatabase *database) {
    // Libraries before 3.26 know no such option, and say so.
    library->db_config(database, optionDefensive, 1, NULL);
}

// Binding. No bytes have no address, which would be null and not a blob of no bytes.

static const char nothing[1];

int baton_sqlite_lend_blob(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count) {
    return library->bind_blob64(statement, index, bytes == NULL ? nothing : bytes, bytes == NULL ? 0 : count, NULL);
}

int baton_sqlite_lend_text(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count) {
    return library->bind_text64(statement, index, bytes == NULL ? nothing : bytes, bytes == NULL ? 0 : count, NULL, utf8);
}

// SQLITE_TRANSIENT
#define COPIES ((void (*)(void *_Nullable))(intptr_t)-1)

int baton_sqlite_copy_blob(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count) {
    return library->bind_blob64(statement, index, bytes == NULL ? nothing : bytes, bytes == NULL ? 0 : count, COPIES);
}

int baton_sqlite_copy_text(
    const BatonSQLiteLibrary *library, BatonSQLitePrepared *statement, int index, const void *_Nullable bytes, size_t count) {
    return library->bind_text64(statement, index, bytes == NULL ? nothing : bytes, bytes == NULL ? 0 : count, COPIES, utf8);
}

// The lock of a file. It belongs to the descriptor, so two holders in one process exclude each other too.

int baton_sqlite_lock(const char *path, int64_t wait, int *code) {
    *code = 0;
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) {
        *code = errno;
        return -2;
    }
    int64_t end = now() + wait;
    while (flock(file, LOCK_EX | LOCK_NB) != 0) {
        int error = errno;
        if (error == EINTR) continue;
        int64_t left = end - now();
        if (error != EWOULDBLOCK || left <= 0) {
            *code = error;
            close(file);
            return error == EWOULDBLOCK ? -1 : -2;
        }
        struct timespec sleep = {0, left < 1000000 ? (long)left : 1000000};
        nanosleep(&sleep, NULL);
    }
    return file;
}

// A process that is being started has a copy of each descriptor until its program begins. The lock goes for the copy too.
static void closeUnlocked(int descriptor) {
    flock(descriptor, LOCK_UN);
    close(descriptor);
}

void baton_sqlite_unlock(int descriptor) { closeUnlocked(descriptor); }

// Notes.

int baton_sqlite_hold_note(const char *path, int *isAlone) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) return -1;
    *isAlone = flock(file, LOCK_EX | LOCK_NB) == 0;
    // Others ask under the lock of the file, as this one does, so nobody is refused in between.
    if (flock(file, LOCK_SH | LOCK_NB) == 0) return file;
    closeUnlocked(file);
    return -1;
}

unsigned char baton_sqlite_read_note(int descriptor) {
    unsigned char byte = 0;
    return pread(descriptor, &byte, 1, 0) == 1 ? byte : 0;
}

static void writeByte(int descriptor, unsigned char byte) {
    // A note that cannot be written stays as it was.
    while (pwrite(descriptor, &byte, 1, 0) < 0 && errno == EINTR) {}
}

// What is written at the end of the process. Further notes than these stay as they are then.
static struct { int descriptor; unsigned char byte; } lastNotes[64];
static size_t lastNoteCount = 0;
static pthread_mutex_t lastNotesLock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t lastNotesOnce = PTHREAD_ONCE_INIT;

static void writeLastNotes(void) {
    pthread_mutex_lock(&lastNotesLock);
    for (size_t place = 0; place < lastNoteCount; place++) writeByte(lastNotes[place].descriptor, lastNotes[place].byte);
    lastNoteCount = 0;
    pthread_mutex_unlock(&lastNotesLock);
}

static void writeAtExit(void) { atexit(writeLastNotes); }

static void forgetLastNote(int descriptor) {
    for (size_t place = 0; place < lastNoteCount; place++) {
        if (lastNotes[place].descriptor != descriptor) continue;
        lastNotes[place] = lastNotes[--lastNoteCount];
        return;
    }
}

void baton_sqlite_write_note(int descriptor, unsigned char byte, int atExit) {
    pthread_once(&lastNotesOnce, writeAtExit);
    pthread_mutex_lock(&lastNotesLock);
    forgetLastNote(descriptor);
    writeByte(descriptor, byte);
    if (atExit >= 0 && lastNoteCount < sizeof lastNotes / sizeof *lastNotes) {
        lastNotes[lastNoteCount].descriptor = descriptor;
        lastNotes[lastNoteCount++].byte = (unsigned char)atExit;
    }
    pthread_mutex_unlock(&lastNotesLock);
}

void baton_sqlite_close_note(int descriptor) {
    pthread_mutex_lock(&lastNotesLock);
    forgetLastNote(descriptor);
    closeUnlocked(descriptor);
    pthread_mutex_unlock(&lastNotesLock);
}

// Permissions.

enum { ownerAlone = S_IRUSR | S_IWUSR };

static int makeEmpty(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, ownerAlone);
    if (file < 0) return errno;
    // The umask may have taken something away.
    int code = fchmod(file, ownerAlone) == 0 ? 0 : errno;
    close(file);
    return code;
}

static int keepForOwner(const char *path, const char *end) {
    char *name = malloc(strlen(path) + strlen(end) + 1);
    if (name == NULL) return ENOMEM;
    strcat(strcpy(name, path), end);
    struct stat status;
    // Nothing is changed that is right, since the file may be on a disk that nobody can write.
    int isRight = stat(name, &status) == 0 ? (status.st_mode & 07777) == ownerAlone : errno == ENOENT;
    int code = isRight || chmod(name, ownerAlone) == 0 || errno == ENOENT ? 0 : errno;
    free(name);
    return code;
}

int baton_sqlite_make_private(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        if (errno != ENOENT) return errno;
        // Made under another name and then named, so that nobody has opened it before it is closed here.
        size_t size = strlen(path) + lengthOfTemporaryName;
        char *name = malloc(size);
        if (name == NULL) return ENOMEM;
        snprintf(name, size, "%s.%ld-%llx.new", path, (long)getpid(), (unsigned long long)now());
        int code = makeEmpty(name);
        if (code == 0) {
            if (link(name, path) != 0) code = errno;
            unlink(name);
        }
        free(name);
        // Some file systems have no links.
        if (code != 0 && code != EEXIST) code = makeEmpty(path);
        if (code != 0 && code != EEXIST) return code;
    }
    int code = keepForOwner(path, "");
    if (code == 0) code = keepForOwner(path, "-wal");
    return code == 0 ? keepForOwner(path, "-shm") : code;
}

#ifdef __clang__
#pragma clang assume_nonnull end
#endif
