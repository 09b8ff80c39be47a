/**
 * Hono on `@hono/node-server` with its streaming helpers, `serveStatic` and `compress`. It buffers forms in memory.
 */
import { createServer } from 'node:http2'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import { stream, streamSSE } from 'hono/streaming'
import { document, elementsLater, fileName, folder, ticking } from '../streams/payloads.mjs'
import { announce, host, isHttp2, port } from './listen.mjs'
import { sha256 } from './upload-digest.mjs'

const app = new Hono()

app.get('/plaintext', (c) => c.text('Hello, World!'))

/** @type {(c: import('hono').Context, source: AsyncIterable<object>) => Response} */
const events = (c, source) =>
  streamSSE(c, async (out) => {
    for await (const element of source) await out.writeSSE({ data: JSON.stringify(element) })
  })

app.get('/sse', (c) => events(c, elementsLater()))

app.get('/ticks', (c) => events(c, ticking()))

app.get('/ndjson', (c) => {
  c.header('content-type', 'application/x-ndjson')
  return stream(c, async (out) => {
    for await (const element of elementsLater()) await out.write(`${JSON.stringify(element)}\n`)
  })
})

app.get(`/${fileName}`, serveStatic({ root: folder }))

/** @type {(isHashed: boolean) => (c: import('hono').Context) => Promise<Response>} */
const upload = (isHashed) => async (c) => {
  const { title, note, cover } = await c.req.parseBody()
  if (!(cover instanceof File)) return c.text('no file', 400)
  const hash = isHashed ? { sha256: sha256(new Uint8Array(await cover.arrayBuffer())) } : {}
  return c.json({ title, note, size: cover.size, ...hash })
}

app.post('/upload', upload(false))

app.post('/upload/sha256', upload(true))

app.get('/document', compress(), (c) =>
  c.body(document, 200, { 'content-type': 'application/json' }),
)

serve({ fetch: app.fetch, port, hostname: host, ...(isHttp2 ? { createServer } : {}) }, (address) =>
  announce(address.port),
)
