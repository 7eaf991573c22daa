// libcurl, loaded when it is first needed: it brings two dozen libraries (for TLS, Kerberos, LDAP …), which take
// 4 ms and 6 MB of each process that has them, and most pictures are drawn from files. What is called here is
// libcurl's own, by its name behind loaded_, only after curl_library_load succeeded. Functions of curl.h itself are not
// linked.
#ifndef NEATLINE_CURL_LIBRARY_H
#define NEATLINE_CURL_LIBRARY_H

#include <curl/curl.h>

/// Loads libcurl, unless it was loaded. Any thread.
/// - Parameter reason: gets why it cannot be used.
/// - Returns: 0 where it can.
int curl_library_load(char *reason, size_t capacity);

/// The same with names of its own and a table of its own; for tests. Nothing of what it finds is used.
/// - Parameters:
///   - own: as the copy that a package of ours carries; NULL: none.
///   - name: as the system's.
///   - reason: gets why none can be used.
/// - Returns: 0 where one can.
int curl_library_try(const char *own, const char *name, char *reason, size_t capacity);

CURLcode loaded_curl_global_init(long flags);

CURL *loaded_curl_easy_init(void);
void loaded_curl_easy_cleanup(CURL *easy);
const char *loaded_curl_easy_strerror(CURLcode code);
struct curl_slist *loaded_curl_slist_append(struct curl_slist *list, const char *text);
void loaded_curl_slist_free_all(struct curl_slist *list);

CURLM *loaded_curl_multi_init(void);
CURLMcode loaded_curl_multi_cleanup(CURLM *multi);
CURLMcode loaded_curl_multi_add_handle(CURLM *multi, CURL *easy);
CURLMcode loaded_curl_multi_remove_handle(CURLM *multi, CURL *easy);
CURLMcode loaded_curl_multi_assign(CURLM *multi, curl_socket_t socket, void *data);
CURLMcode loaded_curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running);
CURLMsg *loaded_curl_multi_info_read(CURLM *multi, int *left);
const char *loaded_curl_multi_strerror(CURLMcode code);

// Swift cannot call variadic functions: one typed function a kind of argument.
CURLcode loaded_curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode loaded_curl_set_ptr(CURL *easy, CURLoption option, const void *value);
CURLcode loaded_curl_set_write(CURL *easy, size_t (*function)(char *, size_t, size_t, void *));
CURLcode loaded_curl_set_header(CURL *easy, size_t (*function)(char *, size_t, size_t, void *));
CURLcode loaded_curl_get_long(CURL *easy, CURLINFO info, long *value);
CURLMcode loaded_curlm_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode loaded_curlm_set_ptr(CURLM *multi, CURLMoption option, void *value);
CURLMcode loaded_curlm_set_socket(CURLM *multi, int (*function)(CURL *, curl_socket_t, int, void *, void *));
CURLMcode loaded_curlm_set_timer(CURLM *multi, int (*function)(CURLM *, long, void *));

#endif
