/**
 * Reads answers of HTTP/1.1 from octets as they come, without keeping what they contain, as
 * `message.mjs` does: contents of a megabyte are not to be put together.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */

/** @typedef {{ readonly status: number, readonly octets: number }} Answer with octets of content */

/**
 * @typedef {object} Told
 * @property {(content: Buffer) => void} content octets of it, as they lie in the buffer that came
 * @property {(answer: Answer) => void} end
 */

const lineFeed = 0x0a
const endOfHead = '\r\n\r\n'

/** Octets in which the end of a head is looked for at a time. */
const step = 1_024

/** The value of a hexadecimal digit; `undefined` of anything else. @type {(octet: number) => number | undefined} */
const digit = (octet) => {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30
  const letter = octet | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}

/**
 * What takes the octets of a connection. Neither trailers nor extensions of chunks are expected.
 *
 * Loops in place over its own variables, because it must cost less than any server.
 *
 * @type {(told: Told) => (came: Buffer) => void}
 */
export const receiver = ({ content, end }) => {
  /** @type {'head' | 'content' | 'size' | 'chunk' | 'chunk-end' | 'last'} */
  let phase = 'head'
  let head = ''
  let left = 0
  let octets = 0

  /** Takes the head as far as it is there. @type {(came: Buffer, at: number) => number} */
  const takeHead = (came, at) => {
    const known = head.length
    head += came.toString('latin1', at, at + step)
    const last = head.indexOf(endOfHead)
    if (last === -1) return at + head.length - known
    head = head.slice(0, last)
    const [, length] = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head) ?? []
    left = Number(length ?? 0)
    octets = 0
    if (length !== undefined) {
      if (left === 0) finish()
      else phase = 'content'
    } else if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) phase = 'size'
    else throw new Error(`an answer of unknown length\n${head}`)
    return at + last + endOfHead.length - known
  }

  /** Takes octets of content as far as they are there. @type {(came: Buffer, at: number) => number} */
  const takeContent = (came, at) => {
    const length = Math.min(left, came.length - at)
    if (length > 0) content(came.subarray(at, at + length))
    left -= length
    octets += length
    return at + length
  }

  const finish = () => {
    const status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3))
    head = ''
    phase = 'head'
    end({ status, octets })
  }

  return (came) => {
    for (let at = 0; at < came.length;) {
      if (phase === 'head') {
        at = takeHead(came, at)
      } else if (phase === 'content' || phase === 'chunk') {
        at = takeContent(came, at)
        if (left > 0) continue
        if (phase === 'content') finish()
        else phase = 'chunk-end'
      } else {
        const octet = came[at++] ?? 0
        if (phase === 'size') {
          const value = digit(octet)
          if (value !== undefined) left = left * 16 + value
          else if (octet === lineFeed) phase = left === 0 ? 'last' : 'chunk'
        } else if (octet === lineFeed) {
          if (phase === 'chunk-end') phase = 'size'
          else finish()
        }
      }
    }
  }
}
