/**
 * Handwritten `node:http`: one write per stream element, a file through `createReadStream` in chunks of 64 KiB, and a form
 * parsed by busboy and stored in a file.
 *
 * @import { IncomingMessage, ServerResponse } from 'node:http'
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzip } from 'node:zlib'
import busboy from 'busboy'
import { document, elementsLater, fileName, filePath, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { discard, sha256OfFile } from './upload-digest.mjs'

/** @typedef {(request: IncomingMessage, response: ServerResponse) => unknown} Handler */

/** @type {(response: ServerResponse, type: string, text: string) => void} */
const send = (response, type, text) => {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

/** @type {(response: ServerResponse, type: string, source: AsyncIterable<unknown>, write: (element: unknown) => string) => Promise<void>} */
const stream = async (response, type, source, write) => {
  response.writeHead(200, { 'content-type': type })
  for await (const element of source)
    if (!response.write(write(element))) await once(response, 'drain')
  response.end()
}

/** @type {(response: ServerResponse, source: AsyncIterable<unknown>) => Promise<void>} */
const events = (response, source) =>
  stream(response, 'text/event-stream', source, (one) => `data: ${JSON.stringify(one)}\n\n`)

/** @type {(response: ServerResponse) => Promise<void>} */
const file = async (response) => {
  const { size } = await stat(filePath)
  response.writeHead(200, { 'content-type': 'application/byte-stream', 'content-length': size })
  createReadStream(filePath).pipe(response)
}

/**
 * @typedef {object} Form
 * @property {Record<string, string>} fields
 * @property {string} path
 * @property {number} size
 */

/** @type {(request: IncomingMessage) => Promise<Form>} */
const receive = (request) =>
  new Promise((resolve, reject) => {
    /** @type {Record<string, string>} */
    const fields = {}
    /** @type {Promise<{ path: string, size: number }> | undefined} */
    let saved
    const form = busboy({ headers: request.headers })
    form.on('field', (name, value) => {
      fields[name] = value
    })
    form.on('file', (_, stream) => {
      const path = join(tmpdir(), randomUUID())
      const written = createWriteStream(path, { flags: 'wx', mode: 0o600 })
      saved = pipeline(stream, written).then(() => ({ path, size: written.bytesWritten }))
    })
    form.on('close', () => {
      if (saved === undefined) reject(new Error('no file'))
      else saved.then(({ path, size }) => resolve({ fields, path, size }), reject)
    })
    form.on('error', reject)
    request.pipe(form)
  })

/** @type {(isHashed: boolean) => Handler} */
const upload = (isHashed) => async (request, response) => {
  const {
    fields: { title, note },
    path,
    size,
  } = await receive(request)
  const hash = isHashed ? { sha256: await sha256OfFile(path) } : {}
  send(response, 'application/json', JSON.stringify({ title, note, size, ...hash }))
  discard(path)
}

/** @type {Handler} */
const parts = (request, response) => {
  let size = 0
  const form = busboy({ headers: request.headers })
  form.on('field', (_, value) => {
    size += Buffer.byteLength(value)
  })
  form.on('file', (_, stream) =>
    stream.on('data', (chunk) => {
      size += chunk.length
    }),
  )
  form.on('close', () => send(response, 'application/json', JSON.stringify({ size })))
  form.on('error', () => response.destroy())
  request.pipe(form)
}

/** @type {Handler} */
const compressed = (_, response) => {
  gzip(document, (error, bytes) => {
    if (error) return response.destroy(error)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': bytes.length,
      vary: 'accept-encoding',
    })
    response.end(bytes)
  })
}

/** @type {ReadonlyMap<string, Handler>} */
const handlers = new Map([
  ['GET /plaintext', (_, response) => send(response, 'text/plain', 'Hello, World!')],
  ['GET /sse', (_, response) => events(response, elementsLater())],
  ['GET /ticks', (_, response) => events(response, ticking())],
  [
    'GET /ndjson',
    (_, response) =>
      stream(
        response,
        'application/x-ndjson',
        elementsLater(),
        (one) => `${JSON.stringify(one)}\n`,
      ),
  ],
  [`GET /${fileName}`, (_, response) => file(response)],
  ['POST /upload', upload(false)],
  ['POST /upload/sha256', upload(true)],
  ['POST /parts', parts],
  ['GET /document', compressed],
])

const server = createServer((request, response) => {
  const handler = handlers.get(`${request.method} ${request.url}`)
  if (handler === undefined) response.writeHead(404).end()
  else handler(request, response)
})

server.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
