/**
 * Errors in messages between threads. The structured clone of an error has neither its own members, such as the `code` and `detail` of a
 * database driver, nor the `errors` of an `AggregateError`.
 */
import { isObject, isTagged } from '../../http/platform-value.ts'
import { describeError } from '../log/describe-error.ts'

/** An error as plain data. */
export interface ErrorMessage {
  readonly _tag: 'ErrorMessage'
  readonly description: unknown
}

export const toErrorMessage = (error: Error): ErrorMessage => ({
  _tag: 'ErrorMessage',
  description: describeError(error),
})

/** Returns the error for an {@link ErrorMessage}. Returns any other value unchanged. */
export const fromErrorMessage = (value: unknown): unknown =>
  isTagged(value, 'ErrorMessage') && 'description' in value ? restore(value.description) : value

/** The members of an error that are not enumerable. */
const hidden = new Set(['name', 'message', 'stack', 'cause', 'errors'])

/** Returns the error for a description. Returns any other value, such as a cause that is text, unchanged. */
const restore = (description: unknown): unknown => {
  if (!isObject(description) || !('stack' in description)) return description
  const members = Object.entries(description).map(([name, member]: [string, unknown]) => {
    const value =
      name === 'cause'
        ? restore(member)
        : name === 'errors' && Array.isArray(member)
          ? member.map(restore)
          : member
    const descriptor = { value, enumerable: !hidden.has(name), writable: true, configurable: true }
    return [name, descriptor] as const
  })
  return Object.defineProperties(new Error(), Object.fromEntries(members))
}
