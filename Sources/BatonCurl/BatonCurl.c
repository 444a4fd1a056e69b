#define _GNU_SOURCE
#include "BatonCurl.h"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <dirent.h>
#include <link.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#endif

// The structures of libcurl that are read or written here.
struct Message {
    int kind;
    BatonCurlEasy *easy;
    union {
        void *any;
        int code;
    } data;
};
struct WaitedSocket {
    int socket;
    short events;
    short happened;
};
struct VersionInfo {
    int age;
    const char *version;
    unsigned int number;
    const char *host;
    int features;
    // More follows.
};
struct SocketAddress {
    int family;
    int type;
    int protocol;
    unsigned int length;
    struct sockaddr address;
};

enum {
    globalAll = 3,
    versionNow = 0,
    oldestVersion = 0x074400,
    asynchronousNames = 1 << 7,
    messageDone = 1,
    infoActiveSocket = 0x50002C,
    optionOpenSocketFunction = 20163,
    optionOpenSocketData = 10164,
    optionSeekFunction = 20167,
    optionCloseSocketFunction = 20208,
    optionCloseSocketData = 10209,
    seekFails = 1,
};

// The functions of the library; they are written once, before `status` is read.
static struct {
    int (*global_init)(long);
    const struct VersionInfo *(*version_info)(int);
    BatonCurlEasy *(*easy_init)(void);
    void (*easy_cleanup)(BatonCurlEasy *);
    int (*easy_perform)(BatonCurlEasy *);
    int (*easy_setopt)(BatonCurlEasy *, int, ...);
    int (*easy_getinfo)(BatonCurlEasy *, int, ...);
    int (*easy_pause)(BatonCurlEasy *, int);
    int (*easy_send)(BatonCurlEasy *, const void *, size_t, size_t *);
    int (*easy_recv)(BatonCurlEasy *, void *, size_t, size_t *);
    const char *(*easy_strerror)(int);
    BatonCurlMulti *(*multi_init)(void);
    int (*multi_cleanup)(BatonCurlMulti *);
    int (*multi_setopt)(BatonCurlMulti *, int, ...);
    int (*multi_add_handle)(BatonCurlMulti *, BatonCurlEasy *);
    int (*multi_remove_handle)(BatonCurlMulti *, BatonCurlEasy *);
    int (*multi_perform)(BatonCurlMulti *, int *);
    int (*multi_poll)(BatonCurlMulti *, struct WaitedSocket *, unsigned int, int, int *);
    int (*multi_wakeup)(BatonCurlMulti *);
    struct Message *(*multi_info_read)(BatonCurlMulti *, int *);
    BatonCurlList *(*slist_append)(BatonCurlList *, const char *);
    void (*slist_free_all)(BatonCurlList *);
} curl;

static const struct VersionInfo *version;
static int status = BATON_CURL_MISSING;

#ifdef __linux__
static int isLibrary(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size, (void)context;
    // The program itself has no name, and the kernel's page has one without a path.
    return info->dlpi_name != NULL && info->dlpi_name[0] == '/';
}

// A static program has no libraries. It could open some, with a second C library beside its own.
static int isStatic(void) { return dl_iterate_phdr(isLibrary, NULL) == 0; }
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#else
static int isStatic(void) { return 0; }
static const char *const names[] = {"/usr/lib/libcurl.4.dylib", "libcurl.4.dylib"};
#endif

// Finds a function of the library. The structure's members are all pointers to functions.
#define FIND(name) ((*(void **)&curl.name = dlsym(library, "curl_" #name)) != NULL)

