/**
 * Predicates for values of classes that the platform provides, and functions that continue with a value or the promise of one.
 *
 * `instanceof` returns `false` for a value of another realm. Jest and the `vm` pools of Vitest run modules in a realm of their own, so
 * that errors, promises and bytes of Node.js modules are not instances of the classes that the modules see. `instanceof` remains as
 * the first test of values that are checked frequently, because it takes less time than the test that follows.
 *
 * The result of application code is a plain value, a promise or an fp-ts `Task`. A plain value is handled synchronously, without creating
 * a promise. A `Task` is run, and the promise that it returns is handled like any other promise.
 */

/** Whether a value is an object, other than `null` and functions. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null

/** Whether a value is an object whose `_tag` is `tag`. */
export const isTagged = <T extends string>(value: unknown, tag: T): value is { readonly _tag: T } =>
  isObject(value) && '_tag' in value && value._tag === tag

/** Whether a value has the given tag, such as `Date`. Classes of the platform have the same tag in all realms. */
const hasTag = (value: unknown, tag: string): boolean =>
  isObject(value) && Object.prototype.toString.call(value) === `[object ${tag}]`

/** Whether a value is an error. */
export const isError = (value: unknown): value is Error =>
  value instanceof Error || hasTag(value, 'Error') || hasTag(value, 'DOMException')

/** The name of a class of errors that the language defines. */
type ErrorName =
  | 'Error'
  | 'EvalError'
  | 'RangeError'
  | 'ReferenceError'
  | 'SyntaxError'
  | 'TypeError'

/** Whether a value is an error of a class or of one of its subclasses, in any realm. */
export const isErrorOf = (value: unknown, name: ErrorName): value is Error =>
  isError(value) && inheritsFrom(value, name)

/** Whether an error, or the prototype of a class of errors, inherits from the class of errors with the given name. */
export const inheritsFrom = (value: unknown, name: ErrorName): boolean => {
  for (let current: unknown = value; isObject(current); current = Object.getPrototypeOf(current))
    if (Object.getOwnPropertyDescriptor(current, 'name')?.value === name) return true
  return false
}

/** Whether two objects are the prototypes of the same class of errors of the language, possibly in different realms. */
export const areSamePrototype = (a: unknown, b: unknown): boolean =>
  a === b ||
  (isObject(a) && isObject(b) && errorNameOf(a) !== undefined && errorNameOf(a) === errorNameOf(b))

/** Returns the name of a class of errors of the language for its prototype. Prototypes of other classes inherit their message. */
const errorNameOf = (prototype: object): unknown =>
  Object.getOwnPropertyDescriptor(prototype, 'message')?.value === ''
    ? Object.getOwnPropertyDescriptor(prototype, 'name')?.value
    : undefined

/** Returns the `code` of an error, such as `ENOENT`, or `undefined` for other values. */
export const codeOf = (error: unknown): unknown =>
  isError(error) && 'code' in error ? error.code : undefined

/** Returns the message of an error, or any other thrown value as a string. */
export const messageOf = (error: unknown): string =>
  isError(error) ? error.message : String(error)

/**
 * Creates an error without a stack trace, because capturing one takes 4 µs. If `Error.stackTraceLimit` is read-only, the stack
 * trace is captured anyway.
 */
export const withoutStack = <A>(create: () => A): A => {
  const limit = Error.stackTraceLimit
  if (limit === 0 || !Reflect.set(Error, 'stackTraceLimit', 0)) return create()
  try {
    return create()
  } finally {
    Error.stackTraceLimit = limit
  }
}

/** Converts a thrown value to an error. */
export const toError = (thrown: unknown): Error =>
  isError(thrown) ? thrown : new Error(String(thrown))

/** Whether a value is a `Uint8Array`, such as a `Buffer`. */
export const isBytes = (value: unknown): value is Uint8Array =>
  value instanceof Uint8Array || (ArrayBuffer.isView(value) && hasTag(value, 'Uint8Array'))

