/**
 * Responses read off a connection without leniency: whatever HTTP does not allow a server to send is an error here, not
 * something to be worked around. Lengths are counted in octets, so texts hold one octet a character.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */
import * as Grammar from '../../src/http/grammar.ts'

/** A response as it stood on the connection. */
export interface RawResponse {
  readonly status: number
  /** Names in lower case. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
  /** Decoded as UTF-8. */
  readonly content: string
}

/**
 * Takes the first response from what was received: the response and what stands behind it, `undefined` when more is to
 * come. Throws for what is not a response, or not one to a request with that method.
 */
export const takeResponse = (
  received: string,
  method: string,
): readonly [response: RawResponse, rest: string] | undefined => {
  const begun = received.slice(0, versionAndSpace.length)
  if (!versionAndSpace.startsWith(begun)) throw malformed('a status line', received)
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.slice(0, end).split('\r\n')
  const [, digits] = /^HTTP\/1\.1 ([1-9]\d\d) [\t \x21-\x7e\x80-\xff]*$/.exec(first) ?? []
  if (digits === undefined) throw malformed('a status line', first)
  const status = Number(digits)
  const fields = lines.map(field)
  const length = lengthOf(status, fields)
  const contentAt = end + 4
  const contentEnd = contentAt + (method === 'HEAD' ? 0 : length)
  if (received.length < contentEnd) return undefined
  const content = Buffer.from(received.slice(contentAt, contentEnd), 'latin1').toString()
  return [{ status, fields, content }, received.slice(contentEnd)]
}

/** The value of a field that stands in a response at most once. */
export const fieldOf = (
  { fields }: Pick<RawResponse, 'fields'>,
  name: string,
): string | undefined => {
  const [first, ...others] = fields.filter(([own]) => own === name)
  if (others.length > 0) throw malformed(`one field ${name}`, JSON.stringify(fields))
  return first?.[1]
}

const versionAndSpace = 'HTTP/1.1 '

const malformed = (expected: string, received: string): Error =>
  new Error(`not ${expected}: ${JSON.stringify(received.slice(0, 200))}`)

const field = (line: string): readonly [name: string, value: string] => {
  const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
  if (!Grammar.isToken(name) || !Grammar.isHeaderValue(value)) throw malformed('a field', line)
  return [name.toLowerCase(), value]
}

/**
 * The octets of the content, were the request not HEAD. Here every final response says its length, except those that
 * must not (RFC 9110, 8.6), and has a date (6.6.1).
 */
const lengthOf = (status: number, fields: RawResponse['fields']): number => {
  const length = fieldOf({ fields }, 'content-length')
  if (fieldOf({ fields }, 'transfer-encoding') !== undefined)
    throw malformed('framed by its length', JSON.stringify(fields))
  if (status < 200 || status === 204) {
    if (length !== undefined) throw malformed(`a ${status} without Content-Length`, length)
  } else if (status !== 304 && !/^\d+$/.test(length ?? ''))
    throw malformed('a length', JSON.stringify(fields))
  if (status >= 200 && !imfFixdate.test(fieldOf({ fields }, 'date') ?? ''))
    throw malformed('dated', JSON.stringify(fields))
  if (status === 205 && length !== '0') throw malformed('an empty 205', length ?? '')
  return status === 304 ? 0 : Number(length ?? 0)
}

const imfFixdate = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/
