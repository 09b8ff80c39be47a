/**
 * Elysia on Node.js through `@elysiajs/node`: generators as handlers, and a form by schema, buffered in memory. It does not
 * support compression. It sends files with both Content-Length and Transfer-Encoding, which clients must reject.
 */
import { node } from '@elysiajs/node'
import { Elysia, sse, t } from 'elysia'
import { elementsLater, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { sha256 } from './upload-digest.mjs'

const form = { body: t.Object({ title: t.String(), note: t.String(), cover: t.File() }) }

const app = new Elysia({ adapter: node() })

app.get('/plaintext', () => 'Hello, World!')

app.get('/sse', async function* () {
  for await (const data of elementsLater()) yield sse({ data })
})

app.get('/ticks', async function* () {
  for await (const data of ticking()) yield sse({ data })
})

app.get('/ndjson', async function* ({ set }) {
  set.headers['content-type'] = 'application/x-ndjson'
  for await (const element of elementsLater()) yield `${JSON.stringify(element)}\n`
})

app.post('/upload', ({ body: { title, note, cover } }) => ({ title, note, size: cover.size }), form)

app.post(
  '/upload/sha256',
  async ({ body: { title, note, cover } }) => ({
    title,
    note,
    size: cover.size,
    sha256: sha256(new Uint8Array(await cover.arrayBuffer())),
  }),
  form,
)

app.listen({ port, hostname: host, gracefulShutdown: false }, async ({ raw }) => {
  await raw.ready()
  announce(new URL(raw.url).port)
})
