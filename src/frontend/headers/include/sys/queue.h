/* BSD: lists as macros. The names are those of BSD, the text is not. */
#ifndef _SYS_QUEUE_H
#define _SYS_QUEUE_H

#define SLIST_HEAD(name, type) struct name { struct type *slh_first; }
#define SLIST_HEAD_INITIALIZER(head) { 0 }
#define SLIST_ENTRY(type) struct { struct type *sle_next; }
#define SLIST_FIRST(head) ((head)->slh_first)
#define SLIST_EMPTY(head) ((head)->slh_first == 0)
#define SLIST_NEXT(item, field) ((item)->field.sle_next)
#define SLIST_INIT(head) do { (head)->slh_first = 0; } while (0)
#define SLIST_INSERT_AFTER(at, item, field) do { (item)->field.sle_next = (at)->field.sle_next; (at)->field.sle_next = (item); } while (0)
#define SLIST_INSERT_HEAD(head, item, field) do { (item)->field.sle_next = (head)->slh_first; (head)->slh_first = (item); } while (0)
#define SLIST_REMOVE_HEAD(head, field) do { (head)->slh_first = (head)->slh_first->field.sle_next; } while (0)
#define SLIST_REMOVE(head, item, type, field) do { struct type **__at = &(head)->slh_first; while (*__at != (item)) __at = &(*__at)->field.sle_next; *__at = (*__at)->field.sle_next; } while (0)
#define SLIST_FOREACH(item, head, field) for ((item) = (head)->slh_first; (item); (item) = (item)->field.sle_next)

#define LIST_HEAD(name, type) struct name { struct type *lh_first; }
#define LIST_HEAD_INITIALIZER(head) { 0 }
#define LIST_ENTRY(type) struct { struct type *le_next; struct type **le_prev; }
#define LIST_FIRST(head) ((head)->lh_first)
#define LIST_EMPTY(head) ((head)->lh_first == 0)
#define LIST_NEXT(item, field) ((item)->field.le_next)
#define LIST_INIT(head) do { (head)->lh_first = 0; } while (0)
#define LIST_INSERT_AFTER(at, item, field) do { if (((item)->field.le_next = (at)->field.le_next) != 0) (at)->field.le_next->field.le_prev = &(item)->field.le_next; (at)->field.le_next = (item); (item)->field.le_prev = &(at)->field.le_next; } while (0)
#define LIST_INSERT_BEFORE(at, item, field) do { (item)->field.le_prev = (at)->field.le_prev; (item)->field.le_next = (at); *(at)->field.le_prev = (item); (at)->field.le_prev = &(item)->field.le_next; } while (0)
#define LIST_INSERT_HEAD(head, item, field) do { if (((item)->field.le_next = (head)->lh_first) != 0) (head)->lh_first->field.le_prev = &(item)->field.le_next; (head)->lh_first = (item); (item)->field.le_prev = &(head)->lh_first; } while (0)
#define LIST_REMOVE(item, field) do { if ((item)->field.le_next != 0) (item)->field.le_next->field.le_prev = (item)->field.le_prev; *(item)->field.le_prev = (item)->field.le_next; } while (0)
#define LIST_FOREACH(item, head, field) for ((item) = (head)->lh_first; (item); (item) = (item)->field.le_next)

