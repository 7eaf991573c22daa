#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Swift cannot call variadic functions, nor turn functions into options. */
struct neat_mhd_settings {
  void *context;
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection;
  /* Is told the address as it came, before anything else of a request. */
  void *(*address)(void *context, const char *uri, struct MHD_Connection *connection);
  int listener;
  unsigned connection_limit;
  /* Bytes that one connection may take: what a head has room in. */
  size_t connection_bytes;
  /* Whether connections may go on as something else than HTTP. */
  int allows_upgrades;
  /* PEM; NULL: no TLS. */
  const char *certificate;
  const char *key;
};

/* Addresses are decoded by who reads them. */
static size_t neat_mhd_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

/* Clients that break off are no news. */
static void neat_mhd_quiet(void *context, const char *format, va_list values) {
  (void)context;
  (void)format;
  (void)values;
}

/* Whether the library checks the bytes of a head itself. Version 0.9.77 introduced its levels of discipline; older
   versions accept blanks before a colon, NUL, bare CR and folded lines at every level of MHD_OPTION_STRICT_FOR_CLIENT. */
static inline int neat_mhd_checks_heads(void) {
  unsigned major = 0, minor = 0, patch = 0;
  if (sscanf(MHD_get_version(), "%u.%u.%u", &major, &minor, &patch) != 3) return 0;
  return major > 0 || minor > 9 || patch >= 77;
}

static inline struct MHD_Daemon *neat_mhd_start(const struct neat_mhd_settings *s) {
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC | MHD_USE_ERROR_LOG;
  struct MHD_OptionItem tls[] = {
    {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->certificate},
    {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)s->key},
    {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  if (s->certificate != NULL) flags |= MHD_USE_TLS;
  if (s->allows_upgrades) flags |= MHD_ALLOW_UPGRADE;
  return MHD_start_daemon(
    flags, 0, NULL, NULL, s->handle, s->context,
    MHD_OPTION_EXTERNAL_LOGGER, &neat_mhd_quiet, NULL,
    MHD_OPTION_LISTEN_SOCKET, s->listener,
    MHD_OPTION_CONNECTION_LIMIT, s->connection_limit,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->connection_bytes,
    /* The older library closes the connection without a response where it is strict. */
    MHD_OPTION_STRICT_FOR_CLIENT, neat_mhd_checks_heads() ? 1 : 0,
    MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
    MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context,
    MHD_OPTION_URI_LOG_CALLBACK, s->address, s->context,
    MHD_OPTION_UNESCAPE_CALLBACK, &neat_mhd_keep, NULL,
    MHD_OPTION_ARRAY, s->certificate != NULL ? tls : none,
    MHD_OPTION_END);
}

/* What clients are greeted with, of PEM; NULL where the two are none, or do not fit each other. */
static inline void *neat_tls_credentials(const char *chain, unsigned chain_size, const char *key, unsigned key_size) {
  gnutls_certificate_credentials_t credentials;
  gnutls_datum_t first = {(unsigned char *)chain, chain_size}, second = {(unsigned char *)key, key_size};
  if (gnutls_certificate_allocate_credentials(&credentials) != GNUTLS_E_SUCCESS) return NULL;
  if (gnutls_certificate_set_x509_key_mem(credentials, &first, &second, GNUTLS_X509_FMT_PEM) >= 0) return credentials;
  gnutls_certificate_free_credentials(credentials);
  return NULL;
}

/* Greets with other credentials than those that the server was started with. Before the greeting begins. */
static inline void neat_tls_greet(struct MHD_Connection *connection, void *credentials) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  if (info != NULL && info->tls_session != NULL)
    gnutls_credentials_set((gnutls_session_t)info->tls_session, GNUTLS_CRD_CERTIFICATE, credentials);
}

static inline int neat_mhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info != NULL ? info->connect_fd : -1;
}

static inline const struct sockaddr *neat_mhd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info != NULL ? info->client_addr : NULL;
}

/* What the handler of connections left. */
static inline void *neat_mhd_client(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info != NULL ? info->socket_context : NULL;
}

static inline size_t neat_mhd_head_bytes(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info != NULL ? info->header_size : 0;
}

/* Bytes that came over a connection so far; 0 where the system does not tell. The field is `tcpi_bytes_received`
   of the kernel's `struct tcp_info`, which glibc's lacks. */
static inline uint64_t neat_bytes_received(int descriptor) {
#ifdef __linux__
  uint64_t info[32] = {0};
  socklen_t size = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, 11 /* TCP_INFO */, info, &size) == 0 && size >= 136) return info[16];
#else
  (void)descriptor;
#endif
  return 0;
}

/* The enumerations' cases, whose names Swift would shorten. */
static const enum MHD_Result neat_mhd_yes = MHD_YES;
static const enum MHD_Result neat_mhd_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode neat_mhd_started = MHD_CONNECTION_NOTIFY_STARTED;
static const enum MHD_RequestTerminationCode neat_mhd_completed = MHD_REQUEST_TERMINATED_COMPLETED_OK;

