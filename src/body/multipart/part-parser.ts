/**
 * Finds the parts of a multipart body without dependencies, for clients and for runtimes without `Buffer`. It accepts and rejects the
 * same bodies as the parser of the server on Node.js.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
import type { CreateParser } from './read-parts.ts'

const encoder = new TextEncoder()
const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45]

export const createPartParser: CreateParser = (boundary, receiver, invalidDelimiter) => {
  const delimiter = encoder.encode(`\r\n--${boundary}`)
  /** What precedes the next byte. */
  let state: 'preamble' | 'delimiter' | 'part' | 'closing delimiter' = 'preamble'
  /** Bytes that can belong to a delimiter. The first delimiter needs no line break before it. */
  let held: Uint8Array = Uint8Array.of(CR, LF)
  /** Whether whitespace follows the delimiter. */
  let isPadded = false

  const endLine = (first: number | undefined, second: number | undefined): void => {
    if (first === CR && second === LF) {
      state = 'part'
      receiver.begin()
    } else if (first === DASH && second === DASH && !isPadded) state = 'closing delimiter'
    else throw invalidDelimiter()
  }

  const write = (chunk: Uint8Array): void => {
    const bytes = concat(held, chunk)
    let start = 0
    while (state !== 'closing delimiter') {
      if (state === 'delimiter') {
        for (; bytes[start] === SPACE || bytes[start] === TAB; start++) isPadded = true
        if (start + 2 > bytes.length) break
        endLine(bytes[start], bytes[start + 1])
      } else {
        const next = indexOf(bytes, delimiter, start)
        const end = next === -1 ? Math.max(start, bytes.length - delimiter.length + 1) : next
        if (state === 'part') receiver.add(bytes.subarray(start, end))
        start = end
        if (next === -1) break
        if (state === 'part') receiver.end()
        state = 'delimiter'
        isPadded = false
        start += delimiter.length
      }
    }
    held = bytes.slice(start)
  }

  return {
    write,
    get isComplete() {
      return state === 'closing delimiter'
    },
  }
}

const concat = (first: Uint8Array, second: Uint8Array): Uint8Array => {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/**
 * Returns the first index of `pattern`, or -1 if it does not occur. The search takes linear time, because the first
 * byte of a delimiter does not occur again in the delimiter.
 */
const indexOf = (bytes: Uint8Array, pattern: Uint8Array, from: number): number => {
  const [first = 0] = pattern
  let at = bytes.indexOf(first, from)
  while (at !== -1 && at + pattern.length <= bytes.length) {
    let matched = 1
    while (matched < pattern.length && bytes[at + matched] === pattern[matched]) matched++
    if (matched === pattern.length) return at
    at++
    // no search is needed if the next byte equals the first byte of the pattern
    if (bytes[at] !== first) at = bytes.indexOf(first, at)
  }
  return -1
}
