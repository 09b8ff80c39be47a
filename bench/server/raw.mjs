/**
 * Handwritten `node:http`, the baseline of the other servers: handwritten decoding, validation and routing.
 *
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 */
import { createServer } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
import { books } from '../frameworks/books.mjs'
import { announce, host, port, routes } from './listen.mjs'

/** @typedef {(request: IncomingMessage, response: ServerResponse) => void} Handler */
/** @typedef {(id: number, query: string, request: IncomingMessage, response: ServerResponse) => void} ItemHandler */

const maxBodySize = 1024 * 1024

/** @type {(response: ServerResponse, status: number, type: string, text: string) => void} */
const send = (response, status, type, text) => {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** @type {(response: ServerResponse, status: number, value: unknown) => void} */
const sendJson = (response, status, value) =>
  send(response, status, 'application/json', JSON.stringify(value))

/** @type {(text: string) => number | undefined} */
const integer = (text) => {
  if (!/^-?\d+$/.test(text)) return undefined
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : undefined
}

/** @type {(header: string | undefined, name: string) => string | undefined} */
const cookie = (header, name) => {
  for (const pair of header?.split(';') ?? []) {
    const equals = pair.indexOf('=')
    if (pair.slice(0, equals).trim() === name) return decodeURIComponent(pair.slice(equals + 1))
  }
  return undefined
}

/** @type {(value: string | string[] | undefined) => readonly string[]} */
const list = (value) => (value === undefined ? [] : typeof value === 'string' ? [value] : value)

/** @type {ItemHandler} */
const item = (id, query, request, response) => {
  const parameters = parseQuery(query)
  const [first = '1'] = list(parameters['page'])
  const page = integer(first)
  if (page === undefined) {
    sendJson(response, 400, { parameter: 'page', expected: 'an integer' })
    return
  }
  const trace = request.headers['x-trace']
  const session = cookie(request.headers.cookie, 'sid')
  sendJson(response, 200, { id, page, tags: list(parameters['tag']), trace, session })
}

/**
 * @param {unknown} value
 * @returns {value is Readonly<Record<string, unknown>>}
 */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param {unknown} value
 * @returns {value is { sku: string, quantity: number, price: number }}
 */
const isLine = (value) =>
  isRecord(value) &&
  typeof value['sku'] === 'string' &&
  Number.isSafeInteger(value['quantity']) &&
  typeof value['price'] === 'number'

/** @type {(value: unknown) => value is string} */
const isString = (value) => typeof value === 'string'

/**
 * Returns the declared members of an order; `undefined` for an invalid order.
 *
 * @type {(value: unknown) => object | undefined}
 */
const readOrder = (value) => {
  if (!isRecord(value)) return undefined
  const { id, customer, lines, notes, tags } = value
  if (!Number.isSafeInteger(id) || !isRecord(customer) || !isString(notes)) return undefined
  const { name, email } = customer
  if (!isString(name) || !isString(email)) return undefined
  if (!Array.isArray(lines) || !lines.every(isLine)) return undefined
  if (!Array.isArray(tags) || !tags.every(isString)) return undefined
  return {
    id,
    customer: { name, email },
    lines: lines.map(({ sku, quantity, price }) => ({ sku, quantity, price })),
    notes,
    tags,
  }
}

/** @type {(text: string) => unknown} */
const parseJson = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @type {Handler} */
const order = (request, response) => {
  /** @type {Buffer[]} */
  const chunks = []
  let size = 0
  request.on('data', (/** @type {Buffer} */ chunk) => {
    size += chunk.length
    if (size > maxBodySize) request.destroy()
    else chunks.push(chunk)
  })
  request.on('end', () => {
    const value = readOrder(parseJson(Buffer.concat(chunks).toString()))
    if (value === undefined) sendJson(response, 400, { body: 'is not an order' })
    else sendJson(response, 200, value)
  })
}

const messageAsync = async () => ({ message: 'Hello, World!' })

/** @type {ReadonlyMap<string, Handler>} */
const fixed = new Map([
  ['GET /plaintext', (_, response) => send(response, 200, 'text/plain', 'Hello, World!')],
  ['GET /json', (_, response) => sendJson(response, 200, { message: 'Hello, World!' })],
  ['GET /json-async', async (_, response) => sendJson(response, 200, await messageAsync())],
  ['GET /books', (_, response) => sendJson(response, 200, books)],
  ['POST /orders', order],
])

/** Handlers by method and path prefix. @type {ReadonlyMap<string, ItemHandler>} */
const items = new Map(Array.from({ length: routes }, (_, n) => [`GET /r${n}/items/`, item]))

const server = createServer((request, response) => {
  const target = request.url ?? '/'
  const mark = target.indexOf('?')
  const path = mark === -1 ? target : target.slice(0, mark)
  const handle = fixed.get(`${request.method} ${path}`)
  if (handle !== undefined) {
    handle(request, response)
    return
  }
  const slash = path.lastIndexOf('/') + 1
  const handleItem = items.get(`${request.method} ${path.slice(0, slash)}`)
  const id = handleItem && integer(path.slice(slash))
  if (handleItem === undefined || id === undefined) send(response, 404, 'text/plain', 'Not Found')
  else handleItem(id, mark === -1 ? '' : target.slice(mark + 1), request, response)
})

server.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
