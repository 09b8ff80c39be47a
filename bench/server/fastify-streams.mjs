/**
 * Fastify with `Readable` streams, `@fastify/static`, `@fastify/multipart` with files on disk, and `@fastify/compress` on one
 * route.
 */
import { Readable } from 'node:stream'
import compress from '@fastify/compress'
import multipart from '@fastify/multipart'
import files from '@fastify/static'
import fastify from 'fastify'
import { document, elementsLater, folder, ticking } from '../streams/payloads.mjs'
import { announce, host, isHttp2, port } from './listen.mjs'
import { sha256OfFile } from './upload-digest.mjs'

const app = fastify(
  /** @type {import('fastify').FastifyServerOptions} */ (isHttp2 ? { http2: true } : {}),
)
await app.register(compress, { global: false })
await app.register(multipart, { limits: { fileSize: 10_000_000 } })
await app.register(files, { root: folder })

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const events = async function* (source) {
  for await (const element of source) yield `data: ${JSON.stringify(element)}\n\n`
}

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const lines = async function* (source) {
  for await (const element of source) yield `${JSON.stringify(element)}\n`
}

app.get('/plaintext', () => 'Hello, World!')

app.get('/sse', (_, reply) =>
  reply.type('text/event-stream').send(Readable.from(events(elementsLater()))),
)

app.get('/ticks', (_, reply) =>
  reply.type('text/event-stream').send(Readable.from(events(ticking()))),
)

app.get('/ndjson', (_, reply) =>
  reply.type('application/x-ndjson').send(Readable.from(lines(elementsLater()))),
)

/** @type {(field: unknown) => unknown} */
const valueOf = (field) =>
  typeof field === 'object' && field !== null && 'value' in field ? field.value : undefined

/** @type {(isHashed: boolean) => (request: import('fastify').FastifyRequest) => Promise<object>} */
const upload = (isHashed) => async (request) => {
  const {
    files: [cover],
  } = await request.saveRequestFiles()
  if (cover === undefined) throw new Error('no file')
  const { title, note } = cover.fields
  return {
    title: valueOf(title),
    note: valueOf(note),
    size: cover.file.bytesRead,
    ...(isHashed ? { sha256: await sha256OfFile(cover.filepath) } : {}),
  }
}

app.post('/upload', upload(false))

app.post('/upload/sha256', upload(true))

app.post('/parts', async (request) => {
  let size = 0
  for await (const part of request.parts())
    if (part.type === 'file') for await (const chunk of part.file) size += chunk.length
    else size += Buffer.byteLength(String(part.value))
  return { size }
})

app.get('/document', { compress: {} }, (_, reply) => reply.type('application/json').send(document))

announce(new URL(await app.listen({ port, host })).port)
