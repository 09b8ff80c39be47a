/** Recursive codecs with linear running time. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'

/**
 * Creates a recursive codec that checks and encodes each object once per call.
 *
 * With `t.recursion`, each member of a union or intersection that contains the codec does so again, at every level: 2^n times
 * at depth n (`codec/generated/recursion-memo.ts`).
 */
export const recursive = (name: string, definition: () => Codec): Codec => {
  const codec = t.recursion(name, definition)
  const is = oncePerObject((value): boolean => codec.is(value))
  const encode = oncePerObject((value): unknown => codec.encode(value))
  return new t.RecursiveType(
    name,
    (value): value is unknown => is(value),
    codec.validate,
    (value) => encode(value),
    () => codec.type,
  )
}

/** Caches the results for objects until the outermost call returns. */
const oncePerObject = <A>(run: (value: unknown) => A): ((value: unknown) => A) => {
  let known: Map<object, { readonly result: A }> | undefined
  return (value) => {
    if (typeof value !== 'object' || value === null) return run(value)
    const before = known?.get(value)
    if (before !== undefined) return before.result
    const isOutermost = known === undefined
    const results = (known ??= new Map<object, { readonly result: A }>())
    try {
      const result = run(value)
      results.set(value, { result })
      return result
    } finally {
      if (isOutermost) known = undefined
    }
  }
}
