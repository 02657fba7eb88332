/* Functions on strings, each by its definition. */
#include "constants.h"
#include "primitives.h"

__SIZE_TYPE__ strlen(const char *text) {
  __SIZE_TYPE__ length = 0;
  while (text[length]) length++;
  return length;
}

__SIZE_TYPE__ strnlen(const char *text, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ length = 0;
  while (length < size && text[length]) length++;
  return length;
}

char *strcpy(char *restrict to, const char *restrict from) {
  __SIZE_TYPE__ i = 0;
  while (from[i]) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return to;
}

char *stpcpy(char *restrict to, const char *restrict from) {
  __SIZE_TYPE__ i = 0;
  while (from[i]) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return to + i;
}

char *strncpy(char *restrict to, const char *restrict from, __SIZE_TYPE__ size) {
  int ended = 0;
  for (__SIZE_TYPE__ i = 0; i < size; i++) {
    if (!ended && !from[i]) ended = 1;
    to[i] = ended ? 0 : from[i];
  }
  return to;
}

char *stpncpy(char *restrict to, const char *restrict from, __SIZE_TYPE__ size) {
  strncpy(to, from, size);
  return to + strnlen(to, size);
}

char *strcat(char *restrict to, const char *restrict from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *restrict to, const char *restrict from, __SIZE_TYPE__ size) {
  char *end = to + strlen(to);
  __SIZE_TYPE__ i = 0;
  while (i < size && from[i]) {
    end[i] = from[i];
    i++;
  }
  end[i] = 0;
  return to;
}

int strcmp(const char *left, const char *right) {
  __SIZE_TYPE__ i = 0;
  while (left[i] && left[i] == right[i]) i++;
  if (left[i] == right[i]) return 0;
  return (unsigned char)left[i] < (unsigned char)right[i] ? -1 : 1;
}

int strcoll(const char *left, const char *right) {
  return strcmp(left, right);
}

int strncmp(const char *left, const char *right, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ i = 0;
  while (i < size && left[i] && left[i] == right[i]) i++;
  if (i == size || left[i] == right[i]) return 0;
  return (unsigned char)left[i] < (unsigned char)right[i] ? -1 : 1;
}

int strcasecmp(const char *left, const char *right) {
  __SIZE_TYPE__ i = 0;
  while (left[i] && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i])) i++;
  return tolower((unsigned char)left[i]) - tolower((unsigned char)right[i]);
}

int strncasecmp(const char *left, const char *right, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ i = 0;
  while (i < size && left[i] && tolower((unsigned char)left[i]) == tolower((unsigned char)right[i])) i++;
  if (i == size) return 0;
  return tolower((unsigned char)left[i]) - tolower((unsigned char)right[i]);
}

char *strchr(const char *text, int character) {
  __SIZE_TYPE__ i = 0;
  while (text[i] && text[i] != (char)character) i++;
  return text[i] == (char)character ? (char *)(text + i) : (char *)0;
}

char *index(const char *text, int character) {
  return strchr(text, character);
}

char *strchrnul(const char *text, int character) {
  __SIZE_TYPE__ i = 0;
  while (text[i] && text[i] != (char)character) i++;
  return (char *)(text + i);
}

char *strrchr(const char *text, int character) {
  char *found = (char *)0;
  __SIZE_TYPE__ i = 0;
  while (text[i]) {
    if (text[i] == (char)character) found = (char *)(text + i);
    i++;
  }
  return (char)character ? found : (char *)(text + i);
}

char *rindex(const char *text, int character) {
  return strrchr(text, character);
}

char *strstr(const char *text, const char *part) {
  __SIZE_TYPE__ length = strlen(part);
  __SIZE_TYPE__ i = 0;
  while (text[i] && strncmp(text + i, part, length) != 0) i++;
  return text[i] || length == 0 ? (char *)(text + i) : (char *)0;
}

__SIZE_TYPE__ strspn(const char *text, const char *accept) {
  __SIZE_TYPE__ i = 0;
  while (text[i] && strchr(accept, text[i])) i++;
  return i;
}

__SIZE_TYPE__ strcspn(const char *text, const char *reject) {
  __SIZE_TYPE__ i = 0;
  while (text[i] && !strchr(reject, text[i])) i++;
  return i;
}

char *strpbrk(const char *text, const char *accept) {
  __SIZE_TYPE__ i = strcspn(text, accept);
  return text[i] ? (char *)(text + i) : (char *)0;
}

char *strtok_r(char *restrict text, const char *restrict delimiters, char **restrict state) {
  char *start = text ? text : *state;
  char *end;
  start = start + strspn(start, delimiters);
  end = start + strcspn(start, delimiters);
  if (*end) {
    *end = 0;
    *state = end + 1;
  } else {
    *state = end;
  }
  return end == start ? (char *)0 : start;
}

static char *__lazuli_strtok_state;

char *strtok(char *restrict text, const char *restrict delimiters) {
  return strtok_r(text, delimiters, &__lazuli_strtok_state);
}

char *strsep(char **restrict text, const char *restrict delimiters) {
  char *start = *text;
  char *end;
  if (!start) return start;
  end = start + strcspn(start, delimiters);
  if (*end) {
    *end = 0;
    *text = end + 1;
  } else {
    *text = (char *)0;
  }
  return start;
}

char *strdup(const char *text) {
  __SIZE_TYPE__ size = strlen(text) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, text, size) : (char *)0;
}

char *strndup(const char *text, __SIZE_TYPE__ size) {
  __SIZE_TYPE__ length = strnlen(text, size);
  char *copy = malloc(length + 1);
  if (!copy) return copy;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strerror(int number) {
  (void)number;
  return "error";
}
