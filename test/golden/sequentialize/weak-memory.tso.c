/* Made by Lazuli from a program with threads (lazy2, 2 rounds): in each round a thread goes on at the label
   where it stopped (pc), as far as its next stop (cs). */
#ifdef __CPROVER__
typedef unsigned __CPROVER_bitvector[3] __lazuli_bits_3;
#else
typedef unsigned char __lazuli_bits_3;
#endif
unsigned int nondet_uint(void);
static _Bool __lazuli_active_1;
static __lazuli_bits_3 __lazuli_pc_0, __lazuli_cs_0;
static __lazuli_bits_3 __lazuli_pc_1, __lazuli_cs_1;
#define __lazuli_J(T, A, B) if (__lazuli_pc_##T > A || A >= __lazuli_cs_##T) goto __lazuli_##B
#define __lazuli_G(T, L) __CPROVER_assume(__lazuli_cs_##T >= L)
#define __lazuli_activate(T) __lazuli_active_##T = 1
/* Memory under TSO: store K of thread T reaches it at the beginning of a turn, arrives. */
static __lazuli_bits_3 __lazuli_now;
static __lazuli_bits_3 __lazuli_arrives_0_0;
static __lazuli_bits_3 __lazuli_arrives_1_0, __lazuli_arrives_1_1, __lazuli_arrives_1_2;
static __lazuli_bits_3 __lazuli_last_0, __lazuli_last_1;
#define __lazuli_delay(T, K) \
  __lazuli_arrives_##T##_##K = nondet_uint(); \
  __CPROVER_assume(__lazuli_arrives_##T##_##K >= __lazuli_now && __lazuli_arrives_##T##_##K <= 5 \
    && __lazuli_arrives_##T##_##K >= __lazuli_last_##T); \
  __lazuli_last_##T = __lazuli_arrives_##T##_##K;
#define __lazuli_write(T, K, PLACE, VALUE) \
  __lazuli_value_##T##_##K = VALUE; \
  __lazuli_delay(T, K) \
  if (__lazuli_arrives_##T##_##K == __lazuli_now) PLACE = __lazuli_value_##T##_##K
#define __lazuli_write_at(T, K, WHERE, VALUE) \
  __lazuli_where_##T##_##K = WHERE; \
  __lazuli_write(T, K, *__lazuli_where_##T##_##K, VALUE)
#define __lazuli_pends(T, K) (__lazuli_arrives_##T##_##K > __lazuli_now)
#define __lazuli_read_at(T, K, STORED, WHERE, ELSE) (__lazuli_pends(T, K) && STORED == WHERE ? __lazuli_value_##T##_##K : (ELSE))
#define __lazuli_full_fence(T) __CPROVER_assume(__lazuli_last_##T <= __lazuli_now)
#define __lazuli_arriving(T, K) (__lazuli_arrives_##T##_##K == __lazuli_now)
static void __lazuli_arrive(void);
#define __lazuli_turn(N) __lazuli_now = N; __lazuli_arrive()
int data;
int ready;
int *place = &data;
static unsigned char __lazuli_thread_finished[3];
static void *__lazuli_thread_result[3];
static unsigned char __lazuli_thread_status[3] = { 1 };
static void *__lazuli_argument_1;
static int *__lazuli_value_0_0;
static int __lazuli_value_1_0;
static int *__lazuli_where_1_0;
static int __lazuli_value_1_1;
static int __lazuli_value_1_2;

static void main_0(void) {
  __lazuli_J(0, 0, 1);
  __lazuli_argument_1 = 0;
  __lazuli_activate(1);
  __lazuli_thread_status[1U] = 1;
__lazuli_1:
  __lazuli_J(0, 1, 2);
  __lazuli_write(0, 0, place, &ready);
__lazuli_2:
  __lazuli_J(0, 2, 3);
  if (ready) {
  __lazuli_3:
    __lazuli_J(0, 3, 4);
    __CPROVER_assert(data, "assertion data");
  }
  __lazuli_G(0, 4);
__lazuli_4:
  ;
}

static void producer_1(void) {
  static int *__lazuli_t;
  static int __lazuli_t_1_1;
  __lazuli_J(1, 0, 1);
  __lazuli_t = place;
__lazuli_1:
  __lazuli_J(1, 1, 2);
  __lazuli_write_at(1, 0, __lazuli_t, 1);
  __lazuli_t_1_1 = __lazuli_read_at(1, 0, __lazuli_where_1_0, &data, data) + 1;
__lazuli_2:
  __lazuli_J(1, 2, 3);
  __lazuli_write(1, 1, data, __lazuli_t_1_1);
__lazuli_3:
  __lazuli_J(1, 3, 4);
  __lazuli_write(1, 2, ready, 1);
__lazuli_4:
  __lazuli_J(1, 4, 5);
  __lazuli_full_fence(1);
__lazuli_5:
  __lazuli_J(1, 5, 6);
  __lazuli_thread_result[1U] = 0;
  __lazuli_thread_finished[1U] = 1;
__lazuli_6:
  ;
}

static void __lazuli_arrive(void) {
  if (__lazuli_arriving(0, 0)) {
    place = __lazuli_value_0_0;
  }
  if (__lazuli_arriving(1, 0)) {
    *__lazuli_where_1_0 = __lazuli_value_1_0;
  }
  if (__lazuli_arriving(1, 1)) {
    data = __lazuli_value_1_1;
  }
  if (__lazuli_arriving(1, 2)) {
    ready = __lazuli_value_1_2;
  }
}

int main(void) {
  /* Where each round of each thread stops. */
  __lazuli_bits_3 __lazuli_stop_0_0 = nondet_uint();
  __lazuli_bits_3 __lazuli_stop_0_1 = nondet_uint();
  __CPROVER_assume(__lazuli_stop_0_0 <= __lazuli_stop_0_1 && __lazuli_stop_0_1 <= 4);
  __lazuli_bits_3 __lazuli_stop_1_0 = nondet_uint();
  __lazuli_bits_3 __lazuli_stop_1_1 = nondet_uint();
  __CPROVER_assume(__lazuli_stop_1_0 <= __lazuli_stop_1_1 && __lazuli_stop_1_1 <= 6);
  /* Round 1. */
  __lazuli_turn(1);
  __lazuli_cs_0 = __lazuli_stop_0_0;
  main_0();
  __lazuli_pc_0 = __lazuli_cs_0;
  __CPROVER_assume(__lazuli_active_1 || __lazuli_stop_1_0 == 0);
  __lazuli_turn(2);
  __lazuli_cs_1 = __lazuli_stop_1_0;
  producer_1();
  __lazuli_pc_1 = __lazuli_cs_1;
  /* Round 2. */
  __lazuli_turn(3);
  __lazuli_cs_0 = __lazuli_stop_0_1;
  main_0();
  __lazuli_pc_0 = __lazuli_cs_0;
  __CPROVER_assume(__lazuli_active_1 || __lazuli_stop_1_1 == 0);
  __lazuli_turn(4);
  __lazuli_cs_1 = __lazuli_stop_1_1;
  producer_1();
  __lazuli_pc_1 = __lazuli_cs_1;
  return 0;
}
