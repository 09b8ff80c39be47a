/**
 * typera on Express with `streamingBody` for streams and files. Forms and compression use middleware of Express.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import compression from 'compression'
import express from 'express'
import * as t from 'io-ts'
import multer from 'multer'
import { Middleware, Parser, Response, route, router } from 'typera-express'
import { document, elementsLater, fileName, filePath, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { discard, sha256OfFile } from './upload-digest.mjs'

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const events = async function* (source) {
  for await (const element of source) yield `data: ${JSON.stringify(element)}\n\n`
}

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const lines = async function* (source) {
  for await (const element of source) yield `${JSON.stringify(element)}\n`
}

/** @type {(type: string, source: AsyncIterable<string>) => Response.Ok<Response.StreamingBody, { 'content-type': string }>} */
const stream = (type, source) =>
  Response.ok(
    Response.streamingBody((out) => {
      Readable.from(source).pipe(out)
    }),
    { 'content-type': type },
  )

const plaintext = route.get('/plaintext').handler(async () => Response.ok('Hello, World!'))

const sse = route
  .get('/sse')
  .handler(async () => stream('text/event-stream', events(elementsLater())))

const ticks = route
  .get('/ticks')
  .handler(async () => stream('text/event-stream', events(ticking())))

const ndjson = route
  .get('/ndjson')
  .handler(async () => stream('application/x-ndjson', lines(elementsLater())))

const file = route.get(`/${fileName}`).handler(async () => {
  const { size } = await stat(filePath)
  return Response.ok(
    Response.streamingBody((out) => {
      createReadStream(filePath).pipe(out)
    }),
    { 'content-type': 'application/byte-stream', 'content-length': String(size) },
  )
})

const Form = t.strict({ title: t.string, note: t.string })

const multipart = Middleware.wrapNative(
  multer({ dest: tmpdir() }).single('cover'),
  ({ req: { file: cover } }) => ({ cover }),
)

/** @type {<P extends '/upload' | '/upload/sha256'>(path: P, isHashed: boolean) => import('typera-express').Route<any>} */
const upload = (path, isHashed) =>
  route
    .post(path)
    .use(multipart, Parser.body(Form))
    .handler(async ({ cover, body }) => {
      if (cover === undefined) throw new Error('no file')
      const hash = isHashed ? { sha256: await sha256OfFile(cover.path) } : {}
      discard(cover.path)
      return Response.ok({ ...body, size: cover.size, ...hash })
    })

const compressed = route
  .get('/document')
  .use(Middleware.wrapNative(compression()))
  .handler(async () => Response.ok(document, { 'content-type': 'application/json' }))

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.use(
  router(
    plaintext,
    sse,
    ticks,
    ndjson,
    file,
    upload('/upload', false),
    upload('/upload/sha256', true),
    compressed,
  ).handler(),
)

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
