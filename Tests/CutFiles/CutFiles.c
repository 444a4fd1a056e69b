#define _GNU_SOURCE
#include "CutFiles.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What is used of SQLite's interface.

typedef struct File File;
typedef struct Methods Methods;
typedef struct Layer Layer;

struct File { const Methods *methods; };

struct Methods {
    int version;
    int (*close)(File *);
    int (*read)(File *, void *, int count, int64_t offset);
    int (*write)(File *, const void *, int count, int64_t offset);
    int (*truncate)(File *, int64_t size);
    int (*sync)(File *, int flags);
    int (*fileSize)(File *, int64_t *size);
    int (*lock)(File *, int);
    int (*unlock)(File *, int);
    int (*checkReservedLock)(File *, int *);
    int (*fileControl)(File *, int, void *);
    int (*sectorSize)(File *);
    int (*deviceCharacteristics)(File *);
    // From version 2.
    int (*shmMap)(File *, int region, int size, int isExtended, void volatile **);
    int (*shmLock)(File *, int offset, int count, int flags);
    void (*shmBarrier)(File *);
    int (*shmUnmap)(File *, int isDeleted);
    // Version 3 maps the file itself, which this layer does not offer.
};

struct Layer {
    int version;
    int fileSize;
    int longestName;
    Layer *next;
    const char *name;
    void *data;
    int (*open)(Layer *, const char *name, File *, int flags, int *outFlags);
    int (*delete)(Layer *, const char *name, int isFolderSynced);
    int (*access)(Layer *, const char *name, int flags, int *);
    int (*fullName)(Layer *, const char *name, int count, char *);
    void *(*openLibrary)(Layer *, const char *);
    void (*libraryError)(Layer *, int, char *);
    void (*(*symbol)(Layer *, void *, const char *))(void);
    void (*closeLibrary)(Layer *, void *);
    int (*randomness)(Layer *, int, char *);
    int (*sleep)(Layer *, int);
    int (*time)(Layer *, double *);
    int (*lastError)(Layer *, int, char *);
    // From version 2.
    int (*time64)(Layer *, int64_t *);
    // From version 3.
    int (*setSystemCall)(Layer *, const char *, void (*)(void));
    void (*(*systemCall)(Layer *, const char *))(void);
    const char *(*nextSystemCall)(Layer *, const char *);
};

enum {
    ok = 0, busy = 5, ioerr = 10, full = 13, cantOpen = 14,
    openCreate = 0x4, openJournal = 0x800, openLog = 0x80000,
};

// An extended code for each kind of call.
static const int errors[CUT_FILES_KINDS] = {
    [CUT_FILES_OPEN] = cantOpen, [CUT_FILES_DELETE] = ioerr | 10 << 8, [CUT_FILES_READ] = ioerr | 1 << 8,
    [CUT_FILES_WRITE] = ioerr | 3 << 8, [CUT_FILES_TRUNCATE] = ioerr | 6 << 8, [CUT_FILES_SYNC] = ioerr | 4 << 8,
    [CUT_FILES_LOCK] = ioerr | 15 << 8, [CUT_FILES_SIZE] = ioerr | 7 << 8, [CUT_FILES_ACCESS] = ioerr | 13 << 8,
    [CUT_FILES_MAP] = ioerr | 21 << 8,
};

// A file that is watched; the system's own file stands behind it.
struct Watched {
    File file;
    int number;
    int watch;          // the number of the watch under which it was opened
    int syncsFolder;    // whether the next sync reaches the folder too, as SQLite's layer has it for logs and journals
};

// A name that was used. The number is -1 while there is no file of that name.
struct Name {
    struct Name *next;
    int number;
    char text[];
};

static Layer *real;
static Layer own;
static int fileOffset;

// Guarded by the lock, which is held while the system's layer writes: so the order of the events is that of the writes.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *prefix;
static struct Name *names;
static int files;
static int watch;
static CutFilesEvent *events;
static size_t eventCount, eventRoom;
static int areSyncsReal = 1;
static struct { int isOn, answer, isPartial; uint32_t kinds; int64_t first, times, calls, failed; } fault;

