/**
 * A minimal HTTP/1.1 implementation for load generators: formats requests, and finds the end of responses. Strings are
 * latin1, one character per byte, so that string lengths are byte lengths.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 * @import { Request } from '../frameworks/workloads.mjs'
 */

const lineEnd = '\r\n'

/** @type {(request: Request, host: string) => string} */
export const format = ({ method, target, headers, body }, host) => {
  const payload = body === undefined ? '' : Buffer.from(body).toString('latin1')
  const allHeaders = Object.entries({
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(payload.length) }),
  })
  const lines = allHeaders.map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...lines, '', payload].join(lineEnd)
}

/**
 * Returns the end of the chunked body that begins at `from`; `undefined` if it is incomplete. Does not support trailers.
 *
 * @type {(text: string, from: number) => number | undefined}
 */
const endOfChunks = (text, from) => {
  const line = text.indexOf(lineEnd, from)
  if (line === -1) return undefined
  const size = Number.parseInt(text.slice(from, line), 16)
  const end = line + lineEnd.length + size + lineEnd.length
  if (end > text.length) return undefined
  return size === 0 ? end : endOfChunks(text, end)
}

/** @type {(head: string, text: string, from: number) => number | undefined} */
const endOfBody = (head, text, from) => {
  const [, length] = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head) ?? []
  if (length !== undefined) return from + Number(length)
  if (/\r\ntransfer-encoding:[ \t]*chunked/i.test(head)) return endOfChunks(text, from)
  throw new Error(`response without Content-Length or chunked encoding\n${head}`)
}

/**
 * Returns the status and the length of the response at the beginning of `text`; `undefined` if it is incomplete.
 *
 * @type {(text: string) => { readonly status: number, readonly length: number } | undefined}
 */
export const parse = (text) => {
  const endOfHead = text.indexOf(lineEnd + lineEnd)
  if (endOfHead === -1) return undefined
  const head = text.slice(0, endOfHead)
  const length = endOfBody(head, text, endOfHead + 2 * lineEnd.length)
  if (length === undefined || length > text.length) return undefined
  return { status: Number(head.slice('HTTP/1.1 '.length).slice(0, 3)), length }
}
