/**
 * Records how far rejected arrays were decoded.
 *
 * A rejected value is decoded a second time to collect its errors. The second pass skips the elements that are known to be
 * valid, so rejecting a long array costs no more than accepting it.
 */
import type { Schema } from './schema.ts'

interface Reached {
  readonly schema: Schema
  readonly index: number
}

export class Progress {
  readonly #reached = new WeakMap<object, Reached>()

  /** Stores the index of the first invalid element of an array. */
  mark(array: object, schema: Schema, index: number): void {
    this.#reached.set(array, { schema, index })
  }

  /** Returns the number of elements that are known to be valid. */
  validElements(array: object, schema: Schema): number {
    const reached = this.#reached.get(array)
    return reached?.schema === schema ? reached.index : 0
  }
}
