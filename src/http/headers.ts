/**
 * Headers as a flat list of names and values, in the order they were sent. Node.js uses the same format, so nothing is built
 * per request; lookups search the list.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5
 */
import * as Grammar from './grammar.ts'

/** `[name, value, name, value, …]`. Names are in any case. */
export type Headers = ReadonlyArray<string>

export const empty: Headers = Object.freeze([])

/**
 * Whether two header names are equal; `lowerCaseName` is in lower case. The lengths, then the first letters, rule out most
 * names before `toLowerCase`, which takes 20 ns.
 */
const isSameName = (name: string, lowerCaseName: string): boolean =>
  name.length === lowerCaseName.length &&
  (name.charCodeAt(0) | 0x20) === (lowerCaseName.charCodeAt(0) | 0x20) &&
  (name === lowerCaseName || name.toLowerCase() === lowerCaseName)

/** Returns the value of the first header with a name, which is given in lower case. */
export const first = (headers: Headers, lowerCaseName: string): string | undefined => {
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName)) return headers[i + 1]
  return undefined
}

/** Returns the values of all headers with a name, which is given in lower case. */
export const all = (headers: Headers, lowerCaseName: string): ReadonlyArray<string> => {
  const values: string[] = []
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName)) values.push(headers[i + 1] ?? '')
  return values
}

/** Returns the combined value of all headers with a name in lower case (RFC 9110, 5.3), or `undefined` if there are none. */
export const combined = (headers: Headers, lowerCaseName: string): string | undefined => {
  let list: string | undefined
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName)) {
      const value = headers[i + 1] ?? ''
      list = list === undefined ? value : `${list}, ${value}`
    }
  return list
}

/** Appends a header. Throws a `TypeError` for an invalid name or value (RFC 9110, 5.1 and 5.5). */
export const append = (headers: Headers, name: string, value: string): Headers => {
  if (!Grammar.isToken(name)) throw new TypeError(`invalid header name: ${JSON.stringify(name)}`)
  // code without types may pass `null` or a list, which would be sent as text
  if (typeof value !== 'string' || !Grammar.isHeaderValue(value))
    throw new TypeError(`invalid value for header ${name}`)
  return Object.freeze([...headers, name, value])
}

/** Removes all headers with a name, which is given in any case. */
export const without = (headers: Headers, name: string): Headers => {
  const lowerCaseName = name.toLowerCase()
  return headers.filter(
    (_, index) => !isSameName(headers[index - (index % 2)] ?? '', lowerCaseName),
  )
}
