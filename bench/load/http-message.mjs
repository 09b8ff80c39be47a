/**
 * The little of HTTP/1.1 that a load generator needs: one request as text, and where one answer
 * ends. A text has a character for each octet (latin1), so that lengths agree.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9112
 * @import { Request } from '../frameworks/workloads.mjs'
 */

const lineEnd = '\r\n'

/** @type {(request: Request, host: string) => string} */
export const format = ({ method, target, headers, body }, host) => {
  const content = body === undefined ? '' : Buffer.from(body).toString('latin1')
  const fields = Object.entries({
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(content.length) }),
  })
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${target} HTTP/1.1`, ...lines, '', content].join(lineEnd)
}

/**
 * Where the chunks end that begin at `from`; `undefined` while some are missing. Trailers are not
 * expected.
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
  throw new Error(`an answer of unknown length\n${head}`)
}

/**
 * The status of the answer that a text is, and the length of that answer; `undefined` while some of
 * it is missing.
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
