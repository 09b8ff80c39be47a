/**
 * Creates validation errors from the issues of schemas.
 *
 * Details are the messages of the schema, without the invalid value: ArkType and Valibot state the expectation in a member of the issue, and
 * other messages are not used if they contain the value.
 */
import * as t from 'io-ts'
import type { StandardIssue } from './schema-types.ts'

/** Converts an issue to validation errors. `value` is the value that the schema has received. */
export const issueErrors = (
  vendor: string,
  issue: StandardIssue,
  value: unknown,
  context: t.Context,
): t.Errors => {
  const path = Array.from(issue.path ?? [], (step) =>
    String(typeof step === 'object' ? step.key : step),
  )
  const member = memberAt(value, path)
  const errorAt = (keys: ReadonlyArray<string>, message: string): t.ValidationError => ({
    value,
    message,
    context: [...context, ...keys.map((key) => ({ key, type: t.unknown }))],
  })
  const undeclared = listAt(issue, 'keys')
  return vendor === 'zod' && textAt(issue, 'code') === 'unrecognized_keys' && undeclared.length > 0
    ? undeclared.map((key) => errorAt([...path, String(key)], notDeclared))
    : [errorAt(path, detailOf(vendor, issue, member))]
}

const memberAt = (value: unknown, keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined,
    value,
  )

const required = 'is required'
const invalid = 'is invalid'
const notDeclared = 'is not declared'

/** The detail of an issue of a library: a detail without values, or `undefined` for a message of the application. */
type LibraryDetail = (issue: StandardIssue, member: unknown) => string | undefined

const detailOf = (vendor: string, issue: StandardIssue, member: unknown): string => {
  const known = libraries.get(vendor)
  const detail = known === undefined ? undefined : known(issue, member)
  if (detail !== undefined) return detail
  if (member === undefined && known === undefined) return required
  const { message } = issue
  return message === '' || message.length > maxMessageLength || contains(message, member)
    ? invalid
    : message
}

/** Maximum length of a message. Longer messages are likely to contain the value. */
const maxMessageLength = 500

const arktype: LibraryDetail = (issue, member) => {
  if (!issue.message.endsWith(textAt(issue, 'problem') ?? '\0')) return undefined
  if (member === undefined) return required
  const expected = expectedBy(issue)
  return expected === undefined ? invalid : `must be ${expected}`
}

/** Returns the expectation of an issue of ArkType. That of a union or intersection is derived from the issues of its members. */
const expectedBy = (issue: object): string | undefined => {
  const code = textAt(issue, 'code')
  if (code !== 'union' && code !== 'intersection') return textAt(issue, 'expected')
  const { length } = listAt(issue, 'path')
  const expected = listAt(issue, 'errors').flatMap((inner) =>
    isObject(inner) && listAt(inner, 'path').length === length ? (expectedBy(inner) ?? []) : [],
  )
  return expected.length === 0
    ? undefined
    : [...new Set(expected)].join(code === 'union' ? ' or ' : ' and ')
}

const valibot: LibraryDetail = (issue, member) => {
  const received = textAt(issue, 'received')
  const { message } = issue
  const isDefault = received !== undefined && message.endsWith(`eceived ${received}`)
  const end = isDefault ? message.search(/: (?:Expected|Received) /) : -1
  if (end === -1) return undefined
  if (member === undefined) return required
  const expected = textAt(issue, 'expected')
  if (textAt(issue, 'type') === 'strict_object' && expected === 'never') return notDeclared
  return message.slice(0, end) + (expected === undefined ? '' : `: expected ${expected}`)
}

const zod: LibraryDetail = (issue, member) => {
  const { message } = issue
  if (member === undefined && /^Invalid (?:input|option|discriminator)\b/.test(message))
    return required
  if (message === 'Invalid input') {
    const expected = listAt(issue, 'errors').flatMap((branch) =>
      t.UnknownArray.is(branch) ? branch.flatMap(expectedByBranch) : [],
    )
    return expected.length === 0
      ? message
      : `${message}: expected ${[...new Set(expected)].join(' or ')}`
  }
  return zodExpectation.test(message) ? message : undefined
}

/** The messages of zod that contain an expectation, and the type of the value at most. */
const zodExpectation = /^(?:Too (?:small|big): expected|Invalid (?:input|option): expected) /

/** Returns the expectations of an issue of zod in a union, unless it concerns a member of the value. */
const expectedByBranch = (issue: unknown): ReadonlyArray<string> => {
  if (!isObject(issue) || listAt(issue, 'path').length > 0) return []
  const expected = textAt(issue, 'expected')
  return expected === undefined
    ? listAt(issue, 'values').map((value) => JSON.stringify(value) ?? String(value))
    : [expected]
}

const libraries: ReadonlyMap<string, LibraryDetail> = new Map([
  ['arktype', arktype],
  ['valibot', valibot],
  ['zod', zod],
])

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns a member of an issue that is a string. */
const textAt = (issue: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(issue, name)
  return typeof value === 'string' ? value : undefined
}

/** Returns a member of an issue that is an array. */
const listAt = (issue: object, name: string): ReadonlyArray<unknown> => {
  const value: unknown = Reflect.get(issue, name)
  return t.UnknownArray.is(value) ? Array.from(value) : []
}

/** Whether a message contains a string or number of a value. Values with too many members are not searched. */
const contains = (message: string, value: unknown): boolean => {
  let remaining = maxParts
  const search = (part: unknown): boolean => {
    if (--remaining < 0) return true
    if (isObject(part)) return Object.values(part).some(search)
    return (
      (typeof part === 'string' || typeof part === 'number' || typeof part === 'bigint') &&
      containsWord(message, String(part))
    )
  }
  return search(value)
}

/** Maximum number of values to search a message for. */
const maxParts = 100

/** Whether a message contains a text that is not a part of a longer word or number. */
const containsWord = (message: string, text: string): boolean => {
  if (text.trim() === '') return false
  const quoted = JSON.stringify(text).slice(1, -1)
  for (const word of [text.trim(), quoted])
    for (let at = message.indexOf(word); at !== -1; at = message.indexOf(word, at + 1))
      if (!isWord.test(message.charAt(at - 1)) && !isWord.test(message.charAt(at + word.length)))
        return true
  return false
}

const isWord = /[\p{L}\p{N}]/u
