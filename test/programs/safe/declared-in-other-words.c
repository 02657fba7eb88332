// lazuli: expect safe; unwind 3; rounds 2; LP64
// A pthread_t that is a pointer, and library functions whose results have other widths than in the library.
typedef struct pthread *pthread_t;
typedef struct { long size[7]; } pthread_attr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_equal(pthread_t, pthread_t);
pthread_t pthread_self(void);
extern long atoi(const char *);
extern short toupper(int);
extern int strlen(const char *);
extern int time(long *);
void reach_error(void);
void *worker(void *unused) { return pthread_self(); }
int main(void) {
  pthread_t t = (void *)0;
  void *who;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, &who);
  if (!t || who != t || !pthread_equal(who, t) || pthread_equal(t, pthread_self())) reach_error();
  if (atoi("-7") != -7 || toupper('a') != 'A' || strlen("abc") != 3) reach_error();
  return time(0) > 0;
}
