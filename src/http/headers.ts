/**
 * Header fields: names and values in turn, in the order they were sent. This is how Node hands them over and takes them, so
 * nothing is built per request; looking up a declared field walks the list.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5
 */
import * as Grammar from './grammar.ts'

/** `[name, value, name, value, …]`; names in any case. */
export type Headers = ReadonlyArray<string>

export const empty: Headers = Object.freeze([])

/**
 * Whether two field names are the same; `lower` is in lower case already. Most names differ in their length, most others in
 * their first letter, and only what is left is worth a text in lower case, which takes 20 ns.
 */
const same = (name: string, lower: string): boolean =>
  name.length === lower.length &&
  (name.charCodeAt(0) | 0x20) === (lower.charCodeAt(0) | 0x20) &&
  (name === lower || name.toLowerCase() === lower)

/** The value of the first field of that name, given in lower case. */
export const first = (headers: Headers, lower: string): string | undefined => {
  for (let i = 0; i < headers.length; i += 2)
    if (same(headers[i] ?? '', lower)) return headers[i + 1]
  return undefined
}

/** The values of all fields of that name, given in lower case, in order. */
export const all = (headers: Headers, lower: string): ReadonlyArray<string> => {
  const found: string[] = []
  for (let i = 0; i < headers.length; i += 2)
    if (same(headers[i] ?? '', lower)) found.push(headers[i + 1] ?? '')
  return found
}

/** The fields of that name as one list, the way RFC 9110, 5.3 joins them; `undefined` when there is none. */
export const combined = (headers: Headers, lower: string): string | undefined => {
  let list: string | undefined
  for (let i = 0; i < headers.length; i += 2)
    if (same(headers[i] ?? '', lower)) {
      const value = headers[i + 1] ?? ''
      list = list === undefined ? value : `${list}, ${value}`
    }
  return list
}

/** Adds a field; throws a `TypeError` when its name is no token or its value no field value (RFC 9110, 5.1 and 5.5). */
export const append = (headers: Headers, name: string, value: string): Headers => {
  if (!Grammar.isToken(name))
    throw new TypeError(`not the name of a header field: ${JSON.stringify(name)}`)
  // without types, `null` and lists come here too, and would be sent as their texts
  if (typeof value !== 'string' || !Grammar.isHeaderValue(value))
    throw new TypeError(`not a value for the header field ${name}`)
  return Object.freeze([...headers, name, value])
}

/** Everything but the fields of that name, in any case. */
export const without = (headers: Headers, name: string): Headers => {
  const lower = name.toLowerCase()
  return headers.filter((_, index) => !same(headers[index - (index % 2)] ?? '', lower))
}
