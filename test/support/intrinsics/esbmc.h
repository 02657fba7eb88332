/* What ESBMC knows by itself. */
void __ESBMC_assume(_Bool condition);
void __ESBMC_assert(_Bool condition, const char *message);
__SIZE_TYPE__ __ESBMC_get_object_size(const void *memory);
