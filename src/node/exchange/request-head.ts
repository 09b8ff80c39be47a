/** The headers that determine the framing and the target of a request, read in one pass. */
import type { Headers } from '../../http/headers.ts'

export interface RequestHead {
  /**
   * Bytes of the header lines: name, colon, space, value and CRLF. Additional whitespace is not counted, because the parser removes it.
   */
  readonly size: number
  /** The first `Host` header. */
  readonly host: string | undefined
  /** All `Transfer-Encoding` headers, combined to one list (RFC 9110, 5.3). */
  readonly coding: string | undefined
  /** The value of `Content-Length`; 0 without it. */
  readonly length: number
  /** Whether there is an `Expect` header, with any value. */
  readonly expects: boolean
  /** The name of a singleton header that occurs more than once. */
  readonly repeated: string | undefined
}

/** Headers that may occur once only. Otherwise an intermediary and the server could use different values. */
const singletons = ['host', 'content-type', 'content-length', 'authorization']
const nameLengths = new Set(
  [...singletons, 'transfer-encoding', 'expect'].map(({ length }) => length),
)

/**
 * Reads the headers of a request.
 *
 * A name is compared only if it has the length of a relevant name, which are five of the thirteen headers that a browser sends. This
 * takes a fifth to two thirds less time than a lookup of every name.
 */
export const readHead = (headers: Headers): RequestHead => {
  let size = 0
  let host: string | undefined
  let coding: string | undefined
  let length = 0
  let expects = false
  let seen = 0
  let repeated = 0
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] ?? ''
    const value = headers[index + 1] ?? ''
    size += name.length + value.length + ': \r\n'.length
    if (!nameLengths.has(name.length)) continue
    const lowerCaseName = name.toLowerCase()
    if (lowerCaseName === 'expect') expects = true
    else if (lowerCaseName === 'transfer-encoding')
      coding = coding === undefined ? value : `${coding}, ${value}`
    else {
      const bit = singletons.indexOf(lowerCaseName)
      if (bit < 0) continue
      if (lowerCaseName === 'host') host ??= value
      if (lowerCaseName === 'content-length') length ||= Number(value)
      repeated |= seen & (1 << bit)
      seen |= 1 << bit
    }
  }
  return {
    size,
    host,
    coding,
    length,
    expects,
    repeated: repeated === 0 ? undefined : singletons.find((_, bit) => (repeated >> bit) & 1),
  }
}
