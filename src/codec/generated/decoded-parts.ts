/** Records which parts of a value have been decoded already. */
import { rejected } from './runtime.ts'
import type { Schema } from './schema.ts'

/** The elements at the start of an array that have been decoded. */
export interface CheckedElements {
  /** The indexes of the invalid elements, in ascending order. All other elements before `end` are valid. */
  readonly invalid: ReadonlyArray<number>
  /** The number of elements that have been decoded. */
  readonly end: number
}

/** Returns the first index, starting at `from`, of an element that is not known to be valid. */
export const nextUnchecked = ({ invalid, end }: CheckedElements, from: number): number =>
  from >= end ? from : (invalid.find((index) => index >= from) ?? end)

interface Reached {
  readonly array: object
  readonly schema: Schema
  readonly index: number
}

/**
 * Stores how many elements at the start of a rejected array are valid. These elements are not validated again when errors are
 * collected.
 *
 * Only the array that was rejected last is held strongly, until {@link release}. Most rejected values have no other one, and writing to
 * a `WeakMap` takes 1.7 µs for each rejected body, most of it for garbage collection.
 */
export class Progress {
  #latest: Reached | undefined
  readonly #earlier = new WeakMap<object, Reached>()

  /** Stores the index of the first invalid element in an array. */
  mark(array: object, schema: Schema, index: number): void {
    if (this.#latest !== undefined) this.#earlier.set(this.#latest.array, this.#latest)
    this.#latest = { array, schema, index }
  }

  /** Returns the decoded elements at the start of a rejected array, or `undefined` if none are known. */
  checkedElements(array: object, schema: Schema): CheckedElements | undefined {
    const reached = this.#latest?.array === array ? this.#latest : this.#earlier.get(array)
    return reached?.schema === schema
      ? { invalid: [reached.index], end: reached.index + 1 }
      : undefined
  }

  /** Releases the array that was rejected last. */
  release(): void {
    this.#latest = undefined
  }
}

/** A part of a value that has been decoded with a schema. */
export interface DecodedPart {
  /** The result. `undefined` if only members or elements of the part have been decoded. */
  readonly result: unknown
  /** Whether all invalid parts of a rejected value have been decoded too, as is required for collecting errors. */
  readonly isThorough: boolean
  /** The decoded elements of a rejected array. */
  readonly checked?: CheckedElements | undefined
  /** The results of members, by name. */
  readonly members?: ReadonlyMap<string, unknown> | undefined
}

/** The decoded parts of one large value (`large-values.ts`). */
export class DecodedParts {
  readonly #parts = new Map<unknown, Map<Schema, DecodedPart>>()

  get(schema: Schema, value: unknown): DecodedPart | undefined {
    return this.#parts.get(value)?.get(schema)
  }

  set(schema: Schema, value: object, part: DecodedPart): void {
    const parts = this.#parts.get(value) ?? new Map<Schema, DecodedPart>()
    this.#parts.set(value, parts.set(schema, part))
  }

  /** Returns a known result. Returns `undefined` if none is known, or if the errors of a rejected value are to be collected. */
  result(schema: Schema, value: unknown, collectsErrors: boolean): unknown {
    if (typeof value !== 'object' || value === null) return undefined
    const result = this.get(schema, value)?.result
    return collectsErrors && result === rejected ? undefined : result
  }

  /** Returns the known result for a member of an object, like {@link result}. */
  memberResult(schema: Schema, value: unknown, key: string, collectsErrors: boolean): unknown {
    const result = this.get(schema, value)?.members?.get(key)
    return collectsErrors && result === rejected ? undefined : result
  }
}
