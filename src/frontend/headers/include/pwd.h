/* POSIX: users. */
#ifndef _PWD_H
#define _PWD_H

#include <sys/types.h>

struct passwd {
  char *pw_name;
  char *pw_passwd;
  uid_t pw_uid;
  gid_t pw_gid;
  char *pw_gecos;
  char *pw_dir;
  char *pw_shell;
};

struct passwd *getpwnam(const char *name);
struct passwd *getpwuid(uid_t user);
int getpwnam_r(const char *restrict name, struct passwd *restrict entry, char *restrict buffer, size_t size,
               struct passwd **restrict result);
int getpwuid_r(uid_t user, struct passwd *restrict entry, char *restrict buffer, size_t size,
               struct passwd **restrict result);
struct passwd *getpwent(void);
void setpwent(void);
void endpwent(void);

#endif
