/**
 * Finds the requests in a message with regular expressions that follow the grammar of RFC 9112 literally. Tests compare the server with
 * it, because it shares no code with the server.
 */

/** A request in a message. */
export interface OracleRequest {
  readonly method: string
  /** The message from the beginning of the request, including empty lines before it. */
  readonly text: string
}

/** The valid requests at the beginning of a message, and the text after them. */
export interface OracleResult {
  readonly requests: ReadonlyArray<OracleRequest>
  /** The rest of the message, which is not a request, or `undefined` if the end of the last request is unknown. */
  readonly rest: string | undefined
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"

const emptyLines = /^(?:\r\n)*/

/** RFC 9112, 3: one space between the parts. Minor versions above 1 are processed as 1 (RFC 9110, 2.5). */
const requestLine = new RegExp(`^(${token}) ([\\x21-\\x7e]+) HTTP/1\\.(\\d)\\r\\n`)

/** RFC 9112, 5: no folding, and no whitespace before the colon. */
const headerLine = new RegExp(
  `^(${token}):[\\t ]*((?:[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?)?)[\\t ]*\\r\\n`,
)

/** RFC 9112, 7.1: without whitespace in extensions, which recipients may reject. */
const chunkLine = new RegExp(
  `^([0-9A-Fa-f]+)(?:;${token}(?:=(?:${token}|"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"))?)*\\r\\n`,
)

/**
 * The forms of RFC 9112, 3.2, except the authority form of CONNECT, with the characters that the URL Standard does not encode in paths and
 * queries (1.3), except a backslash in paths.
 */
const pathCharacter = "[A-Za-z0-9._~!$&'()*+,;=:@%|^[\\]-]"
const pathAndQuery = `(?:/${pathCharacter}*)*(?:\\?(?:${pathCharacter}|[/?{}\`\\\\])*)?`
const hostName = "(?:(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*|\\[[0-9A-Fa-f:.]+\\])"
const hostHeader = new RegExp(`^(?:${hostName}(?::\\d*)?)?$`)
const target = new RegExp(`^(?:/|[Hh][Tt][Tt][Pp][Ss]?://${hostName}(?::\\d*)?(?=[/?]|$))`)
const rest = new RegExp(`^${pathAndQuery}$`)

const isTarget = (method: string, text: string): boolean => {
  if (text === '*') return method === 'OPTIONS'
  const [start] = target.exec(text) ?? []
  return start !== undefined && rest.test(start === '/' ? text : text.slice(start.length))
}

type Header = readonly [name: string, value: string]

/** Takes header lines up to the empty line. Returns the headers and the text after it. */
const takeHeaders = (
  text: string,
): readonly [headers: ReadonlyArray<Header>, rest: string] | undefined => {
  const headers: Header[] = []
  let remaining = text
  for (;;) {
    if (remaining.startsWith('\r\n')) return [headers, remaining.slice(2)]
    const [line, name = '', value = ''] = headerLine.exec(remaining) ?? []
    if (line === undefined) return undefined
    headers.push([name.toLowerCase(), value])
    remaining = remaining.slice(line.length)
  }
}

/** Returns the text after a chunked body, or `undefined` if the body is invalid or incomplete. */
const afterChunks = (text: string): string | undefined => {
  let remaining = text
  for (;;) {
    const [line, digits = ''] = chunkLine.exec(remaining) ?? []
    if (line === undefined) return undefined
    remaining = remaining.slice(line.length)
    const size = Number.parseInt(digits, 16)
    if (size === 0) break
    if (remaining.slice(size, size + 2) !== '\r\n') return undefined
    remaining = remaining.slice(size + 2)
  }
  const [trailers, end] = takeHeaders(remaining) ?? []
  const isFramed = trailers?.some(([name]) => /^(?:content-length|transfer-encoding)$/.test(name))
  return isFramed === false ? end : undefined
}

/** The text after the body of a request, `undefined` if its end is unknown, or `invalid`. */
const afterBody = (
  version: string,
  headers: ReadonlyArray<Header>,
  text: string,
): string | undefined => {
  const all = (wanted: string): ReadonlyArray<string> =>
    headers.flatMap(([name, value]) => (name === wanted ? [value] : []))
  const [lengths, codings, hosts] = [all('content-length'), all('transfer-encoding'), all('host')]
  if (hosts.length > 1 || (version !== '0' && hosts.length === 0)) throw new InvalidRequest()
  if (!hosts.every((host) => hostHeader.test(host))) throw new InvalidRequest()
  if (codings.length > 0) {
    // RFC 9112, 6.1 and 6.3: a server may reject both headers, and codings that it does not support
    const isSupported = version !== '0' && lengths.length === 0 && codings.length === 1
    if (!isSupported || codings[0]?.toLowerCase() !== 'chunked') throw new InvalidRequest()
    return afterChunks(text)
  }
  if (lengths.length > 1 || !lengths.every((length) => /^\d+$/.test(length)))
    throw new InvalidRequest()
  const length = Number(lengths[0] ?? 0)
  return text.length < length ? undefined : text.slice(length)
}

class InvalidRequest extends Error {}

/** Finds the requests with valid heads. The body of the last one may be incomplete or invalid. */
export const findRequests = (message: string): OracleResult => {
  const requests: OracleRequest[] = []
  let text = message
  try {
    for (;;) {
      const start = emptyLines.exec(text)?.[0].length ?? 0
      const [line, method = '', url = '', version = ''] = requestLine.exec(text.slice(start)) ?? []
      if (line === undefined || !isTarget(method, url)) break
      const [headers, body] = takeHeaders(text.slice(start + line.length)) ?? []
      if (headers === undefined || body === undefined) break
      const end = afterBody(version, headers, body)
      requests.push({ method, text })
      if (end === undefined) return { requests, rest: undefined }
      text = end
    }
  } catch (error) {
    if (!(error instanceof InvalidRequest)) throw error
  }
  return { requests, rest: text }
}