static inline const char *neat_mhd_field(struct MHD_Connection *connection, const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct neat_mhd_search {
  const char *name;
  int count;
};

static inline enum MHD_Result neat_mhd_compare(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct neat_mhd_search *search = context;
  (void)kind;
  (void)value;
  if (strcasecmp(name, search->name) == 0) search->count++;
  return MHD_YES;
}

/* The characters of a token (RFC 9110, 5.6.2): methods and names of fields are tokens. */
static inline int neat_is_token(const char *text) {
  if (*text == 0) return 0;
  for (; *text != 0; text++) {
    char c = *text;
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || strchr("!#$%&'*+-.^_`|~", c) != NULL)) return 0;
  }
  return 1;
}

/* What is wrong with the head of a request. */
enum neat_mhd_fault {
  neat_mhd_fault_none,
  neat_mhd_fault_method,
  neat_mhd_fault_line,
  neat_mhd_fault_name,
  neat_mhd_fault_value,
  /* Bytes that belong to no field: NUL, folded lines, line ends that are not CR LF. */
  neat_mhd_fault_bytes
};

struct neat_mhd_audit {
  /* The end of what was looked at, before its CR LF; NULL: the places of the bytes are not compared. */
  const char *end;
  int fault;
  /* Fields to pass over. */
  int skips;
};

/* The older library answers a Content-Length that is no number with two heads. It looks at the first field of this name
   alone, so that a field which is added before the head is read keeps it from looking at those of the client;
   `neat_mhd_body` does. To be called from the address callback; returns 1 where the first field of the request is this
   one, which the functions below pass over. */
static inline int neat_mhd_guard_length(struct MHD_Connection *connection) {
  if (neat_mhd_checks_heads()) return 0;
  return MHD_set_connection_value(connection, MHD_HEADER_KIND, "Content-Length", "0") == MHD_YES;
}

static inline enum MHD_Result neat_mhd_audit_field(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct neat_mhd_audit *audit = context;
  const char *at;
  (void)kind;
  if (audit->skips-- > 0) return MHD_YES;
  if (!neat_is_token(name)) audit->fault = neat_mhd_fault_name;
  for (at = value != NULL ? value : ""; *at != 0; at++)
    if (((unsigned char)*at < 32 && *at != '\t') || *at == 127) audit->fault = neat_mhd_fault_value;
  if (audit->fault == neat_mhd_fault_none && audit->end != NULL) {
    /* CR, LF and the colon became NUL in place; a folded line was copied elsewhere. */
    if (name != audit->end + 2 || value == NULL || value <= name + strlen(name)) audit->fault = neat_mhd_fault_bytes;
    else {
      for (at = name + strlen(name) + 1; at < value; at++)
        if (*at != ' ' && *at != '\t') audit->fault = neat_mhd_fault_bytes;
      audit->end = value + strlen(value);
    }
  }
  return audit->fault == neat_mhd_fault_none ? MHD_YES : MHD_NO;
}

/* Looks for what RFC 9112 forbids in a head. The older library leaves the head where it was read, and writes NUL over
   the blanks of the request line, the colons, CR and LF. So each part of a correct head begins at a known distance
   behind the part before it, and the last ends where the library counted the head to end. `target` is the text that
   the address callback got, and `target_size` its length then. */
static inline int neat_mhd_audit_head(
  struct MHD_Connection *connection, const char *method, const char *target, size_t target_size, const char *version,
  int skips) {
  struct neat_mhd_audit audit = {NULL, neat_mhd_fault_none, skips};
  const union MHD_ConnectionInfo *info;
  if (!neat_is_token(method)) return neat_mhd_fault_method;
  if (!neat_mhd_checks_heads()) {
    if (target != method + strlen(method) + 1 || version != target + target_size + 1) return neat_mhd_fault_line;
    audit.end = version + strlen(version);
  }
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &neat_mhd_audit_field, &audit);
  if (audit.fault != neat_mhd_fault_none || audit.end == NULL) return audit.fault;
  info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (info == NULL || audit.end + 4 != method + info->header_size) return neat_mhd_fault_bytes;
  return neat_mhd_fault_none;
}

/* How often a field is there. */
static inline int neat_mhd_count(struct MHD_Connection *connection, const char *name) {
  struct neat_mhd_search search = {name, 0};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &neat_mhd_compare, &search);
  return search.count;
}

/* How long the body of a request is said to be. */
struct neat_mhd_framing {
  int lengths, encodings;
  int is_malformed, has_body;
  int skips;
};

static inline enum MHD_Result neat_mhd_frame(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct neat_mhd_framing *framing = context;
  (void)kind;
  if (framing->skips-- > 0) return MHD_YES;
  if (value == NULL) value = "";
  if (strcasecmp(name, "Content-Length") == 0) {
    size_t digits = strspn(value, "0123456789");
    framing->lengths++;
    if (digits == 0 || digits > 18 || value[digits + strspn(value + digits, " \t")] != 0) framing->is_malformed = 1;
    else if (strspn(value, "0") != digits) framing->has_body = 1;
  } else if (strcasecmp(name, "Transfer-Encoding") == 0) {
    framing->encodings++;
    framing->has_body = 1;
    if (strncasecmp(value, "chunked", 7) != 0 || value[7 + strspn(value + 7, " \t")] != 0) framing->is_malformed = 1;
  }
  return MHD_YES;
}

