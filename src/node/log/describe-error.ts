/** Converts errors to plain data for the log. */
import { isError, isPlainObject } from '../../http/platform-value.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Names of members that are not logged, because libraries set them to requests, to responses, or to values of either. Examples are
 * `config` of axios, `sql` of mysql2 and `value` of Mongoose.
 */
const omittedNames =
  /^(?:base|body|config|data|entity|headers?|input|options|params|parameters|payload|query|reply|req|request|res|response|sql|ur[il])$|authorization|api[-_]?key|cookie|credential|pass(?:phrase|wd|word)|secret|token|value/i

/** The members that {@link describeError} reads itself. */
const ownNames = new Set(['name', 'message', 'stack', 'cause', 'errors'])

/** Default maximum number of errors. */
const defaultMaxErrors = 16

/** Maximum number of members and array elements. */
const maxMembers = 20

/**
 * Returns an error as plain data: its name, message and stack, and its own enumerable members, such as the `code` and `detail` of a
 * database driver. `cause` and the `errors` of an `AggregateError` are described in the same way. This is the form in which `jsonLogger`
 * writes errors, and a serializer for other loggers.
 *
 * Describes at most `maxErrors` errors in total (default: 16), and each error once. Members that cannot be read, and members whose names
 * suggest a request, a response or a secret, are omitted. The `toJSON` method of an error is not called, because that of axios returns
 * the headers of its request. A value that is not an error is copied if it is a scalar, an array or a plain object.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { describeError } from 'espalier/node'
 *
 * const failed = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })
 * const logged = JSON.stringify(describeError(new AggregateError([failed])))
 *
 * assert.match(logged, /"errors":\[\{"name":"Error","message":"connect ECONNREFUSED ::1:5432"/)
 * assert.match(logged, /"code":"ECONNREFUSED"/)
 * ```
 */
export const describeError = (error: unknown, maxErrors = defaultMaxErrors): unknown => {
  const seen = new Set<unknown>()
  const describe = (value: unknown): unknown => {
    if (!isError(value)) return plainValue(value, 2)
    if (seen.has(value)) return '[circular]'
    if (seen.size >= maxErrors) return '[truncated]'
    seen.add(value)
    return membersOf(value)
  }
  const membersOf = (current: Error): Members => {
    const cause: unknown = read(current, 'cause')
    const errors = read(current, 'errors')
    const nested = Array.isArray(errors)
      ? errors
          .slice(0, maxMembers)
          .map(describe)
          .filter((value) => value !== undefined)
      : []
    return {
      name: read(current, 'name'),
      message: read(current, 'message'),
      stack: read(current, 'stack'),
      ...plainMembers(current, 2),
      ...(cause === undefined ? {} : { cause: describe(cause) }),
      ...(nested.length === 0 ? {} : { errors: nested }),
    }
  }
  return describe(error)
}

const read = (value: object, name: string): unknown => {
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}

/** Returns the members of an object that have plain values, except for those that may contain secrets. */
const plainMembers = (value: object, depth: number): Members =>
  Object.fromEntries(
    Object.keys(value)
      .filter((name) => !ownNames.has(name) && !omittedNames.test(name))
      .slice(0, maxMembers)
      .map((name) => [name, plainValue(read(value, name), depth)] as const)
      .filter(([, member]) => member !== undefined),
  )

/** Returns a scalar, or a copy of an array or a plain object down to a depth. Returns `undefined` for other values. */
const plainValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  if (typeof value === 'bigint') return value
  if (depth === 0) return undefined
  if (Array.isArray(value))
    return value.slice(0, maxMembers).map((element) => plainValue(element, depth - 1))
  return isPlainObject(value) ? plainMembers(value, depth - 1) : undefined
}
