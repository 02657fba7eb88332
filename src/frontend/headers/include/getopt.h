/* Options of the command line. */
#ifndef _GETOPT_H
#define _GETOPT_H

extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;

struct option {
  const char *name;
  int has_arg;
  int *flag;
  int val;
};

#define no_argument 0
#define required_argument 1
#define optional_argument 2

int getopt(int count, char *const arguments[], const char *options);
int getopt_long(int count, char *const arguments[], const char *options, const struct option *long_options, int *index);

int getopt_long_only(int count, char *const arguments[], const char *options, const struct option *long_options,
                     int *index);

#endif
