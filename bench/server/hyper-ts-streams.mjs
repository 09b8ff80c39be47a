/**
 * hyper-ts on Express with `pipeStream` for streams and files. Forms and compression use middleware of Express.
 *
 * @import { ResponseEnded, StatusOpen } from 'hyper-ts'
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { Readable } from 'node:stream'
import compression from 'compression'
import express from 'express'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { MediaType, Status } from 'hyper-ts'
import * as M from 'hyper-ts/lib/Middleware.js'
import { fromRequestHandler, toRequestHandler } from 'hyper-ts/lib/express.js'
import { failure } from 'io-ts/lib/PathReporter.js'
import * as t from 'io-ts'
import multer from 'multer'
import { document, elementsLater, fileName, filePath, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { discard, sha256OfFile } from './upload-digest.mjs'

/** @typedef {M.Middleware<StatusOpen, ResponseEnded, unknown, void>} Responding */

/** @type {(error: unknown) => () => void} */
const report = (error) => () => console.error(error)

/** @type {(type: string, open: () => NodeJS.ReadableStream) => Responding} */
const stream = (type, open) =>
  pipe(
    M.status(Status.OK),
    M.iflatMap(() => M.header('content-type', type)),
    M.iflatMap(() => M.closeHeaders()),
    M.iflatMap(() => M.pipeStream(open(), report)),
  )

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const events = async function* (source) {
  for await (const element of source) yield `data: ${JSON.stringify(element)}\n\n`
}

/** @type {(source: AsyncIterable<object>) => AsyncGenerator<string>} */
const lines = async function* (source) {
  for await (const element of source) yield `${JSON.stringify(element)}\n`
}

/** @type {(type: string, text: string) => Responding} */
const whole = (type, text) =>
  pipe(
    M.status(Status.OK),
    M.iflatMap(() => M.header('content-type', type)),
    M.iflatMap(() => M.closeHeaders()),
    M.iflatMap(() => M.send(text)),
  )

const file = pipe(
  M.fromTaskEither(TE.tryCatch(() => stat(filePath), String)),
  M.iflatMap(({ size }) =>
    pipe(
      M.status(Status.OK),
      M.iflatMap(() => M.contentType(MediaType.applicationOctetStream)),
      M.iflatMap(() => M.header('content-length', String(size))),
      M.iflatMap(() => M.closeHeaders()),
      M.iflatMap(() => M.pipeStream(createReadStream(filePath), report)),
    ),
  ),
)

const Form = t.strict({ title: t.string, note: t.string })

const multipart = multer({ dest: tmpdir() }).single('cover')

/** @type {() => string} */
const unwritable = () => ''

/** @param {boolean} isHashed */
const upload = (isHashed) =>
  pipe(
    fromRequestHandler(multipart, ({ file: cover }) => cover),
    M.bindTo('cover'),
    M.apSW('form', M.decodeBody(Form.decode)),
    M.flatMap(({ cover, form }) =>
      M.fromTaskEither(
        TE.tryCatch(async () => {
          if (cover === undefined) throw new Error('no file')
          const hash = isHashed ? { sha256: await sha256OfFile(cover.path) } : {}
          discard(cover.path)
          return { ...form, size: cover.size, ...hash }
        }, String),
      ),
    ),
    M.iflatMap((receipt) =>
      pipe(
        M.status(Status.OK),
        M.iflatMap(() => M.json(receipt, unwritable)),
      ),
    ),
    M.orElse((error) =>
      pipe(
        M.status(Status.BadRequest),
        M.iflatMap(() => M.closeHeaders()),
        M.iflatMap(() => M.send(typeof error === 'string' ? error : failure(error).join())),
      ),
    ),
  )

const app = express()
app.disable('x-powered-by')
app.disable('etag')

app.get('/plaintext', toRequestHandler(whole('text/plain', 'Hello, World!')))
app.get(
  '/sse',
  toRequestHandler(stream('text/event-stream', () => Readable.from(events(elementsLater())))),
)
app.get(
  '/ticks',
  toRequestHandler(stream('text/event-stream', () => Readable.from(events(ticking())))),
)
app.get(
  '/ndjson',
  toRequestHandler(stream('application/x-ndjson', () => Readable.from(lines(elementsLater())))),
)
app.get(`/${fileName}`, toRequestHandler(file))
app.post('/upload', toRequestHandler(upload(false)))
app.post('/upload/sha256', toRequestHandler(upload(true)))
app.get('/document', compression(), toRequestHandler(whole('application/json', document)))

const server = app.listen(port, host, () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) announce(address.port)
})
