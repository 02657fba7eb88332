/**
 * The code of the embedded solver: where its file is, or the code itself, compiled once for several solvers. Otherwise
 * each of them has the package look for `cadical.wasm` beside its own script, and compile it.
 */

import type { ModuleOptions } from 'cadical-wasm';

/** A `WebAssembly.Module`. */
export type CompiledCode = object;

/** Compiled (it may still be on its way), or the address of the file. */
export type SolverCode = Promise<CompiledCode> | string;

/** As much of it as is needed here: the declarations of Node have the types only. */
interface WasmEngine {
  compile(bytes: Uint8Array): Promise<CompiledCode>;
  readonly Instance: new (code: CompiledCode, imports: object) => { readonly exports: object };
}

const { WebAssembly: engine } = globalThis as unknown as { readonly WebAssembly: WasmEngine };

/** In threads of the host, beside whatever goes on here. */
export function compileSolver(bytes: Uint8Array): Promise<CompiledCode> {
  return engine.compile(bytes);
}

/** For the package's glue. */
export async function optionsFor(code: SolverCode | undefined): Promise<ModuleOptions> {
  if (code === undefined) return {};
  if (typeof code === 'string') return { locateFile: () => code };
  const compiled = await code;
  return {
    instantiateWasm: (imports: object, receive: (instance: object) => void) => {
      const instance = new engine.Instance(compiled, imports);
      receive(instance);
      return instance.exports;
    },
  };
}
