/**
 * How far rejected arrays were decoded.
 *
 * A value is decoded once, and a second time to collect errors if it is rejected. The second time skips the elements that are
 * known to be valid, so that rejecting a long array costs no more than accepting it.
 */
import type { Schema } from './schema.ts'

interface Reached {
  readonly schema: Schema
  readonly index: number
}

export class Progress {
  readonly #reached = new WeakMap<object, Reached>()

  /** Remembers the first invalid element of an array. */
  mark(array: object, schema: Schema, index: number): void {
    this.#reached.set(array, { schema, index })
  }

  /** Returns the number of elements that are known to be valid. */
  validElements(array: object, schema: Schema): number {
    const reached = this.#reached.get(array)
    return reached?.schema === schema ? reached.index : 0
  }
}
