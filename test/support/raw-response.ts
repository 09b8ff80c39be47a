/**
 * A strict parser of HTTP/1.1 responses: any violation of the grammar is an error. Strings are Latin-1, one character for
 * each byte, so that `Content-Length` counts characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
import * as Grammar from '../../src/http/grammar.ts'

/** A response as received on the connection. */
export interface RawResponse {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** The body, decoded as UTF-8. */
  readonly body: string
}

/**
 * Parses the first response of the received data. Returns the response and the remaining data, or `undefined` if the response
 * is incomplete. Throws for data that is not a valid response to a request with `method`.
 */
export const takeResponse = (
  received: string,
  method: string,
): readonly [response: RawResponse, rest: string] | undefined => {
  const start = received.slice(0, versionAndSpace.length)
  if (!versionAndSpace.startsWith(start)) throw malformed('a status line', received)
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const [, digits] = /^HTTP\/1\.1 ([1-9]\d\d) [\t \x21-\x7e\x80-\xff]*$/.exec(first) ?? []
  if (digits === undefined) throw malformed('a status line', first)
  const status = Number(digits)
  const headers = lines.map(parseHeader)
  const length = lengthOf(status, headers)
  const bodyStart = end + 4
  const bodyEnd = bodyStart + (method === 'HEAD' ? 0 : length)
  if (received.length < bodyEnd) return undefined
  const body = Buffer.from(received.slice(bodyStart, bodyEnd), 'latin1').toString()
  return [{ status, headers: headers, body }, received.slice(bodyEnd)]
}

/** Returns the value of a header. Throws if the response repeats it. */
export const headerOf = (
  { headers }: Pick<RawResponse, 'headers'>,
  name: string,
): string | undefined => {
  const [first, ...others] = headers.filter(([candidate]) => candidate === name)
  if (others.length > 0) throw malformed(`a single header ${name}`, JSON.stringify(headers))
  return first?.[1]
}

const versionAndSpace = 'HTTP/1.1 '

const malformed = (expected: string, received: string): Error =>
  new Error(`not ${expected}: ${JSON.stringify(received.slice(0, 200))}`)

const parseHeader = (line: string): readonly [name: string, value: string] => {
  const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
  if (!Grammar.isToken(name) || !Grammar.isHeaderValue(value)) throw malformed('a header', line)
  return [name.toLowerCase(), value]
}

/**
 * Returns the length of the body, unless the request was HEAD. Every final response must have a date (RFC 9110, 6.6.1) and a
 * length, except those for which a length is forbidden (8.6).
 */
const lengthOf = (status: number, headers: RawResponse['headers']): number => {
  const length = headerOf({ headers }, 'content-length')
  if (headerOf({ headers }, 'transfer-encoding') !== undefined)
    throw malformed('framed by its length', JSON.stringify(headers))
  if (status < 200 || status === 204) {
    if (length !== undefined) throw malformed(`a ${status} without Content-Length`, length)
  } else if (status !== 304 && !/^\d+$/.test(length ?? ''))
    throw malformed('a length', JSON.stringify(headers))
  if (status >= 200 && !imfFixdate.test(headerOf({ headers }, 'date') ?? ''))
    throw malformed('dated', JSON.stringify(headers))
  if (status === 205 && length !== '0') throw malformed('an empty 205', length ?? '')
  return status === 304 ? 0 : Number(length ?? 0)
}

const imfFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
