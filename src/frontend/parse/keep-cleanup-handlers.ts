/**
 * What glibc's `pthread_cleanup_push` expands to keeps handler and argument in local variables, which only a jump back
 * into the function reaches when the thread ends. There are no such jumps here: so both are stored in the buffer that
 * is registered, in words that are glibc's own, where the model of `pthread_exit` finds them (models/thread-data.c).
 *
 *     __pthread_register_cancel (&__cancel_buf);
 *
 * becomes, with the names that the macro declares around it,
 *
 *     __cancel_buf.__pad[0] = (void *)__cancel_routine; __cancel_buf.__pad[1] = __cancel_arg;
 *     __pthread_register_cancel (&__cancel_buf);
 */

import type { Token, TokenKind } from '../lex/token.ts';

const REGISTER = '__pthread_register_cancel';
const CALL = [REGISTER, '(', '&', '__cancel_buf', ')', ';'];
const STORE =
  '__cancel_buf . __pad [ 0 ] = ( void * ) __cancel_routine ; __cancel_buf . __pad [ 1 ] = __cancel_arg ;'.split(' ');

/** Programs preprocessed with other headers stay as they are. */
export function keepCleanupHandlers(tokens: readonly Token[]): readonly Token[] {
  const isCall = (i: number) => CALL.every((text, k) => tokens[i + k]?.text === text);
  if (!tokens.some(({ text }, i) => text === REGISTER && isCall(i))) return tokens;
  return tokens.flatMap((token, i) =>
    token.text === REGISTER && isCall(i)
      ? [...STORE.map((text) => ({ ...token, text, kind: kindOf(text) })), token]
      : [token],
  );
}

function kindOf(text: string): TokenKind {
  if (/^[a-z_]/.test(text)) return 'identifier';
  return /^\d/.test(text) ? 'number' : 'punctuator';
}
