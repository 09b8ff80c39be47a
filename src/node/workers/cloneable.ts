/**
 * Finds values that structured cloning would not preserve when they are sent to a worker.
 *
 * Structured cloning rejects functions, symbols and proxies, and silently converts instances of most classes to plain objects.
 *
 * @see https://html.spec.whatwg.org/multipage/structured-data.html
 */
import { isArrayBufferView, isMap, isProxy, isSet } from 'node:util/types'
import { isObject } from '../../http/platform-value.ts'

/**
 * Describes the first value that cannot be cloned unchanged, including the path to the value. Returns `undefined` if there is no
 * such value.
 */
export const describeUncloneable = (value: unknown, path: string): string | undefined =>
  search(value, path, new Set())

const search = (value: unknown, path: string, seen: Set<unknown>): string | undefined => {
  if (typeof value === 'function' || typeof value === 'symbol')
    return `${path} is a ${typeof value}`
  if (!isObject(value) || seen.has(value)) return undefined
  seen.add(value)
  if (isProxy(value)) return `${path} is a Proxy object, which structured cloning does not support`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && !cloneablePrototypes.has(prototype))
    return `${path} is an instance of ${value.constructor.name}, which structured cloning does not preserve`
  if (isArrayBufferView(value)) return undefined
  if (isMap(value) || isSet(value)) return searchAll([...value].flat(), () => path, seen)
  if (Array.isArray(value)) return searchAll(value, (index) => `${path}[${index}]`, seen)
  const members = Object.entries(value)
  return searchAll(
    members.map(([, member]) => member),
    (index) => `${path}.${members[index]?.[0]}`,
    seen,
  )
}

/**
 * The prototypes preserved by structured cloning. The prototypes of subclasses are lost, including that of `Buffer`, a subclass of
 * `Uint8Array`.
 */
const cloneablePrototypes: ReadonlySet<unknown> = new Set(
  [
    'Object Array Map Set Date RegExp ArrayBuffer SharedArrayBuffer DataView',
    'Error EvalError RangeError ReferenceError SyntaxError TypeError URIError',
    'BigInt64Array BigUint64Array Int8Array Int16Array Int32Array Uint8Array Uint16Array Uint32Array',
    'Uint8ClampedArray Float32Array Float64Array',
  ]
    .flatMap((names) => names.split(' '))
    .map((name): unknown => Reflect.get(globalThis, name).prototype),
)

const searchAll = (
  values: ReadonlyArray<unknown>,
  pathOf: (index: number) => string,
  seen: Set<unknown>,
): string | undefined => {
  for (const [index, value] of values.entries()) {
    const description = search(value, pathOf(index), seen)
    if (description !== undefined) return description
  }
  return undefined
}
