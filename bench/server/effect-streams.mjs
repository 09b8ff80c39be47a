/**
 * Effect's HTTP router on Node.js: stream and file responses, forms by schema with files on disk. It does not support
 * compression. Spans are disabled, because there is no collector.
 */
import { createServer } from 'node:http'
import {
  FileSystem,
  HttpMiddleware,
  HttpRouter,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse,
  Multipart,
} from '@effect/platform'
import { NodeHttpServer, NodeRuntime } from '@effect/platform-node'
import { Effect, Layer, Schema, Stream } from 'effect'
import { elementsLater, fileName, filePath, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { sha256 } from './upload-digest.mjs'

/** @type {(source: AsyncIterable<object>, contentType: string, write: (element: object) => string) => HttpServerResponse.HttpServerResponse} */
const stream = (source, contentType, write) =>
  HttpServerResponse.stream(
    Stream.fromAsyncIterable(
      source,
      (error) => new Error('the source failed', { cause: error }),
    ).pipe(Stream.map(write), Stream.encodeText),
    { contentType },
  )

/** @type {(source: AsyncIterable<object>) => HttpServerResponse.HttpServerResponse} */
const events = (source) =>
  stream(source, 'text/event-stream', (element) => `data: ${JSON.stringify(element)}\n\n`)

const Form = Schema.Struct({
  title: Schema.String,
  note: Schema.String,
  cover: Multipart.SingleFileSchema,
})

/** @param {boolean} isHashed */
const upload = (isHashed) =>
  Effect.gen(function* () {
    const { title, note, cover } = yield* HttpServerRequest.schemaBodyMultipart(Form)
    const files = yield* FileSystem.FileSystem
    const { size } = yield* files.stat(cover.path)
    const hash = isHashed ? { sha256: sha256(yield* files.readFile(cover.path)) } : {}
    return yield* HttpServerResponse.json({ title, note, size: Number(size), ...hash })
  })

const router = HttpRouter.empty.pipe(
  HttpRouter.get('/plaintext', HttpServerResponse.text('Hello, World!')),
  HttpRouter.get(
    '/sse',
    Effect.sync(() => events(elementsLater())),
  ),
  HttpRouter.get(
    '/ticks',
    Effect.sync(() => events(ticking())),
  ),
  HttpRouter.get(
    '/ndjson',
    Effect.sync(() =>
      stream(elementsLater(), 'application/x-ndjson', (element) => `${JSON.stringify(element)}\n`),
    ),
  ),
  HttpRouter.get(`/${fileName}`, HttpServerResponse.file(filePath)),
  HttpRouter.post('/upload', upload(false)),
  HttpRouter.post('/upload/sha256', upload(true)),
)

const announced = HttpServer.addressWith((address) =>
  Effect.sync(() => {
    if (address._tag === 'TcpAddress') announce(address.port)
  }),
)

const serverLive = Layer.effectDiscard(announced).pipe(
  Layer.provideMerge(HttpServer.serve(router)),
  HttpMiddleware.withTracerDisabledWhen(() => true),
  Layer.provide(NodeHttpServer.layer(createServer, { port, host })),
)

NodeRuntime.runMain(Layer.launch(serverLive))