/** Whether a value is an `ArrayBuffer`. A `SharedArrayBuffer` is not. */
export const isArrayBuffer = (value: unknown): value is ArrayBuffer => hasTag(value, 'ArrayBuffer')

/** Whether a value is a promise or another thenable. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && 'then' in value && typeof value.then === 'function'

/** Whether a result of this package is a promise. Unlike {@link isThenable}, must not be used for values of applications. */
export const isPromise = <A>(value: A | Promise<A>): value is Promise<A> =>
  value instanceof Promise || isThenable(value)

export const isDate = (value: unknown): value is Date => hasTag(value, 'Date')

export const isMap = (value: unknown): value is ReadonlyMap<unknown, unknown> =>
  value instanceof Map || hasTag(value, 'Map')

export const isSet = (value: unknown): value is ReadonlySet<unknown> =>
  value instanceof Set || hasTag(value, 'Set')

export const isRegExp = (value: unknown): value is RegExp => hasTag(value, 'RegExp')

/** Whether a value is a `URL`. */
export const isUrl = (value: unknown): value is URL => hasTag(value, 'URL')

/** Whether a value is a `Blob` or a `File`. */
export const isBlob = (value: unknown): value is Blob =>
  hasTag(value, 'Blob') || hasTag(value, 'File')

/** Whether a value is a `Request` of the Fetch standard. */
export const isRequest = (value: unknown): value is Request => hasTag(value, 'Request')

/** Whether a value is a `ReadableStream` of the Streams standard. */
export const isReadableStream = (value: unknown): value is ReadableStream<unknown> =>
  hasTag(value, 'ReadableStream')

/** Whether a value is an object without a class: its prototype is `null` or the `Object.prototype` of any realm. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === Object.prototype ||
    prototype === null ||
    (isObject(prototype) &&
      Object.getPrototypeOf(prototype) === null &&
      Object.hasOwn(prototype, 'hasOwnProperty'))
  )
}

/** Throws a `TypeError` for an argument that is not a function. `call` shows how to pass it, as in `mapError(Error, run)`. */
export const checkFunction = (call: string, argument: string, value: unknown): void => {
  if (typeof value === 'function') return
  const article = typeof value === 'object' ? 'an' : 'a'
  const actual =
    value === undefined || value === null ? String(value) : `${article} ${typeof value}`
  throw new TypeError(
    `${call.slice(0, call.indexOf('('))}: expected a function for ${argument}, got ${actual}: write ${call}`,
  )
}

/** Returns the result of a function, or `undefined` if the function throws. */
export const orUndefined = <A>(compute: () => A): A | undefined => {
  try {
    return compute()
  } catch {
    return undefined
  }
}

/** Whether a result is a promise or a `Task`. */
export const isAsync = (result: unknown): boolean =>
  typeof result === 'function' || isThenable(result)

/**
 * Calls `then` with the value of `result`, which can be a plain value, a promise or a `Task`.
 *
 * If `then` is called synchronously, its errors are thrown to the caller. Errors thrown by a later call to `then` are passed to
 * `failed`, as are rejections.
 */
export const whenSettled = (
  result: unknown,
  then: (value: unknown) => void,
  failed: (error: unknown) => void,
): void => {
  const value: unknown = typeof result === 'function' ? result() : result
  if (!isThenable(value)) return then(value)
  const later = (resolved: unknown): void => {
    try {
      then(resolved)
    } catch (error) {
      failed(error)
    }
  }
  // `Promise.resolve` returns a promise unchanged, and ensures that any other thenable settles only once
  Promise.resolve(value).then(later, failed)
}

/** Converts a plain value, a promise or a `Task` to a promise. */
export const settle = async (result: unknown): Promise<unknown> =>
  typeof result === 'function' ? result() : result

/** Calls `proceed` with the value of `result`, which can be a plain value, a promise or a `Task`. */
export const andThen = <B>(result: unknown, proceed: (value: unknown) => B): B | Promise<B> => {
  const value: unknown = typeof result === 'function' ? result() : result
  return isThenable(value) ? Promise.resolve(value).then(proceed) : proceed(value)
}