static void load(void) {
    if (isStatic()) {
        status = BATON_CURL_STATIC;
        return;
    }
    void *library = dlopen(names[0], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) library = dlopen(names[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return;
    status = BATON_CURL_TOO_OLD;
    if (!(FIND(global_init) && FIND(version_info) && FIND(easy_init) && FIND(easy_cleanup) && FIND(easy_perform)
          && FIND(easy_setopt) && FIND(easy_getinfo) && FIND(easy_pause) && FIND(easy_send) && FIND(easy_recv)
          && FIND(easy_strerror) && FIND(multi_init) && FIND(multi_cleanup) && FIND(multi_setopt)
          && FIND(multi_add_handle) && FIND(multi_remove_handle) && FIND(multi_perform) && FIND(multi_poll)
          && FIND(multi_wakeup) && FIND(multi_info_read) && FIND(slist_append) && FIND(slist_free_all))) return;
    version = curl.version_info(versionNow);
    if (version->number < oldestVersion) return;
    // Without a thread that looks names up, each look-up would stop all transfers.
    if (!(version->features & asynchronousNames)) {
        status = BATON_CURL_WITHOUT_RESOLVER;
        return;
    }
    status = curl.global_init(globalAll) == BATON_CURLE_OK ? BATON_CURL_LOADED : BATON_CURL_FAILED;
}

int baton_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return status;
}

const char *baton_curl_version(void) { return version == NULL ? NULL : version->version; }
unsigned int baton_curl_version_number(void) { return version == NULL ? 0 : version->number; }
int baton_curl_features(void) { return version == NULL ? 0 : version->features; }

// Easy handles.

BatonCurlEasy *baton_curl_easy_init(void) { return curl.easy_init(); }
void baton_curl_easy_cleanup(BatonCurlEasy *easy) { curl.easy_cleanup(easy); }
int baton_curl_easy_perform(BatonCurlEasy *easy) { return curl.easy_perform(easy); }
int baton_curl_easy_pause(BatonCurlEasy *easy, int directions) { return curl.easy_pause(easy, directions); }
int baton_curl_easy_send(BatonCurlEasy *easy, const void *bytes, size_t count, size_t *sent) {
    return curl.easy_send(easy, bytes, count, sent);
}
int baton_curl_easy_recv(BatonCurlEasy *easy, void *bytes, size_t count, size_t *received) {
    return curl.easy_recv(easy, bytes, count, received);
}
const char *baton_curl_text(int code, const char *message) {
    if (message == NULL || message[0] == 0) return curl.easy_strerror(code);
    // A URL in it may have a user and a password, also if it is none that can be read. So may the name of a proxy.
    int isQuoted = strstr(message, "://") != NULL || strchr(message, '@') != NULL;
    if (strncmp(message, "Unsupported proxy", 17) == 0) return "The URL of the proxy cannot be used";
    return isQuoted || code == BATON_CURLE_COULDNT_RESOLVE_PROXY ? curl.easy_strerror(code) : message;
}

int baton_curl_set_long(BatonCurlEasy *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int baton_curl_set_offset(BatonCurlEasy *easy, int option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}
int baton_curl_set_string(BatonCurlEasy *easy, int option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}
int baton_curl_set_context(BatonCurlEasy *easy, int option, void *value) {
    return curl.easy_setopt(easy, option, value);
}
int baton_curl_set_list(BatonCurlEasy *easy, int option, BatonCurlList *value) {
    return curl.easy_setopt(easy, option, value);
}
int baton_curl_set_transfer(BatonCurlEasy *easy, int option, BatonCurlTransfer function) {
    return curl.easy_setopt(easy, option, function);
}
int baton_curl_set_gate(BatonCurlEasy *easy, int option, BatonCurlGate function) {
    return curl.easy_setopt(easy, option, function);
}

static int refuseToSeek(void *context, int64_t offset, int origin) {
    (void)context, (void)offset, (void)origin;
    return seekFails;
}

static int newSocket(const struct SocketAddress *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
#else
    int descriptor = socket(address->family, address->type, address->protocol);
    if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

static int openSocket(void *context, int purpose, struct SocketAddress *address) {
    (void)purpose;
    const BatonCurlWatch *watch = context;
    int descriptor = newSocket(address);
    if (descriptor >= 0 && watch != NULL) watch->news(watch->context, descriptor, 1);
    return descriptor;
}

static int closeSocket(void *context, int descriptor) {
    const BatonCurlWatch *watch = context;
    watch->news(watch->context, descriptor, 0);
    return close(descriptor);
}

int baton_curl_set_guards(BatonCurlEasy *easy, const BatonCurlWatch *watch) {
    int code = curl.easy_setopt(easy, optionSeekFunction, refuseToSeek);
    if (code == BATON_CURLE_OK) code = curl.easy_setopt(easy, optionOpenSocketFunction, openSocket);
    if (watch == NULL || code != BATON_CURLE_OK) return code;
    code = curl.easy_setopt(easy, optionOpenSocketData, watch);
    if (code == BATON_CURLE_OK) code = curl.easy_setopt(easy, optionCloseSocketFunction, closeSocket);
    return code == BATON_CURLE_OK ? curl.easy_setopt(easy, optionCloseSocketData, watch) : code;
}

int64_t baton_curl_offset_info(BatonCurlEasy *easy, int info) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, info, &value) == BATON_CURLE_OK ? value : 0;
}

long baton_curl_long_info(BatonCurlEasy *easy, int info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == BATON_CURLE_OK ? value : 0;
}

int baton_curl_socket(BatonCurlEasy *easy) {
    int descriptor = -1;
    return curl.easy_getinfo(easy, infoActiveSocket, &descriptor) == BATON_CURLE_OK ? descriptor : -1;
}

// Sockets.

int baton_curl_socket_ends(int descriptor, char *remote, size_t size, int *remotePort, int *localPort) {
    union {
        struct sockaddr any;
        struct sockaddr_in four;
        struct sockaddr_in6 six;
    } there, here;
    socklen_t length = sizeof there;
    if (getpeername(descriptor, &there.any, &length) != 0) return 0;
    length = sizeof here;
    if (getsockname(descriptor, &here.any, &length) != 0) return 0;
    if (there.any.sa_family == AF_INET) {
        *remotePort = ntohs(there.four.sin_port);
        *localPort = ntohs(here.four.sin_port);
        return inet_ntop(AF_INET, &there.four.sin_addr, remote, (socklen_t)size) != NULL;
    }
    if (there.any.sa_family != AF_INET6) return 0;
    *remotePort = ntohs(there.six.sin6_port);
    *localPort = ntohs(here.six.sin6_port);
    return inet_ntop(AF_INET6, &there.six.sin6_addr, remote, (socklen_t)size) != NULL;
}

int baton_curl_socket_waiting(int descriptor) {
    unsigned char first;
    ssize_t count;
    do count = recv(descriptor, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    while (count < 0 && errno == EINTR);
    if (count > 0) return first;
    return count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? BATON_CURL_SILENCE : BATON_CURL_END;
}

void baton_curl_socket_shut(int descriptor) { shutdown(descriptor, SHUT_RDWR); }

// Multi handles.

#ifdef __linux__
enum { mostPairs = 1024, wakes = 3 };

// The number of bytes that a socket has to read, or has sent and the other end has not read.
static int waitingBytes(int descriptor, unsigned long what) {
    int count = 0;
    return ioctl(descriptor, what, &count) == 0 ? count : -1;
}

// Older libraries wake themselves with a pair of Unix sockets that another program would inherit. Nothing tells which
// they are. So the pair is woken some times: one end has that many bytes to read then, and the other has sent something,
// until the library has read it.
static void closeOnExec(BatonCurlMulti *multi) {
    int found[mostPairs], count = 0;
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return;
    for (struct dirent *entry; count < mostPairs && (entry = readdir(folder)) != NULL;) {
        int descriptor = atoi(entry->d_name), domain = 0, flags = fcntl(descriptor, F_GETFD);
        socklen_t length = sizeof domain;
        if (flags < 0 || flags & FD_CLOEXEC) continue;
        if (getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0 || domain != AF_UNIX) continue;
        if (waitingBytes(descriptor, FIONREAD) == 0 && waitingBytes(descriptor, SIOCOUTQ) == 0) found[count++] = descriptor;
    }
    closedir(folder);
    for (int i = 0; i < wakes; i++) curl.multi_wakeup(multi);
    int own[2] = {-1, -1};
    for (int i = 0; i < count; i++) {
        if (waitingBytes(found[i], FIONREAD) == wakes) own[0] = found[i];
        if (waitingBytes(found[i], SIOCOUTQ) > 0) own[1] = found[i];
    }
    curl.multi_poll(multi, NULL, 0, 0, NULL);
    if (own[0] < 0 || own[1] < 0) return;
    if (waitingBytes(own[0], FIONREAD) != 0 || waitingBytes(own[1], SIOCOUTQ) != 0) return;
    for (int i = 0; i < 2; i++) fcntl(own[i], F_SETFD, FD_CLOEXEC);
}
#endif

BatonCurlMulti *baton_curl_multi_init(void) {
    BatonCurlMulti *multi = curl.multi_init();
#ifdef __linux__
    if (multi != NULL) closeOnExec(multi);
#endif
    return multi;
}
void baton_curl_multi_cleanup(BatonCurlMulti *multi) { curl.multi_cleanup(multi); }
int baton_curl_multi_set_long(BatonCurlMulti *multi, int option, long value) {
    return curl.multi_setopt(multi, option, value);
}
int baton_curl_multi_add_handle(BatonCurlMulti *multi, BatonCurlEasy *easy) {
    return curl.multi_add_handle(multi, easy);
}
int baton_curl_multi_remove_handle(BatonCurlMulti *multi, BatonCurlEasy *easy) {
    return curl.multi_remove_handle(multi, easy);
}
int baton_curl_multi_perform(BatonCurlMulti *multi, int *running) { return curl.multi_perform(multi, running); }

int baton_curl_multi_poll(BatonCurlMulti *multi, int socket, short events, int milliseconds) {
    struct WaitedSocket waited = {socket, events, 0};
    return curl.multi_poll(multi, &waited, socket < 0 ? 0 : 1, milliseconds, NULL);
}

int baton_curl_multi_wakeup(BatonCurlMulti *multi) { return curl.multi_wakeup(multi); }

BatonCurlEasy *baton_curl_multi_next_end(BatonCurlMulti *multi, int *code) {
    int left;
    struct Message *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->kind != messageDone) continue;
        *code = message->data.code;
        return message->easy;
    }
    return NULL;
}

BatonCurlList *baton_curl_slist_append(BatonCurlList *list, const char *text) {
    return curl.slist_append(list, text);
}
void baton_curl_slist_free_all(BatonCurlList *list) { curl.slist_free_all(list); }
