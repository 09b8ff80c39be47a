/**
 * Functions for headers stored as a flat list of names and values, in the order in which they were sent. `rawHeaders` in Node.js
 * has the same format. Lookups search the list, so no map needs to be built for each request.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5
 */
import * as Grammar from './grammar.ts'

/** A flat list: `[name, value, name, value, …]`. Names are case-insensitive. */
export type Headers = ReadonlyArray<string>

/**
 * Headers that are found by name, such as `Headers` of the Fetch standard. The values of headers with equal names are combined. Where a
 * runtime creates the list on demand, a lookup is several times faster.
 */
export interface HeaderLookup extends Iterable<readonly [name: string, value: string]> {
  /** Returns the combined value, or `null` if there is no header with the given name. Throws if `name` is not a token. */
  readonly get: (name: string) => string | null
}

/** The headers of a request, as its runtime provides them. */
export type RequestHeaders = Headers | HeaderLookup

export const empty: Headers = Object.freeze([])

/** Whether headers are a list. */
export const isList = (headers: RequestHeaders): headers is Headers => Array.isArray(headers)

/** Returns headers as a list. */
export const toList = (headers: RequestHeaders): Headers =>
  isList(headers) ? headers : [...headers].flat()

/** Returns the names and values of headers as pairs. */
export const toPairs = (headers: Headers): Array<[name: string, value: string]> =>
  Array.from({ length: headers.length / 2 }, (_, index) => [
    headers[2 * index] ?? '',
    headers[2 * index + 1] ?? '',
  ])

/** Whether two header names are equal, ignoring case. `lowerCaseName` must be in lower case. */
export const isSameName = (name: string, lowerCaseName: string): boolean =>
  name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName

/** Returns the value of the first header with the given name. The name must be in lower case. */
export const first = (headers: RequestHeaders, lowerCaseName: string): string | undefined => {
  if (!isList(headers)) return headers.get(lowerCaseName) ?? undefined
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName)) return headers[i + 1]
  return undefined
}

/** Returns the values of all headers with the given name. The name must be in lower case. */
export const all = (headers: RequestHeaders, lowerCaseName: string): ReadonlyArray<string> => {
  if (!isList(headers)) {
    const value = headers.get(lowerCaseName)
    return value === null ? [] : [value]
  }
  let values: string[] | undefined
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName))
      values = withValue(values, headers[i + 1] ?? '')
  return values ?? []
}

/** Appends a value to a list, which is modified. An array with one element takes a third of the memory of one that has grown. */
export const withValue = (values: string[] | undefined, value: string): string[] => {
  if (values === undefined) return [value]
  values.push(value)
  return values
}

/**
 * Returns the values of all headers with the given name as one list (RFC 9110, 5.3), or `undefined` if no header has this name. The name
 * must be in lower case. The values are separated by commas, those of `Cookie` by semicolons (RFC 9113, 8.2.3).
 */
export const combined = (headers: RequestHeaders, lowerCaseName: string): string | undefined => {
  if (!isList(headers)) return headers.get(lowerCaseName) ?? undefined
  let list: string | undefined
  for (let i = 0; i < headers.length; i += 2)
    if (isSameName(headers[i] ?? '', lowerCaseName)) {
      const value = headers[i + 1] ?? ''
      const separator = lowerCaseName === 'cookie' ? '; ' : ', '
      list = list === undefined ? value : `${list}${separator}${value}`
    }
  return list
}

/**
 * Returns a copy of the list with a header appended. Throws a `TypeError` if the name or value is invalid (RFC 9110, 5.1 and
 * 5.5).
 */
export const append = (headers: Headers, name: string, value: string): Headers => {
  if (!Grammar.isToken(name)) throw new TypeError(`invalid header name: ${JSON.stringify(name)}`)
  // callers without type checking may pass `null` or a list, which the check would convert to a string
  const error = typeof value === 'string' ? Grammar.headerValueError(value) : 'must be a string'
  if (error !== undefined) throw new TypeError(`invalid value for header ${name}: ${error}`)
  return Object.freeze([...headers, name, value])
}

/** Returns a copy of the list without the headers that have the given name. Names are compared case-insensitively. */
export const without = (headers: Headers, name: string): Headers => {
  const lowerCaseName = name.toLowerCase()
  return headers.filter(
    (_, index) => !isSameName(headers[index - (index % 2)] ?? '', lowerCaseName),
  )
}

/** Maximum number of header values memoized for each function. The cache is cleared when it is full. */
const maxEntries = 256
/** Maximum length of a memoized header value. */
const maxLength = 512

/** Memoizes a pure function of a header value. The results are stored in a bounded cache. */
export const memoizeHeader = <B>(
  f: (text: string | undefined) => B,
): ((text: string | undefined) => B) => {
  const cache = new Map<string | undefined, { readonly result: B }>()
  return (text) => {
    const cached = cache.get(text)
    if (cached !== undefined) return cached.result
    const result = f(text)
    if (text !== undefined && text.length > maxLength) return result
    if (cache.size >= maxEntries) cache.clear()
    cache.set(text, { result })
    return result
  }
}

/**
 * Memoizes a pure function of two header values. A missing header is treated as an empty one. The cache is as large as that for a
 * single header, so that clients cannot fill it with combinations.
 */
export const memoizeHeaders = <B>(
  f: (one: string, other: string) => B,
): ((one: string | undefined, other: string | undefined) => B) => {
  // header values have no line breaks
  const memoized = memoizeHeader((pair = '') => {
    const end = pair.indexOf('\n')
    return f(pair.slice(0, end), pair.slice(end + 1))
  })
  return (one = '', other = '') => memoized(`${one}\n${other}`)
}
