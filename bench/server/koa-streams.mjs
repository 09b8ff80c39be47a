/**
 * Koa with a stream as body, `koa-static`, `@koa/multer` with files on disk, and `koa-compress` on one route.
 */
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import multer from '@koa/multer'
import Router from '@koa/router'
import Koa from 'koa'
import compress from 'koa-compress'
import files from 'koa-static'
import { document, elementsLater, folder, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { discard, sha256OfFile } from './upload-digest.mjs'

const app = new Koa()
const router = new Router()

router.get('/plaintext', (ctx) => {
  ctx.body = 'Hello, World!'
})

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const events = async function* (source) {
  for await (const element of source) yield `data: ${JSON.stringify(element)}\n\n`
}

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const lines = async function* (source) {
  for await (const element of source) yield `${JSON.stringify(element)}\n`
}

router.get('/sse', (ctx) => {
  ctx.type = 'text/event-stream'
  ctx.body = Readable.from(events(elementsLater()))
})

router.get('/ticks', (ctx) => {
  ctx.type = 'text/event-stream'
  ctx.body = Readable.from(events(ticking()))
})

router.get('/ndjson', (ctx) => {
  ctx.type = 'application/x-ndjson'
  ctx.body = Readable.from(lines(elementsLater()))
})

const received = multer({ dest: tmpdir() }).single('cover')

/** @type {(isHashed: boolean) => (ctx: Koa.Context) => Promise<void>} */
const upload = (isHashed) => async (ctx) => {
  const { path, size } = ctx['file']
  const { title, note } = /** @type {Readonly<Record<string, string>>} */ (ctx.request.body)
  const hash = isHashed ? { sha256: await sha256OfFile(path) } : {}
  ctx.body = { title, note, size, ...hash }
  discard(path)
}

router.post('/upload', received, upload(false))

router.post('/upload/sha256', received, upload(true))

router.get('/document', compress(), (ctx) => {
  ctx.type = 'application/json'
  ctx.body = document
})

app.use(router.routes())
app.use(files(folder))

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
