/**
 * espalier with codecs for stream elements, file responses by path, and a multipart form. Imported as in `espalier.mjs`.
 */
import { pipe } from '../../node_modules/fp-ts/lib/function.js'
import * as t from '../../node_modules/io-ts/lib/index.js'
import { document, elementsLater, fileName, filePath, ticking } from '../streams/payloads.mjs'
import { announce, host, port } from './listen.mjs'
import { sha256OfFile } from './upload-digest.mjs'

/** Returns the URL of an entry point of the built package. @type {(entryPoint: string) => string} */
const published = (entryPoint) =>
  new URL(`../../dist/espalier/${entryPoint}.js`, import.meta.url).href

/** @type {typeof import('../../dist/src/index.js')} */
const {
  as,
  body,
  boolean,
  compressed,
  file,
  form,
  get,
  handle,
  int,
  json,
  multipartStream,
  ndjson,
  path,
  post,
  produces,
  routes,
  sse,
  string,
  text,
  upload,
} = await import(published('index'))

/** @type {typeof import('../../dist/src/node.js')} */
const { serve } = await import(published('node'))

const Element = t.type({ id: int, title: string, available: boolean })

const Tick = t.type({ n: int, at: int })

const Receipt = t.type({ title: string, note: string, size: int })

const HashedReceipt = t.type({ ...Receipt.props, sha256: string })

const plaintext = pipe(
  path('/plaintext'),
  get(),
  produces(text),
  handle(() => 'Hello, World!'),
)

const events = pipe(
  path('/sse'),
  get(),
  produces(sse(Element)),
  handle(() => elementsLater()),
)

const ticks = pipe(
  path('/ticks'),
  get(),
  produces(sse(Tick)),
  handle(() => ticking()),
)

const lines = pipe(
  path('/ndjson'),
  get(),
  produces(ndjson(Element)),
  handle(() => elementsLater()),
)

const sent = pipe(
  path(`/${fileName}`),
  get(),
  produces(file),
  handle(() => filePath),
)

const book = form({ cover: upload, title: string, note: string })

const received = pipe(
  path('/upload'),
  post(),
  book,
  produces(json(Receipt)),
  handle((input) => ({
    title: input.form.title,
    note: input.form.note,
    size: input.form.cover.size,
  })),
)

const hashed = pipe(
  path('/upload/sha256'),
  post(),
  book,
  produces(json(HashedReceipt)),
  handle(async (input) => ({
    title: input.form.title,
    note: input.form.note,
    size: input.form.cover.size,
    sha256: await sha256OfFile(input.form.cover.path),
  })),
)

const counted = pipe(
  path('/parts'),
  post(),
  body(multipartStream),
  produces(json(t.type({ size: int }))),
  handle(async ({ body: parts }) => {
    let size = 0
    for await (const { content } of parts) for await (const chunk of content) size += chunk.length
    return { size }
  }),
)

const zipped = pipe(
  path('/document'),
  get(),
  produces(as('application/json')(text)),
  compressed,
  handle(() => document),
)

const api = routes({ plaintext, events, ticks, lines, sent, received, hashed, counted, zipped })

const server = await serve(api, {
  'fw.http.host': host,
  'fw.http.port': port,
  'fw.http.enable-compression': true,
})
announce(new URL(server.url).port)
