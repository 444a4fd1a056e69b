// What Baton uses of libcurl, which is opened at run time. No header of libcurl is needed to build this.
//
// The names after `baton_` are those of libcurl, whose documentation says what they do (https://curl.se/libcurl/c/).
// Its binary interface is stable: options and codes keep their numbers, and structures their members.

#ifndef BATON_CURL_H
#define BATON_CURL_H

#include <stddef.h>
#include <stdint.h>

// An easy handle, a multi handle and a list of strings. Their content is libcurl's business.
typedef struct BatonCurlEasy BatonCurlEasy;
typedef struct BatonCurlMulti BatonCurlMulti;
typedef struct BatonCurlList BatonCurlList;

// Why the library cannot be used.
enum {
    BATON_CURL_LOADED = 0,
    BATON_CURL_MISSING = 1,     // there is no such library
    BATON_CURL_TOO_OLD = 2,     // it lacks a function, or has too small a number
    BATON_CURL_STATIC = 3,      // this program is linked statically, and must not open libraries
    BATON_CURL_FAILED = 4,      // it could not be initialized
    BATON_CURL_WITHOUT_RESOLVER = 5,    // it looks names up while everything else waits
};

// Opens and initializes the library at the first call. Any thread may call this, and must before any other function.
int baton_curl_load(void);
// The version as text and as a number (0xMMmmpp), and a set of features; null and 0 before it is loaded.
const char *baton_curl_version(void);
unsigned int baton_curl_version_number(void);
int baton_curl_features(void);

BatonCurlEasy *baton_curl_easy_init(void);
void baton_curl_easy_cleanup(BatonCurlEasy *easy);
// Runs a transfer to its end on this thread.
int baton_curl_easy_perform(BatonCurlEasy *easy);
int baton_curl_easy_pause(BatonCurlEasy *easy, int directions);
int baton_curl_easy_send(BatonCurlEasy *easy, const void *bytes, size_t count, size_t *sent);
int baton_curl_easy_recv(BatonCurlEasy *easy, void *bytes, size_t count, size_t *received);
// What the library says about a code: the message of a handle's error buffer, or, where that has a URL in it or is empty,
// a general text. URLs may have secrets.
const char *baton_curl_text(int code, const char *message);

// The doors to `curl_easy_setopt`, `curl_easy_getinfo` and `curl_multi_setopt`, which have variable arguments.
typedef size_t (*BatonCurlTransfer)(char *bytes, size_t size, size_t count, void *context);
typedef int (*BatonCurlGate)(void *context, char *remote, char *local, int remotePort, int localPort);
int baton_curl_set_long(BatonCurlEasy *easy, int option, long value);
int baton_curl_set_offset(BatonCurlEasy *easy, int option, int64_t value);
int baton_curl_set_string(BatonCurlEasy *easy, int option, const char *value);
int baton_curl_set_context(BatonCurlEasy *easy, int option, void *value);
int baton_curl_set_list(BatonCurlEasy *easy, int option, BatonCurlList *value);
int baton_curl_set_transfer(BatonCurlEasy *easy, int option, BatonCurlTransfer function);
int baton_curl_set_gate(BatonCurlEasy *easy, int option, BatonCurlGate function);
// Who is told of each socket that a handle opens, and of each one before it is closed. The structure must outlive the
// connections.
typedef struct {
    void (*news)(void *context, int descriptor, int isOpen);
    void *context;
} BatonCurlWatch;
// A body cannot be wound back, and sockets are closed when the process runs another program. The watch may be null.
int baton_curl_set_guards(BatonCurlEasy *easy, const BatonCurlWatch *watch);
int64_t baton_curl_offset_info(BatonCurlEasy *easy, int info);
long baton_curl_long_info(BatonCurlEasy *easy, int info);
// The socket of a connection that was made with CONNECT_ONLY; -1 if there is none.
int baton_curl_socket(BatonCurlEasy *easy);