static void add(int kind, int file, int64_t offset, const void *bytes, size_t count) {
    if (eventCount == eventRoom) {
        size_t room = eventRoom == 0 ? 1024 : eventRoom * 2;
        CutFilesEvent *more = realloc(events, room * sizeof *events);
        if (more == NULL) abort();
        events = more;
        eventRoom = room;
    }
    uint8_t *copy = NULL;
    if (count > 0) {
        if ((copy = malloc(count)) == NULL) abort();
        memcpy(copy, bytes, count);
    }
    events[eventCount++] = (CutFilesEvent){kind, file, offset, count, copy};
}

// Counts a call, and returns whether it fails.
static int fails(int kind) {
    if (!fault.isOn || (fault.kinds >> kind & 1) == 0) return 0;
    int64_t number = fault.calls++;
    if (number < fault.first || number - fault.first >= fault.times) return 0;
    fault.failed++;
    return 1;
}

static int error(int kind) {
    return fault.answer == CUT_FILES_FULL ? full : fault.answer == CUT_FILES_BUSY ? busy : errors[kind];
}

static int isWatched(const char *name) {
    return prefix != NULL && name != NULL && strncmp(name, prefix, strlen(prefix)) == 0;
}

static struct Name *nameOf(const char *text) {
    struct Name *name = names;
    while (name != NULL && strcmp(name->text, text) != 0) name = name->next;
    if (name != NULL) return name;
    if ((name = malloc(sizeof *name + strlen(text) + 1)) == NULL) abort();
    strcpy(name->text, text);
    name->number = -1;
    name->next = names;
    return names = name;
}

// Calls of files.

static File *behind(File *file) { return (File *)((char *)file + fileOffset); }

// Adds what was done to a file, unless it was opened under an earlier watch.
static void addOf(File *file, int kind, int64_t offset, const void *bytes, size_t count) {
    struct Watched *watched = (struct Watched *)file;
    if (watched->watch == watch) add(kind, watched->number, offset, bytes, count);
}

#define BEGIN(kind) \
    pthread_mutex_lock(&lock); \
    int isFailing = fails(kind); \
    int code = isFailing ? error(kind) : ok
#define END pthread_mutex_unlock(&lock); return code

static int closeFile(File *file) {
    File *below = behind(file);
    int code = below->methods->close(below);
    file->methods = NULL;
    return code;
}

// Reading does not change anything, so it is done while the lock is free.
static int failing(int kind) { BEGIN(kind); END; }

static int readFile(File *file, void *bytes, int count, int64_t offset) {
    int code = failing(CUT_FILES_READ);
    return code != ok ? code : behind(file)->methods->read(behind(file), bytes, count, offset);
}

static int writeFile(File *file, const void *bytes, int count, int64_t offset) {
    BEGIN(CUT_FILES_WRITE);
    if (isFailing) count = fault.isPartial ? count / 2 : 0;
    if (count > 0) {
        int result = behind(file)->methods->write(behind(file), bytes, count, offset);
        if (result == ok) addOf(file, CUT_FILES_WRITE, offset, bytes, (size_t)count);
        if (code == ok) code = result;
    }
    END;
}

static int truncateFile(File *file, int64_t size) {
    BEGIN(CUT_FILES_TRUNCATE);
    if (code == ok) code = behind(file)->methods->truncate(behind(file), size);
    if (code == ok) addOf(file, CUT_FILES_TRUNCATE, size, NULL, 0);
    END;
}

static int syncFile(File *file, int flags) {
    BEGIN(CUT_FILES_SYNC);
    struct Watched *watched = (struct Watched *)file;
    if (code == ok && areSyncsReal) code = behind(file)->methods->sync(behind(file), flags);
    if (code == ok) {
        addOf(file, CUT_FILES_SYNC, watched->syncsFolder, NULL, 0);
        watched->syncsFolder = 0;
    }
    END;
}

static int sizeOfFile(File *file, int64_t *size) {
    int code = failing(CUT_FILES_SIZE);
    return code != ok ? code : behind(file)->methods->fileSize(behind(file), size);
}

static int lockFile(File *file, int level) {
    int code = failing(CUT_FILES_LOCK);
    return code != ok ? code : behind(file)->methods->lock(behind(file), level);
}

static int unlockFile(File *file, int level) { return behind(file)->methods->unlock(behind(file), level); }

static int checkLock(File *file, int *isLocked) {
    return behind(file)->methods->checkReservedLock(behind(file), isLocked);
}

