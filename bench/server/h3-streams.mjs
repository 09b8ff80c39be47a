/**
 * h3 on Node.js with `EventStream`, `iterable`, and `serveStatic` with files read as in its guide. It buffers forms in memory
 * and does not support compression.
 */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { EventStream, H3, iterable, serve, serveStatic } from 'h3'
import { elementsLater, fileName, folder, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { sha256 } from './upload-digest.mjs'

const encoder = new TextEncoder()

const app = new H3()

app.get('/plaintext', () => 'Hello, World!')

/** @type {(event: import('h3').H3Event, source: AsyncIterable<object>) => EventStream} */
const events = (event, source) => {
  const stream = new EventStream(event)
  const push = async () => {
    for await (const element of source) await stream.push(JSON.stringify(element))
    await stream.close()
  }
  push().catch((error) => console.error(error))
  return stream
}

app.get('/sse', (event) => events(event, elementsLater()))

app.get('/ticks', (event) => events(event, ticking()))

app.get('/ndjson', (event) => {
  event.res.headers.set('content-type', 'application/x-ndjson')
  return iterable(elementsLater(), {
    serializer: (element) => encoder.encode(`${JSON.stringify(element)}\n`),
  })
})

app.get(`/${fileName}`, (event) =>
  serveStatic(event, {
    getContents: (id) => readFile(join(folder, id)),
    getMeta: async (id) => {
      const { size, mtimeMs } = await stat(join(folder, id))
      return { type: 'application/byte-stream', size, mtime: mtimeMs }
    },
  }),
)

/** @type {(isHashed: boolean) => (event: import('h3').H3Event) => Promise<object>} */
const upload = (isHashed) => async (event) => {
  const form = await event.req.formData()
  const cover = form.get('cover')
  if (!(cover instanceof File)) throw new Error('no file')
  const hash = isHashed ? { sha256: sha256(new Uint8Array(await cover.arrayBuffer())) } : {}
  return { title: form.get('title'), note: form.get('note'), size: cover.size, ...hash }
}

app.post('/upload', upload(false))

app.post('/upload/sha256', upload(true))

const server = serve(app, { port, hostname: host, silent: true, gracefulShutdown: false })
await server.ready()
announce(new URL(server.url ?? '').port)