// Finds the two ends of a connection; 0 if it is none over IP. An address is a text of up to 46 bytes.
int baton_curl_socket_ends(int descriptor, char *remote, size_t size, int *remotePort, int *localPort);
// What a socket would give to a reader now: the first byte, which stays, or one of the following.
enum {
    BATON_CURL_SILENCE = -1,    // nothing yet
    BATON_CURL_END = 256,       // the end, or an error
};
int baton_curl_socket_waiting(int descriptor);
// Ends a connection in both directions. The descriptor stays open.
void baton_curl_socket_shut(int descriptor);

BatonCurlMulti *baton_curl_multi_init(void);
void baton_curl_multi_cleanup(BatonCurlMulti *multi);
int baton_curl_multi_set_long(BatonCurlMulti *multi, int option, long value);
int baton_curl_multi_add_handle(BatonCurlMulti *multi, BatonCurlEasy *easy);
int baton_curl_multi_remove_handle(BatonCurlMulti *multi, BatonCurlEasy *easy);
int baton_curl_multi_perform(BatonCurlMulti *multi, int *running);
// Waits for what the transfers wait for, and for a socket of the caller's unless it is -1.
int baton_curl_multi_poll(BatonCurlMulti *multi, int socket, short events, int milliseconds);
int baton_curl_multi_wakeup(BatonCurlMulti *multi);
// The next transfer that has ended, and its code; null if there is none.
BatonCurlEasy *baton_curl_multi_next_end(BatonCurlMulti *multi, int *code);

// Adds to a list, or begins one; null if there is no memory, and the list stays.
BatonCurlList *baton_curl_slist_append(BatonCurlList *list, const char *text);
void baton_curl_slist_free_all(BatonCurlList *list);

// Options of an easy handle.
enum {
    BATON_CURLOPT_WRITEDATA = 10001,
    BATON_CURLOPT_URL = 10002,
    BATON_CURLOPT_PROXY = 10004,
    BATON_CURLOPT_READDATA = 10009,
    BATON_CURLOPT_ERRORBUFFER = 10010,
    BATON_CURLOPT_WRITEFUNCTION = 20011,
    BATON_CURLOPT_READFUNCTION = 20012,
    BATON_CURLOPT_HTTPHEADER = 10023,
    BATON_CURLOPT_SSLCERT = 10025,
    BATON_CURLOPT_KEYPASSWD = 10026,
    BATON_CURLOPT_HEADERDATA = 10029,
    BATON_CURLOPT_CUSTOMREQUEST = 10036,
    BATON_CURLOPT_POST = 47,
    BATON_CURLOPT_HTTPPROXYTUNNEL = 61,
    BATON_CURLOPT_CAINFO = 10065,
    BATON_CURLOPT_FRESH_CONNECT = 74,
    BATON_CURLOPT_FORBID_REUSE = 75,
    BATON_CURLOPT_HEADERFUNCTION = 20079,
    BATON_CURLOPT_HTTP_VERSION = 84,
    BATON_CURLOPT_SSLKEY = 10087,
    BATON_CURLOPT_NOSIGNAL = 99,
    BATON_CURLOPT_ACCEPT_ENCODING = 10102,
    BATON_CURLOPT_POSTFIELDSIZE_LARGE = 30120,
    BATON_CURLOPT_CONNECT_ONLY = 141,
    BATON_CURLOPT_TIMEOUT_MS = 155,
    BATON_CURLOPT_CONNECTTIMEOUT_MS = 156,
    BATON_CURLOPT_COPYPOSTFIELDS = 10165,
    BATON_CURLOPT_PROTOCOLS = 181,
    BATON_CURLOPT_PINNEDPUBLICKEY = 10230,
    BATON_CURLOPT_UNIX_SOCKET_PATH = 10231,
    BATON_CURLOPT_PATH_AS_IS = 234,
    BATON_CURLOPT_PIPEWAIT = 237,
    BATON_CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    BATON_CURLOPT_HTTP09_ALLOWED = 285,
    BATON_CURLOPT_MAXAGE_CONN = 288,
    BATON_CURLOPT_PREREQFUNCTION = 20312,
    BATON_CURLOPT_PREREQDATA = 10313,
};

