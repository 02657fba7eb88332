/** Which functions of a program are called, and which instructions of a function follow one another. */

import type { Code, CodeFunction, FunctionId, Instruction, Value } from './code.ts';
import { operandsOf, partsOf } from './operands.ts';

/** Functions that main or a thread may come to: by calls, or because their address is taken somewhere. */
export function findCalled(code: Code): readonly CodeFunction[] {
  const found = new Set<FunctionId>([code.main, ...(code.threadEntry === null ? [] : [code.threadEntry])]);
  const addTaken = (value: Value): void => {
    if (value.kind === 'function-address') found.add(value.function);
    for (const part of partsOf(value)) addTaken(part);
  };
  for (const { initial } of code.objects) for (const { value } of initial) addTaken(value);
  for (const id of found) {
    for (const instruction of code.functions[id]?.instructions ?? []) {
      if (instruction.kind === 'call' && typeof instruction.callee === 'number') found.add(instruction.callee);
      for (const value of operandsOf(instruction)) addTaken(value);
    }
  }
  return [...found].map((id) => code.functions[id] as CodeFunction);
}

/** The instructions that may come next within the function. */
export function successors(instructions: readonly Instruction[], at: number): readonly number[] {
  const instruction = instructions[at] as Instruction;
  switch (instruction.kind) {
    case 'jump':
      return [instruction.target];
    case 'branch':
      return [at + 1, instruction.target].filter((next) => next < instructions.length);
    case 'return':
    case 'halt':
    case 'end-thread':
      return [];
    default:
      return at + 1 < instructions.length ? [at + 1] : [];
  }
}
