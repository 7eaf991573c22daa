/* Files and folders: the inputs that runs begin with, and those that are found. */
#define _GNU_SOURCE
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int ends_with(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

int read_file(const char *path, bytes *out) {
  struct stat info;
  FILE *file = fopen(path, "rb");
  if (!file) return -1;
  size_t size = fstat(fileno(file), &info) == 0 && info.st_size > 0 ? (size_t)info.st_size : 0;
  out->data = malloc(size + 1);
  out->size = out->data ? fread(out->data, 1, size, file) : 0;
  int failed = !out->data || out->size != size;
  fclose(file);
  return failed ? -1 : 0;
}

int write_file(const char *path, const uint8_t *data, size_t size) {
  FILE *file = fopen(path, "wb");
  if (!file) return -1;
  size_t written = fwrite(data, 1, size, file);
  return fclose(file) == 0 && written == size ? 0 : -1;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

void read_folder(corpus *corpus, const char *path, int (*wanted)(const char *name, size_t size)) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, by_name);
  for (int index = 0; index < count; index++) {
    const char *name = entries[index]->d_name;
    char *full = NULL;
    struct stat info;
    bytes contents;
    if (name[0] != '.' && asprintf(&full, "%s/%s", path, name) > 0 && stat(full, &info) == 0) {
      if (S_ISDIR(info.st_mode)) read_folder(corpus, full, wanted);
      else if (
          wanted(name, (size_t)info.st_size) && corpus->count < CORPUS_LIMIT
          && read_file(full, &contents) == 0)
        corpus->files[corpus->count++] = (corpus_file){contents, strdup(name)};
    }
    free(full);
    free(entries[index]);
  }
  if (count >= 0) free(entries);
}

void empty_folder(const char *path) {
  DIR *folder = opendir(path);
  if (!folder) return;
  for (struct dirent *entry; (entry = readdir(folder));) {
    if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) unlinkat(dirfd(folder), entry->d_name, 0);
  }
  closedir(folder);
}

/* In memory where the system has such a folder, since targets write a file in each run. */
static void scratch_name(char *out, size_t size, int process) {
  snprintf(out, size, "%s/neatline-fuzz-%d", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", process);
}

const char *scratch_folder(void) {
  static char path[64];
  if (!*path) {
    scratch_name(path, sizeof path, getpid());
    if (mkdir(path, 0700)) abort();
  }
  return path;
}

void remove_scratch(int process) {
  char path[64];
  scratch_name(path, sizeof path, process);
  empty_folder(path);
  rmdir(path);
}