static int control(File *file, int operation, void *value) {
    return behind(file)->methods->fileControl(behind(file), operation, value);
}

static int sectorSize(File *file) { return behind(file)->methods->sectorSize(behind(file)); }
static int characteristics(File *file) { return behind(file)->methods->deviceCharacteristics(behind(file)); }

static int mapIndex(File *file, int region, int size, int isExtended, void volatile **memory) {
    int code = failing(CUT_FILES_MAP);
    if (code != ok) *memory = NULL;
    return code != ok ? code : behind(file)->methods->shmMap(behind(file), region, size, isExtended, memory);
}

enum { shmUnlock = 1 };

static int lockIndex(File *file, int offset, int count, int flags) {
    // To give a lock back never fails.
    int code = (flags & shmUnlock) != 0 ? ok : failing(CUT_FILES_LOCK);
    if (code != ok && (code & 0xFF) == ioerr) code = ioerr | 20 << 8;
    return code != ok ? code : behind(file)->methods->shmLock(behind(file), offset, count, flags);
}

static void barrier(File *file) { behind(file)->methods->shmBarrier(behind(file)); }
static int unmapIndex(File *file, int isDeleted) { return behind(file)->methods->shmUnmap(behind(file), isDeleted); }

static const Methods methods = {
    2, closeFile, readFile, writeFile, truncateFile, syncFile, sizeOfFile, lockFile, unlockFile, checkLock, control,
    sectorSize, characteristics, mapIndex, lockIndex, barrier, unmapIndex,
};

// Calls of the layer.

