// lazuli: expect safe; unwind 3; rounds 2; LP64
// The head of a circular list lies in a larger record. Where an entry may be taken for the head, the bytes of its name
// lie on other members of the record; its pointers stay whole.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct link {
  struct link *before, *after;
};

struct entry {
  struct link link;
  char name[4];
  int value;
};

struct cache {
  struct entry *found;
  struct link recent;
  pthread_mutex_t lock;
  int hits;
};

static struct cache *cache;

static void take_out(struct link *link) {
  link->before->after = link->after;
  link->after->before = link->before;
}

static void put_behind(struct link *link, struct link *head) {
  link->after = head->after;
  link->before = head;
  head->after->before = link;
  head->after = link;
}

static void add(const char *name, int value) {
  struct entry *entry = malloc(sizeof *entry);
  strcpy(entry->name, name);
  entry->value = value;
  put_behind(&entry->link, &cache->recent);
}

static int get(const char *name) {
  int value = 0;
  pthread_mutex_lock(&cache->lock);
  struct link *at = cache->recent.after;
  while (at != &cache->recent && strcmp(((struct entry *)at)->name, name) != 0) at = at->after;
  if (at != &cache->recent) {
    value = ((struct entry *)at)->value;
    take_out(at);
    put_behind(at, &cache->recent);
    cache->found = (struct entry *)at;
    cache->hits++;
  }
  pthread_mutex_unlock(&cache->lock);
  return value;
}

static void drop_oldest(void) {
  struct entry *oldest = (struct entry *)cache->recent.before;
  assert(strcmp(oldest->name, "c") != 0);
  take_out(&oldest->link);
  free(oldest);
}

static void *look(void *name) {
  assert(get(name) == 1);
  return NULL;
}

int main(void) {
  pthread_t thread;
  cache = calloc(1, sizeof *cache);
  cache->recent.before = cache->recent.after = &cache->recent;
  pthread_mutex_init(&cache->lock, NULL);
  add("a", 1);
  add("b", 2);
  pthread_create(&thread, NULL, look, "a");
  assert(get("b") == 2);
  pthread_join(thread, NULL);
  assert(cache->hits == 2);
  assert(cache->found->value == 1 || cache->found->value == 2);
  drop_oldest();
  add("c", 3);
  assert(get("c") == 3);
  return 0;
}
