#include <curl/curl.h>

/* Swift cannot call variadic functions: one typed wrapper a kind of argument. */
static inline CURLcode neat_curl_set_long(CURL *h, CURLoption o, long v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode neat_curl_set_ptr(CURL *h, CURLoption o, const void *v) { return curl_easy_setopt(h, o, v); }
static inline CURLcode neat_curl_set_write(CURL *h, size_t (*f)(char *, size_t, size_t, void *)) { return curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, f); }
static inline CURLcode neat_curl_set_header(CURL *h, size_t (*f)(char *, size_t, size_t, void *)) { return curl_easy_setopt(h, CURLOPT_HEADERFUNCTION, f); }
static inline CURLcode neat_curl_get_long(CURL *h, CURLINFO i, long *v) { return curl_easy_getinfo(h, i, v); }
static inline CURLcode neat_curl_get_ptr(CURL *h, CURLINFO i, void **v) { return curl_easy_getinfo(h, i, v); }
static inline CURLMcode neat_curlm_set_long(CURLM *h, CURLMoption o, long v) { return curl_multi_setopt(h, o, v); }
static inline CURLMcode neat_curlm_set_ptr(CURLM *h, CURLMoption o, void *v) { return curl_multi_setopt(h, o, v); }
static inline CURLMcode neat_curlm_set_socket(CURLM *h, int (*f)(CURL *, curl_socket_t, int, void *, void *)) { return curl_multi_setopt(h, CURLMOPT_SOCKETFUNCTION, f); }
static inline CURLMcode neat_curlm_set_timer(CURLM *h, int (*f)(CURLM *, long, void *)) { return curl_multi_setopt(h, CURLMOPT_TIMERFUNCTION, f); }