static int openFile(Layer *layer, const char *name, File *file, int flags, int *outFlags) {
    (void)layer;
    pthread_mutex_lock(&lock);
    int code = ok;
    if (!isWatched(name)) {
        pthread_mutex_unlock(&lock);
        return real->open(real, name, file, flags, outFlags);
    }
    file->methods = NULL;
    if (fails(CUT_FILES_OPEN)) {
        code = error(CUT_FILES_OPEN);
    } else {
        File *below = behind(file);
        below->methods = NULL;
        code = real->open(real, name, below, flags, outFlags);
        if (code == ok) {
            struct Name *known = nameOf(name);
            if (known->number < 0) {
                known->number = files++;
                add(CUT_FILES_OPEN, known->number, 0, name, strlen(name));
            }
            struct Watched *watched = (struct Watched *)file;
            watched->number = known->number;
            watched->watch = watch;
            watched->syncsFolder = (flags & openCreate) != 0 && (flags & (openJournal | openLog)) != 0;
            file->methods = &methods;
        } else if (below->methods != NULL) {
            below->methods->close(below);
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int deleteFile(Layer *layer, const char *name, int isFolderSynced) {
    (void)layer;
    pthread_mutex_lock(&lock);
    int code = ok;
    if (isWatched(name) && fails(CUT_FILES_DELETE)) code = error(CUT_FILES_DELETE);
    if (code == ok) {
        code = real->delete(real, name, isFolderSynced && areSyncsReal);
        if (isWatched(name) && code == ok) {
            struct Name *known = nameOf(name);
            if (known->number >= 0) add(CUT_FILES_DELETE, known->number, isFolderSynced, NULL, 0);
            known->number = -1;
        }
    }
    pthread_mutex_unlock(&lock);
    return code;
}

static int accessFile(Layer *layer, const char *name, int flags, int *result) {
    (void)layer;
    pthread_mutex_lock(&lock);
    int code = isWatched(name) && fails(CUT_FILES_ACCESS) ? error(CUT_FILES_ACCESS) : ok;
    pthread_mutex_unlock(&lock);
    return code != ok ? code : real->access(real, name, flags, result);
}

static int fullName(Layer *layer, const char *name, int count, char *result) {
    (void)layer;
    return real->fullName(real, name, count, result);
}

static int randomness(Layer *layer, int count, char *bytes) { (void)layer; return real->randomness(real, count, bytes); }
static int sleepFor(Layer *layer, int time) { (void)layer; return real->sleep(real, time); }
static int currentTime(Layer *layer, double *time) { (void)layer; return real->time(real, time); }
static int currentTime64(Layer *layer, int64_t *time) { (void)layer; return real->time64(real, time); }
static int lastError(Layer *layer, int count, char *text) { (void)layer; return real->lastError(real, count, text); }

// The interface for programs.

static void *openLibrary(const char *name) {
    if (name != NULL) return dlopen(name, RTLD_NOW | RTLD_LOCAL);
#ifdef __APPLE__
    return RTLD_DEFAULT;
#else
    void *library = dlopen("libsqlite3.so.0", RTLD_NOW | RTLD_LOCAL);
    return library != NULL ? library : dlopen("libsqlite3.so", RTLD_NOW | RTLD_LOCAL);
#endif
}

static int install(const char *name) {
    void *library = openLibrary(name);
    if (library == NULL) return 0;
    Layer *(*find)(const char *) = (Layer * (*)(const char *)) dlsym(library, "sqlite3_vfs_find");
    int (*make)(Layer *, int) = (int (*)(Layer *, int))dlsym(library, "sqlite3_vfs_register");
    if (find == NULL || make == NULL || (real = find(NULL)) == NULL || real->version < 2) return 0;
    // The system's file must stand where any of its members may.
    fileOffset = (int)((sizeof(struct Watched) + 15) / 16 * 16);
    own = (Layer){
        .version = 2, .fileSize = fileOffset + real->fileSize, .longestName = real->longestName, .name = "cut-files",
        .open = openFile, .delete = deleteFile, .access = accessFile, .fullName = fullName, .randomness = randomness,
        .sleep = sleepFor, .time = currentTime, .lastError = lastError, .time64 = currentTime64,
    };
    return make(&own, 1) == ok;
}

int cut_files_install(const char *library) {
    static int isInstalled;
    pthread_mutex_lock(&lock);
    if (!isInstalled) isInstalled = install(library);
    int result = isInstalled;
    pthread_mutex_unlock(&lock);
    return result;
}

void cut_files_watch(const char *text) {
    pthread_mutex_lock(&lock);
    for (size_t index = 0; index < eventCount; index++) free((void *)events[index].bytes);
    eventCount = 0;
    while (names != NULL) {
        struct Name *next = names->next;
        free(names);
        names = next;
    }
    files = 0;
    watch++;
    free(prefix);
    prefix = text == NULL ? NULL : strdup(text);
    fault.isOn = 0;
    pthread_mutex_unlock(&lock);
}

void cut_files_set_syncs(int are_real) {
    pthread_mutex_lock(&lock);
    areSyncsReal = are_real;
    pthread_mutex_unlock(&lock);
}

void cut_files_mark(int64_t number) {
    pthread_mutex_lock(&lock);
    add(CUT_FILES_MARK, -1, number, NULL, 0);
    pthread_mutex_unlock(&lock);
}

size_t cut_files_count(void) {
    pthread_mutex_lock(&lock);
    size_t count = eventCount;
    pthread_mutex_unlock(&lock);
    return count;
}

CutFilesEvent cut_files_event(size_t index) {
    pthread_mutex_lock(&lock);
    CutFilesEvent event = index < eventCount ? events[index] : (CutFilesEvent){CUT_FILES_MARK, -1, 0, 0, NULL};
    pthread_mutex_unlock(&lock);
    return event;
}

void cut_files_fail(uint32_t kinds, int64_t first, int64_t times, int answer, int is_partial) {
    pthread_mutex_lock(&lock);
    fault.isOn = 1;
    // The other kinds have no such answer.
    if (answer == CUT_FILES_FULL) kinds &= 1 << CUT_FILES_WRITE | 1 << CUT_FILES_TRUNCATE;
    if (answer == CUT_FILES_BUSY) kinds &= 1 << CUT_FILES_LOCK;
    fault.kinds = kinds;
    fault.first = first;
    fault.times = times;
    fault.calls = fault.failed = 0;
    fault.answer = answer;
    fault.isPartial = is_partial;
    pthread_mutex_unlock(&lock);
}

int64_t cut_files_succeed(void) {
    pthread_mutex_lock(&lock);
    fault.isOn = 0;
    int64_t calls = fault.calls;
    pthread_mutex_unlock(&lock);
    return calls;
}

int64_t cut_files_failed(void) {
    pthread_mutex_lock(&lock);
    int64_t failed = fault.failed;
    pthread_mutex_unlock(&lock);
    return failed;
}
