/**
 * Finds what would not arrive at a worker as it was sent. Structured cloning refuses functions, symbols and proxies, and
 * quietly makes something plainer of an instance of most classes; here all of them are found, with the place where they stand.
 *
 * @see https://html.spec.whatwg.org/multipage/structured-data.html
 */
import { isArrayBufferView, isMap, isProxy, isSet } from 'node:util/types'

/** A sentence about the first value that would arrive as something else; `undefined` when there is none. */
export const describeUncloneable = (value: unknown, place: string): string | undefined =>
  search(value, place, new Set())

const search = (value: unknown, place: string, seen: Set<unknown>): string | undefined => {
  if (typeof value === 'function' || typeof value === 'symbol')
    return `${place} is a ${typeof value}`
  if (typeof value !== 'object' || value === null || seen.has(value)) return undefined
  seen.add(value)
  if (isProxy(value)) return `${place} is a proxy`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && !prototypes.has(prototype))
    return `${place} is an instance of ${value.constructor.name}`
  if (isArrayBufferView(value)) return undefined
  if (isMap(value) || isSet(value)) return first([...value].flat(), () => place, seen)
  if (Array.isArray(value)) return first(value, (key) => `${place}[${key}]`, seen)
  const members = Object.entries(value)
  return first(
    members.map(([, member]) => member),
    (at) => `${place}.${members[at]?.[0]}`,
    seen,
  )
}

/** Of what arrives as an instance of the same class. A subclass does not, nor does a `Buffer`, which is one of `Uint8Array`. */
const prototypes: ReadonlySet<unknown> = new Set(
  [
    Object,
    Array,
    Map,
    Set,
    Date,
    RegExp,
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    ArrayBuffer,
    SharedArrayBuffer,
    DataView,
    BigInt64Array,
    BigUint64Array,
    Int8Array,
    Int16Array,
    Int32Array,
    Uint8Array,
    Uint16Array,
    Uint32Array,
    Uint8ClampedArray,
    Float32Array,
    Float64Array,
  ].map(({ prototype }) => prototype),
)

const first = (
  values: ReadonlyArray<unknown>,
  placeOf: (index: number) => string,
  seen: Set<unknown>,
): string | undefined => {
  for (const [index, value] of values.entries()) {
    const found = search(value, placeOf(index), seen)
    if (found !== undefined) return found
  }
  return undefined
}