/* Whether a request has a body: 1 where it has one; -1 where readers may disagree on where it ends (RFC 9112, 6.3):
   two lengths, a length that is no number, a length beside an encoding, an encoding other than chunked or of HTTP/1.0. */
static inline int neat_mhd_body(struct MHD_Connection *connection, int is_old, int skips) {
  struct neat_mhd_framing framing = {0, 0, 0, 0, skips};
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &neat_mhd_frame, &framing);
  if (framing.is_malformed || framing.lengths > 1 || framing.encodings > 1 ||
      (framing.encodings > 0 && (framing.lengths > 0 || is_old)))
    return -1;
  return framing.has_body;
}

/* Takes the query off an address that was read: the library would make a record of each of its parameters in what
   a connection may take, and where they do not fit the client gets no answer. Nobody asks it for them. The text is
   the library's own buffer, in which it writes as well. */
static inline void neat_mhd_drop_query(const char *address) {
  char *query = strchr((char *)address, '?');
  if (query == NULL || query[1] == 0) return;
  /* Whether the library has looked for the query already or is about to. */
  query[0] = query[1] = 0;
  for (query += 2; (query = strchr(query, '?')) != NULL;) *query = '&';
}

static inline ssize_t neat_mhd_nothing(void *context, uint64_t at, char *buffer, size_t size) {
  (void)context;
  (void)at;
  (void)buffer;
  (void)size;
  return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* An answer without its body (304, HEAD) that tells the length it would have. */
static inline struct MHD_Response *neat_mhd_head(uint64_t size) {
  return MHD_create_response_from_callback(size, 1, &neat_mhd_nothing, NULL, NULL);
}

static const ssize_t neat_mhd_end_of_body = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t neat_mhd_broken_body = MHD_CONTENT_READER_END_WITH_ERROR;
/* The length of a body that nobody knows before it is written. */
static const uint64_t neat_mhd_unknown_length = MHD_SIZE_UNKNOWN;

/* A response whose body `read` writes piece by piece; `release` gets the context when it is over. */
static inline struct MHD_Response *neat_mhd_stream(
    size_t piece, MHD_ContentReaderCallback read, void *context, MHD_ContentReaderFreeCallback release) {
  return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, piece, read, context, release);
}

static inline struct MHD_Response *neat_mhd_response(size_t size, const void *body) {
  return MHD_create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}

/* Writes without waiting and without a signal. */
static inline long neat_tell(int descriptor, const void *bytes, size_t count) {
  return (long)send(descriptor, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}

struct neat_mhd_values {
  const char *name;
  char *text;
  size_t size, count;
  int found, is_whole;
};

static inline enum MHD_Result neat_mhd_append(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
  struct neat_mhd_values *values = context;
  size_t length = value != NULL ? strlen(value) : 0;
  (void)kind;
  if (strcasecmp(name, values->name) != 0) return MHD_YES;
  if (values->count + length + 2 > values->size) {
    values->found = 1;
    values->is_whole = 0;
    return MHD_NO;
  }
  if (values->found) values->text[values->count++] = ',';
  values->found = 1;
  if (length > 0) memcpy(values->text + values->count, value, length);
  values->count += length;
  values->text[values->count] = 0;
  return MHD_YES;
}

enum neat_mhd_found { neat_mhd_absent, neat_mhd_whole, neat_mhd_too_long };

/* The values of a field behind each other, with commas, as if it had come once. */
static inline int neat_mhd_joined(struct MHD_Connection *connection, const char *name, char *text, size_t size) {
  struct neat_mhd_values values = {name, text, size, 0, 0, 1};
  text[0] = 0;
  MHD_get_connection_values(connection, MHD_HEADER_KIND, &neat_mhd_append, &values);
  if (!values.found) return neat_mhd_absent;
  return values.is_whole ? neat_mhd_whole : neat_mhd_too_long;
}

/* The connection goes on as something else: `began` gets its socket. */
static inline struct MHD_Response *neat_mhd_upgrade(MHD_UpgradeHandler began) {
  return MHD_create_response_for_upgrade(began, NULL);
}

/* Any thread; once. */
static inline void neat_mhd_end_upgrade(struct MHD_UpgradeResponseHandle *handle) {
  MHD_upgrade_action(handle, MHD_UPGRADE_ACTION_CLOSE);
}

/* What is there, without waiting: 0 at the end, below 0 with errno. */
static inline long neat_hear(int descriptor, void *bytes, size_t count) {
  return (long)recv(descriptor, bytes, count, MSG_DONTWAIT);
}

/* As the greeting of a WebSocket has it; nothing is kept secret by it. 0 where the library refuses. */
static inline int neat_sha1(const void *bytes, size_t count, unsigned char digest[20]) {
  return gnutls_hash_fast(GNUTLS_DIG_SHA1, bytes, count, digest) == GNUTLS_E_SUCCESS;
}
