// lazuli: expect safe; unwind 1; rounds 2; LP64
// Callbacks that get from a device without a size to the record around it; a type that system headers have, too.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
void reach_error(void) { assert(0); }
extern int __VERIFIER_nondet_int(void);
void ldv_assert(int expression) { if (!expression) { ERROR: {reach_error();abort();}}; return; }
#define offsetof(TYPE, MEMBER) ((size_t) &((TYPE *)0)->MEMBER)
#define container_of(ptr, type, member) ({                      \
        const typeof( ((type *)0)->member ) *__mptr = (ptr);    \
        (type *)( (char *)__mptr - offsetof(type,member) );})
typedef long loff_t;
struct device { };
struct A { int a; int b; };
struct my_data { pthread_mutex_t lock; struct device dev; struct A shared; };
pthread_t t1, t2;
void *my_callback(void *arg) {
	struct device *dev = (struct device*)arg;
	struct my_data *data;
	data = container_of(dev, struct my_data, dev);
	pthread_mutex_lock (&data->lock);
	data->shared.a = 1;
	data->shared.b = data->shared.b + 1;
	pthread_mutex_unlock (&data->lock);
	return 0;
}
int my_drv_probe(struct my_data *data) {
	struct device *d = &data->dev;
	pthread_mutex_init(&data->lock, NULL);
	data->shared.a = 0;
	data->shared.b = 0;
	ldv_assert(data->shared.a==0);
	ldv_assert(data->shared.b==0);
	int res = __VERIFIER_nondet_int();
	if(res)
		goto exit;
	pthread_create(&t1, NULL, my_callback, (void *)d);
	pthread_create(&t2, NULL, my_callback, (void *)d);
	return 0;
exit:
	pthread_mutex_destroy(&data->lock);
	return -1;
}
void my_drv_disconnect(struct my_data *data) {
	void *status;
	pthread_join(t1, &status);
	pthread_join(t2, &status);
	pthread_mutex_destroy(&data->lock);
}
int my_drv_init() { return 0; }
void my_drv_cleanup() { return; }
int main(void) {
	int ret = my_drv_init();
	if(ret==0) {
		int probe_ret;
		struct my_data data;
		probe_ret = my_drv_probe(&data);
		if(probe_ret==0) {
			my_drv_disconnect(&data);
			ldv_assert(data.shared.a==1);
			ldv_assert(data.shared.b==2);
		}
		my_drv_cleanup();
		data.shared.a = -1;
		data.shared.b = -1;
		ldv_assert(data.shared.a==-1);
		ldv_assert(data.shared.b==-1);
	}
	return 0;
}
