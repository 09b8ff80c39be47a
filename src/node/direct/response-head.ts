/** Formats the heads of responses. */
import { memoizeHeader } from '../../http/headers.ts'
import * as Grammar from '../../http/grammar.ts'
import type { Headers } from '../../http/headers.ts'
import * as Status from '../../http/status.ts'

/** How a response is framed, and whether the connection stays open. */
export interface ResponseFraming {
  /** The length of the body in bytes, or `undefined` if the response has no `Content-Length`. */
  readonly length: number | undefined
  readonly isChunked: boolean
  readonly closes: boolean
}

/**
 * Creates a function that formats the head of a response as a Latin-1 string. `keepAliveHeaders` are added to the responses that
 * leave the connection open.
 *
 * Throws a `TypeError` for an invalid header, so that an application cannot add further headers or responses (header injection).
 */
export const createHeadFormatter = (
  keepAliveHeaders: Headers,
): ((status: number, headers: Headers, framing: ResponseFraming) => string) => {
  const statusLines = new Map<number, string>()
  const keepAlive = `Connection: keep-alive\r\n${formatHeaders(keepAliveHeaders)}`
  const close = 'Connection: close\r\n'
  let second = -1
  let keepAliveLines = ''
  let closeLines = ''
  /** Formats the lines that change once a second. */
  const update = (now: number): void => {
    second = Math.floor(now / 1000)
    const date = `Date: ${new Date(now).toUTCString()}\r\n`
    keepAliveLines = date + keepAlive
    closeLines = date + close
  }
  const statusLine = (status: number): string => {
    if (!Number.isInteger(status) || status < 100 || status > 999)
      throw new RangeError(`invalid status: ${status}`)
    const line = `HTTP/1.1 ${status} ${Status.reasonPhrase(status)}\r\n`
    statusLines.set(status, line)
    return line
  }
  return (status, headers, { length, isChunked, closes }) => {
    const now = Date.now()
    if (now - second * 1000 >= 1000 || now < second * 1000) update(now)
    const framing =
      length !== undefined
        ? `Content-Length: ${length}\r\n\r\n`
        : isChunked
          ? 'Transfer-Encoding: chunked\r\n\r\n'
          : '\r\n'
    return (
      (statusLines.get(status) ?? statusLine(status)) +
      formatHeaders(headers) +
      (closes ? closeLines : keepAliveLines) +
      framing
    )
  }
}

const formatHeaders = (headers: Headers): string => {
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    if (!isName(name)) throw new TypeError(`invalid header name: ${JSON.stringify(name)}`)
    if (invalidValue.test(value)) throw new TypeError(`invalid value for header ${name}`)
    lines += `${name}: ${value}\r\n`
  }
  return lines
}

/** Whether a header name is valid. Results are memoized, because an application sends few distinct names. */
const isName = memoizeHeader((name = '') => Grammar.isToken(name))

/** A character that a header value must not contain (RFC 9110, 5.5), or that Latin-1 cannot represent. */
const invalidValue = /[^\t\x20-\x7e\x80-\xff]/
