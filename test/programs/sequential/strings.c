// String literals: escapes, octal and hexadecimal next to digits, trigraph look-alikes, embedded zeros, wide and UTF-8 ones.
#include <stdio.h>
#include <stddef.h>

#define DUMP(s) dump(#s, (const unsigned char *)(s), sizeof(s))

static void dump(const char *what, const unsigned char *bytes, size_t n) {
  printf("%s:", what);
  for (size_t i = 0; i < n; i++) printf(" %02x", bytes[i]);
  printf("\n");
}

int main(void) {
  DUMP("");
  DUMP("plain");
  DUMP("\a\b\f\n\r\t\v\\\"\'\?");
  DUMP("\0" "1");
  DUMP("\1" "23\0419");
  DUMP("\x1" "f");
  DUMP("\xffg\x0" "a");
  DUMP("a\0b\0");
  DUMP("??=" "?" "?(" "????");
  DUMP("é€😀");
  DUMP("\u00e9\u20ac\U0001f600");
  DUMP(u8"é");
  DUMP(L"aé");
  DUMP(u"€x");
  DUMP(U"😀");
  DUMP("one" " " "two" "\n");
  DUMP("%d %% /* no comment */ // neither");
  char small[4] = "abcd", big[6] = "xy";
  DUMP(small);
  DUMP(big);
  printf("%s %c %d\n", &"abcdef"[2], *"x", (int)sizeof "four");
  printf("%d %d %d %d\n", '\0', '\x7f', '\'', '"');
  printf("%d %d %d\n", 'ab', L'é', u'€');
  return 0;
}