// Options of a multi handle.
enum {
    BATON_CURLMOPT_MAXCONNECTS = 6,
    BATON_CURLMOPT_MAX_HOST_CONNECTIONS = 7,
};

// Values of options, results of callbacks, features.
enum {
    BATON_CURL_PROTOCOLS_HTTP_AND_HTTPS = 3,
    BATON_CURL_HTTP_VERSION_1_1 = 2,
    BATON_CURL_HTTP_VERSION_2TLS = 4,
    BATON_CURL_PAUSE = 0x10000001,      // what a callback that reads or writes returns to pause
    BATON_CURL_READ_ABORT = 0x10000000,
    BATON_CURL_CONTINUE = 0,            // nothing is paused
    BATON_CURL_INFO_SIZE_DOWNLOAD = 0x600008,
    BATON_CURL_INFO_HEADER_SIZE = 0x20000B,
    BATON_CURL_INFO_REQUEST_SIZE = 0x20000C,
    BATON_CURL_INFO_HTTP_CONNECTCODE = 0x200016,
    BATON_CURL_WAIT_IN = 1,
    BATON_CURL_WAIT_OUT = 4,
    BATON_CURL_ERROR_SIZE = 256,
    BATON_CURL_HTTP2 = 1 << 16,
};

// How a transfer ends.
enum {
    BATON_CURLE_OK = 0,
    BATON_CURLE_UNSUPPORTED_PROTOCOL = 1,
    BATON_CURLE_URL_MALFORMAT = 3,
    BATON_CURLE_COULDNT_RESOLVE_PROXY = 5,
    BATON_CURLE_COULDNT_RESOLVE_HOST = 6,
    BATON_CURLE_COULDNT_CONNECT = 7,
    BATON_CURLE_WEIRD_SERVER_REPLY = 8,
    BATON_CURLE_HTTP2 = 16,
    BATON_CURLE_PARTIAL_FILE = 18,
    BATON_CURLE_WRITE_ERROR = 23,
    BATON_CURLE_OUT_OF_MEMORY = 27,
    BATON_CURLE_OPERATION_TIMEDOUT = 28,
    BATON_CURLE_SSL_CONNECT_ERROR = 35,
    BATON_CURLE_ABORTED_BY_CALLBACK = 42,
    BATON_CURLE_BAD_FUNCTION_ARGUMENT = 43,
    BATON_CURLE_GOT_NOTHING = 52,
    BATON_CURLE_SSL_ENGINE_NOTFOUND = 53,
    BATON_CURLE_SEND_ERROR = 55,
    BATON_CURLE_RECV_ERROR = 56,
    BATON_CURLE_SSL_CERTPROBLEM = 58,
    BATON_CURLE_SSL_CIPHER = 59,
    BATON_CURLE_PEER_FAILED_VERIFICATION = 60,
    BATON_CURLE_BAD_CONTENT_ENCODING = 61,
    BATON_CURLE_USE_SSL_FAILED = 64,
    BATON_CURLE_SEND_FAIL_REWIND = 65,
    BATON_CURLE_SSL_CACERT_BADFILE = 77,
    BATON_CURLE_AGAIN = 81,
    BATON_CURLE_SSL_ISSUER_ERROR = 83,
    BATON_CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    BATON_CURLE_SSL_INVALIDCERTSTATUS = 91,
    BATON_CURLE_HTTP2_STREAM = 92,
    BATON_CURLE_PROXY = 97,
    BATON_CURLE_SSL_CLIENTCERT = 98,
    BATON_CURLE_TOO_LARGE = 100,
};

#endif