#define STAILQ_HEAD(name, type) struct name { struct type *stqh_first; struct type **stqh_last; }
#define STAILQ_HEAD_INITIALIZER(head) { 0, &(head).stqh_first }
#define STAILQ_ENTRY(type) struct { struct type *stqe_next; }
#define STAILQ_FIRST(head) ((head)->stqh_first)
#define STAILQ_EMPTY(head) ((head)->stqh_first == 0)
#define STAILQ_NEXT(item, field) ((item)->field.stqe_next)
#define STAILQ_INIT(head) do { (head)->stqh_first = 0; (head)->stqh_last = &(head)->stqh_first; } while (0)
#define STAILQ_INSERT_HEAD(head, item, field) do { if (((item)->field.stqe_next = (head)->stqh_first) == 0) (head)->stqh_last = &(item)->field.stqe_next; (head)->stqh_first = (item); } while (0)
#define STAILQ_INSERT_TAIL(head, item, field) do { (item)->field.stqe_next = 0; *(head)->stqh_last = (item); (head)->stqh_last = &(item)->field.stqe_next; } while (0)
#define STAILQ_INSERT_AFTER(head, at, item, field) do { if (((item)->field.stqe_next = (at)->field.stqe_next) == 0) (head)->stqh_last = &(item)->field.stqe_next; (at)->field.stqe_next = (item); } while (0)
#define STAILQ_REMOVE_HEAD(head, field) do { if (((head)->stqh_first = (head)->stqh_first->field.stqe_next) == 0) (head)->stqh_last = &(head)->stqh_first; } while (0)
#define STAILQ_REMOVE(head, item, type, field) do { struct type **__at = &(head)->stqh_first; while (*__at != (item)) __at = &(*__at)->field.stqe_next; if ((*__at = (*__at)->field.stqe_next) == 0) (head)->stqh_last = __at; } while (0)
#define STAILQ_FOREACH(item, head, field) for ((item) = (head)->stqh_first; (item); (item) = (item)->field.stqe_next)
#define STAILQ_CONCAT(head, other) do { if ((other)->stqh_first != 0) { *(head)->stqh_last = (other)->stqh_first; (head)->stqh_last = (other)->stqh_last; STAILQ_INIT(other); } } while (0)
#define SIMPLEQ_HEAD(name, type) struct name { struct type *sqh_first; struct type **sqh_last; }
#define SIMPLEQ_HEAD_INITIALIZER(head) { 0, &(head).sqh_first }
#define SIMPLEQ_ENTRY(type) struct { struct type *sqe_next; }
#define SIMPLEQ_FIRST(head) ((head)->sqh_first)
#define SIMPLEQ_EMPTY(head) ((head)->sqh_first == 0)
#define SIMPLEQ_NEXT(item, field) ((item)->field.sqe_next)
#define SIMPLEQ_INIT(head) do { (head)->sqh_first = 0; (head)->sqh_last = &(head)->sqh_first; } while (0)
#define SIMPLEQ_INSERT_TAIL(head, item, field) do { (item)->field.sqe_next = 0; *(head)->sqh_last = (item); (head)->sqh_last = &(item)->field.sqe_next; } while (0)
#define SIMPLEQ_REMOVE_HEAD(head, field) do { if (((head)->sqh_first = (head)->sqh_first->field.sqe_next) == 0) (head)->sqh_last = &(head)->sqh_first; } while (0)
#define SIMPLEQ_FOREACH(item, head, field) for ((item) = (head)->sqh_first; (item); (item) = (item)->field.sqe_next)

#define TAILQ_HEAD(name, type) struct name { struct type *tqh_first; struct type **tqh_last; }
#define TAILQ_HEAD_INITIALIZER(head) { 0, &(head).tqh_first }
#define TAILQ_ENTRY(type) struct { struct type *tqe_next; struct type **tqe_prev; }
#define TAILQ_FIRST(head) ((head)->tqh_first)
#define TAILQ_EMPTY(head) ((head)->tqh_first == 0)
#define TAILQ_NEXT(item, field) ((item)->field.tqe_next)
#define TAILQ_LAST(head, name) (*(((struct name *)((head)->tqh_last))->tqh_last))
#define TAILQ_PREV(item, name, field) (*(((struct name *)((item)->field.tqe_prev))->tqh_last))
#define TAILQ_INIT(head) do { (head)->tqh_first = 0; (head)->tqh_last = &(head)->tqh_first; } while (0)
#define TAILQ_INSERT_HEAD(head, item, field) do { if (((item)->field.tqe_next = (head)->tqh_first) != 0) (head)->tqh_first->field.tqe_prev = &(item)->field.tqe_next; else (head)->tqh_last = &(item)->field.tqe_next; (head)->tqh_first = (item); (item)->field.tqe_prev = &(head)->tqh_first; } while (0)
#define TAILQ_INSERT_TAIL(head, item, field) do { (item)->field.tqe_next = 0; (item)->field.tqe_prev = (head)->tqh_last; *(head)->tqh_last = (item); (head)->tqh_last = &(item)->field.tqe_next; } while (0)
#define TAILQ_INSERT_AFTER(head, at, item, field) do { if (((item)->field.tqe_next = (at)->field.tqe_next) != 0) (item)->field.tqe_next->field.tqe_prev = &(item)->field.tqe_next; else (head)->tqh_last = &(item)->field.tqe_next; (at)->field.tqe_next = (item); (item)->field.tqe_prev = &(at)->field.tqe_next; } while (0)
#define TAILQ_INSERT_BEFORE(at, item, field) do { (item)->field.tqe_prev = (at)->field.tqe_prev; (item)->field.tqe_next = (at); *(at)->field.tqe_prev = (item); (at)->field.tqe_prev = &(item)->field.tqe_next; } while (0)
#define TAILQ_REMOVE(head, item, field) do { if ((item)->field.tqe_next != 0) (item)->field.tqe_next->field.tqe_prev = (item)->field.tqe_prev; else (head)->tqh_last = (item)->field.tqe_prev; *(item)->field.tqe_prev = (item)->field.tqe_next; } while (0)
#define TAILQ_FOREACH(item, head, field) for ((item) = (head)->tqh_first; (item); (item) = (item)->field.tqe_next)
#define TAILQ_FOREACH_REVERSE(item, head, name, field) for ((item) = TAILQ_LAST(head, name); (item); (item) = TAILQ_PREV(item, name, field))
#define TAILQ_CONCAT(head, other, field) do { if ((other)->tqh_first != 0) { *(head)->tqh_last = (other)->tqh_first; (other)->tqh_first->field.tqe_prev = (head)->tqh_last; (head)->tqh_last = (other)->tqh_last; TAILQ_INIT(other); } } while (0)

#endif
