/**
 * An incremental parser of HTTP/1.1 responses. Unlike `http-message.mjs`, it does not buffer bodies, which may have megabytes.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 */

/** @typedef {{ readonly status: number, readonly bytes: number }} ReceivedResponse `bytes` is the length of the body */

/**
 * @typedef {object} ResponseListener
 * @property {(bytes: Buffer) => void} onBody called with a part of the body, which is valid only during the call
 * @property {(response: ReceivedResponse) => void} onEnd called when a response is complete
 */

const lineFeed = 0x0a
const endOfHead = '\r\n\r\n'

/** Number of bytes that are searched for the end of a head at a time. */
const step = 1_024

/** Returns the value of a hexadecimal digit; `undefined` for other characters. @type {(byte: number) => number | undefined} */
const digit = (byte) => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : undefined
}

/**
 * Creates a parser for the bytes of one connection. Does not support trailers and chunk extensions.
 *
 * It is one loop over local variables, because the load generator must need less CPU time than the servers.
 *
 * @type {(listener: ResponseListener) => (bytes: Buffer) => void}
 */
export const responseParser = ({ onBody, onEnd }) => {
  /** @type {'head' | 'body' | 'size' | 'chunk' | 'chunk-end' | 'last'} */
  let phase = 'head'
  let head = ''
  let left = 0
  let bodyLength = 0

  /** Reads the available part of the head and returns the new offset. @type {(input: Buffer, at: number) => number} */
  const readHead = (input, at) => {
    const known = head.length
    head += input.toString('latin1', at, at + step)
    const last = head.indexOf(endOfHead)
    if (last === -1) return at + head.length - known
    head = head.slice(0, last)
    const [, length] = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head) ?? []
    left = Number(length ?? 0)
    bodyLength = 0
    if (length !== undefined) {
      if (left === 0) finish()
      else phase = 'body'
    } else if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) phase = 'size'
    else throw new Error(`response without Content-Length or chunked encoding\n${head}`)
    return at + last + endOfHead.length - known
  }

  /** Reads the available part of the body and returns the new offset. @type {(input: Buffer, at: number) => number} */
  const readBody = (input, at) => {
    const length = Math.min(left, input.length - at)
    if (length > 0) onBody(input.subarray(at, at + length))
    left -= length
    bodyLength += length
    return at + length
  }

  const finish = () => {
    const status = Number(head.slice('HTTP/1.1 '.length).slice(0, 3))
    head = ''
    phase = 'head'
    onEnd({ status, bytes: bodyLength })
  }

  return (input) => {
    for (let at = 0; at < input.length;) {
      if (phase === 'head') {
        at = readHead(input, at)
      } else if (phase === 'body' || phase === 'chunk') {
        at = readBody(input, at)
        if (left > 0) continue
        if (phase === 'body') finish()
        else phase = 'chunk-end'
      } else {
        const byte = input[at++] ?? 0
        if (phase === 'size') {
          const value = digit(byte)
          if (value !== undefined) left = left * 16 + value
          else if (byte === lineFeed) phase = left === 0 ? 'last' : 'chunk'
        } else if (byte === lineFeed) {
          if (phase === 'chunk-end') phase = 'size'
          else finish()
        }
      }
    }
  }
}
