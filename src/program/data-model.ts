/** The data models of C that Lazuli knows: sizes of the basic types follow from one of them. */

export type DataModel = 'ILP32' | 'LP64';

/** Bytes of a pointer, of `long` and of `size_t`. */
export function wordSize(model: DataModel): 4 | 8 {
  return model === 'ILP32' ? 4 : 8;
}
