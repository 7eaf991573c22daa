#define CURL_DISABLE_TYPECHECK
#include "curl_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// By these names in turn: the copy that a package of ours carries, libcurl over OpenSSL, and over GnuTLS.
#if defined(__APPLE__)
static const char *const names[] = {"libcurl.4.dylib"};
#else
static const char *const names[] = {"libcurl-neatline.so.4", "libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

// CURLOPT_PROTOCOLS_STR came with it, without which redirects are not kept to http and https.
enum { OLDEST_VERSION = 0x075500 };

#define FUNCTIONS(X)                                                                                              \
  X(version_info) X(global_init) X(easy_init) X(easy_cleanup) X(easy_setopt) X(easy_getinfo) X(easy_strerror)     \
  X(slist_append) X(slist_free_all) X(multi_init) X(multi_cleanup) X(multi_setopt) X(multi_add_handle)            \
  X(multi_remove_handle) X(multi_assign) X(multi_socket_action) X(multi_info_read) X(multi_strerror)

struct functions {
#define MEMBER(name) __typeof__(&curl_##name) name;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

static bool find(const char *name, struct functions *found, char *reason, size_t capacity) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    const char *error = dlerror();
    snprintf(reason, capacity, "%s", error ? error : name);
    return false;
  }
#define FIND(function)                                                                                            \
  *(void **)&found->function = dlsym(library, "curl_" #function);                                                 \
  if (!found->function) {                                                                                         \
    snprintf(reason, capacity, "%s has no curl_" #function, name);                                                \
    dlclose(library);                                                                                             \
    return false;                                                                                                 \
  }
  FUNCTIONS(FIND)
#undef FIND
  const curl_version_info_data *version = found->version_info(CURLVERSION_NOW);
  if (!version || version->version_num < OLDEST_VERSION) {
    snprintf(reason, capacity, "%s is of version %s, and 7.85 or later is needed", name,
             version && version->version ? version->version : "unknown");
    dlclose(library);
    return false;
  }
  return true;
}

static struct functions curl;
static char failure[512];
static bool is_loaded;

static bool find_any(const char *const *names, size_t count, struct functions *found, char *reason, size_t capacity) {
  char each[sizeof failure];
  // The last name is another one of the same library: what is said is of those that users know.
  size_t said = count > 2 ? count - 1 : count;
  reason[0] = 0;
  for (size_t i = 0; i < count; i++) {
    if (find(names[i], found, each, sizeof each)) return true;
    // That our own copy is not there is how it is without our package. One that is there should have been usable.
    bool is_absent = strncmp(each, names[i], strlen(names[i])) == 0 && strstr(each, "No such file");
    if (i >= said || (i + 1 < said && is_absent)) continue;
    size_t length = strlen(reason);
    snprintf(reason + length, capacity - length, "%s%s", length ? "; " : "", each);
  }
  return false;
}

int curl_library_load(char *reason, size_t capacity) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  // unchecked: a lock that is made with the program fails for nobody.
  pthread_mutex_lock(&lock);
  // What fails may be for want of memory or files, and pass.
  if (!is_loaded) is_loaded = find_any(names, sizeof names / sizeof *names, &curl, failure, sizeof failure);
  bool is_there = is_loaded;
  if (!is_there) snprintf(reason, capacity, "%s", failure);
  // unchecked: the same.
  pthread_mutex_unlock(&lock);
  return is_there ? 0 : -1;
}

int curl_library_try(const char *own, const char *name, char *reason, size_t capacity) {
  struct functions found;
  const char *const both[] = {own, name};
  return find_any(own ? both : both + 1, own ? 2 : 1, &found, reason, capacity) ? 0 : -1;
}

CURLcode loaded_curl_global_init(long flags) { return curl.global_init(flags); }

CURL *loaded_curl_easy_init(void) { return curl.easy_init(); }
void loaded_curl_easy_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
const char *loaded_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }
struct curl_slist *loaded_curl_slist_append(struct curl_slist *list, const char *text) {
  return curl.slist_append(list, text);
}
void loaded_curl_slist_free_all(struct curl_slist *list) { curl.slist_free_all(list); }

CURLM *loaded_curl_multi_init(void) { return curl.multi_init(); }
CURLMcode loaded_curl_multi_cleanup(CURLM *multi) { return curl.multi_cleanup(multi); }
CURLMcode loaded_curl_multi_add_handle(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
CURLMcode loaded_curl_multi_remove_handle(CURLM *multi, CURL *easy) { return curl.multi_remove_handle(multi, easy); }
CURLMcode loaded_curl_multi_assign(CURLM *multi, curl_socket_t socket, void *data) {
  return curl.multi_assign(multi, socket, data);
}
CURLMcode loaded_curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
  return curl.multi_socket_action(multi, socket, events, running);
}
CURLMsg *loaded_curl_multi_info_read(CURLM *multi, int *left) { return curl.multi_info_read(multi, left); }
const char *loaded_curl_multi_strerror(CURLMcode code) { return curl.multi_strerror(code); }

CURLcode loaded_curl_set_long(CURL *easy, CURLoption option, long value) { return curl.easy_setopt(easy, option, value); }
CURLcode loaded_curl_set_ptr(CURL *easy, CURLoption option, const void *value) {
  return curl.easy_setopt(easy, option, value);
}
CURLcode loaded_curl_set_write(CURL *easy, size_t (*function)(char *, size_t, size_t, void *)) {
  return curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}
CURLcode loaded_curl_set_header(CURL *easy, size_t (*function)(char *, size_t, size_t, void *)) {
  return curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}
CURLcode loaded_curl_get_long(CURL *easy, CURLINFO info, long *value) { return curl.easy_getinfo(easy, info, value); }
CURLMcode loaded_curlm_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl.multi_setopt(multi, option, value);
}
CURLMcode loaded_curlm_set_ptr(CURLM *multi, CURLMoption option, void *value) {
  return curl.multi_setopt(multi, option, value);
}
CURLMcode loaded_curlm_set_socket(CURLM *multi, int (*function)(CURL *, curl_socket_t, int, void *, void *)) {
  return curl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}
CURLMcode loaded_curlm_set_timer(CURLM *multi, int (*function)(CURLM *, long, void *)) {
  return curl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
