/* Input, output, sockets and threads that fail. What does not fail goes to the kernel, or to the C library's own. */
#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether a call of this kind fails now; errno says why. */
static bool fails(enum fault_kind kind) {
  if (fault_error == 0 || !fault_due(kind, 0)) return false;
  errno = fault_error;
  return true;
}

/* The same of a read or a write, which may take a part instead. */
static bool fails_or_shortens(enum fault_kind kind, size_t *size) {
  if (!fault_due(kind, 0)) return false;
  if (fault_error == 0) {
    if (*size > 1) *size /= 2;
    return false;
  }
  errno = fault_error;
  return true;
}

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  return fails(FAULT_OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE(mode)                                        \
  mode_t mode = 0;                                        \
  if ((flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE) { \
    va_list list;                                         \
    va_start(list, flags);                                \
    mode = va_arg(list, mode_t);                          \
    va_end(list);                                         \
  }

int open(const char *path, int flags, ...) {
  MODE(mode)
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(mode)
  return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE(mode)
  return open_at(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE(mode)
  return open_at(folder, path, flags | O_LARGEFILE, mode);
}

#define REAL(name, type) \
  static __typeof__(type) *real; \
  if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, name);

int mkstemp(char *template) {
  REAL("mkstemp", int(char *))
  return fails(FAULT_OPEN) ? -1 : real(template);
}
int mkstemp64(char *template) { return mkstemp(template); }

ssize_t read(int file, void *bytes, size_t size) {
  return fails_or_shortens(FAULT_READ, &size) ? -1 : syscall(SYS_read, file, bytes, size);
}
ssize_t pread(int file, void *bytes, size_t size, off_t offset) {
  return fails_or_shortens(FAULT_READ, &size) ? -1 : syscall(SYS_pread64, file, bytes, size, offset);
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t offset) { return pread(file, bytes, size, offset); }
ssize_t recv(int socket, void *bytes, size_t size, int flags) {
  return fails_or_shortens(FAULT_READ, &size) ? -1 : syscall(SYS_recvfrom, socket, bytes, size, flags, NULL, NULL);
}

ssize_t write(int file, const void *bytes, size_t size) {
  return fails_or_shortens(FAULT_WRITE, &size) ? -1 : syscall(SYS_write, file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return fails_or_shortens(FAULT_WRITE, &size) ? -1 : syscall(SYS_pwrite64, file, bytes, size, offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) { return pwrite(file, bytes, size, offset); }
ssize_t send(int socket, const void *bytes, size_t size, int flags) {
  return fails_or_shortens(FAULT_WRITE, &size) ? -1 : syscall(SYS_sendto, socket, bytes, size, flags, NULL, 0);
}
ssize_t sendmsg(int socket, const struct msghdr *message, int flags) {
  return fails(FAULT_WRITE) ? -1 : syscall(SYS_sendmsg, socket, message, flags);
}

int fsync(int file) { return fails(FAULT_SYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return fails(FAULT_SYNC) ? -1 : (int)syscall(SYS_fdatasync, file); }
int rename(const char *from, const char *to) {
  return fails(FAULT_RENAME) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char *path) { return fails(FAULT_RENAME) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0); }
int ftruncate(int file, off_t size) { return fails(FAULT_TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }
int posix_fallocate(int file, off_t offset, off_t size) {
  if (fails(FAULT_TRUNCATE)) return fault_error;
  return syscall(SYS_fallocate, file, 0, offset, size) == 0 ? 0 : errno;
}
int posix_fallocate64(int file, off64_t offset, off64_t size) { return posix_fallocate(file, offset, size); }

static int stat_at(int file, const char *path, struct stat *out, int flags) {
  return fails(FAULT_STAT) ? -1 : (int)syscall(SYS_newfstatat, file, path, out, flags);
}
int stat(const char *path, struct stat *out) { return stat_at(AT_FDCWD, path, out, 0); }
int lstat(const char *path, struct stat *out) { return stat_at(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW); }
int fstat(int file, struct stat *out) { return stat_at(file, "", out, AT_EMPTY_PATH); }
int stat64(const char *path, struct stat64 *out) { return stat(path, (struct stat *)out); }
int lstat64(const char *path, struct stat64 *out) { return lstat(path, (struct stat *)out); }
int fstat64(int file, struct stat64 *out) { return fstat(file, (struct stat *)out); }

int socket(int domain, int type, int protocol) {
  return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_socket, domain, type, protocol);
}
int connect(int socket, const struct sockaddr *address, socklen_t size) {
  return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_connect, socket, address, size);
}
int accept(int socket, struct sockaddr *restrict address, socklen_t *restrict size) {
  return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_accept4, socket, address, size, 0);
}
int accept4(int socket, struct sockaddr *restrict address, socklen_t *restrict size, int flags) {
  return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_accept4, socket, address, size, flags);
}
int bind(int socket, const struct sockaddr *address, socklen_t size) {
  return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_bind, socket, address, size);
}
int listen(int socket, int count) { return fails(FAULT_SOCKET) ? -1 : (int)syscall(SYS_listen, socket, count); }

int epoll_create1(int flags) { return fails(FAULT_POLL) ? -1 : (int)syscall(SYS_epoll_create1, flags); }
int eventfd(unsigned count, int flags) { return fails(FAULT_POLL) ? -1 : (int)syscall(SYS_eventfd2, count, flags); }
int pipe(int ends[2]) { return fails(FAULT_POLL) ? -1 : (int)syscall(SYS_pipe2, ends, 0); }
int pipe2(int ends[2], int flags) { return fails(FAULT_POLL) ? -1 : (int)syscall(SYS_pipe2, ends, flags); }

int pthread_create(
    pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*body)(void *), void *restrict context) {
  REAL("pthread_create", int(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))
  if (fails(FAULT_THREAD)) return fault_error;
  return real(thread, attributes, body, context);
}
