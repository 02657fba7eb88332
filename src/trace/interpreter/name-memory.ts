/** What people call places in the memory of a machine. */

import type { ScalarType } from '../../program/code.ts';
import { Describer } from '../describe-values.ts';
import type { Machine } from './machine.ts';

/** So many bytes. */
export function nameMemory({ program, memory }: Machine, address: number, size: number): string {
  return new Describer(program.code, memory).cell(address, size).name;
}

/** An object of the thread routines, such as a mutex. */
export function nameObject({ program, memory }: Machine, address: number): string {
  return new Describer(program.code, memory).value(POINTER, address).slice(1);
}

/** Any pointer: only printers look at the width. */
const POINTER: ScalarType = { kind: 'integer', bits: 64, signed: false, pointer: true };
