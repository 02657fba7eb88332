/* What CBMC knows by itself, for a compiler that checks a file written for it. */
void __CPROVER_assume(_Bool condition);
void __CPROVER_assert(_Bool condition, const char *message);
__SIZE_TYPE__ __CPROVER_OBJECT_SIZE(const void *memory);
