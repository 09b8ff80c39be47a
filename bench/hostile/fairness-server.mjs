/** Serves endless streams of all kinds, whose sources never wait, and a plain text operation. */
import { espalier, pipe, serve, settings, t } from './build-under-test.mjs'

const { byteStream, compressed, get, handle, int, jsonStream, ndjson, path, produces } = espalier
const { bytes, blocking, routes, sse, text, textStream } = espalier

// small elements: a chunk contains thousands of them
const Element = t.type({ id: int })
const element = { id: 1 }
const chunk = new Uint8Array(16 * 1024).fill(120)
const whole = new Uint8Array(8 * 1024 * 1024).fill(120)

/** @type {<A>(value: A) => Generator<A>} */
const endless = function* (value) {
  for (;;) yield value
}

/** @type {<A>(value: A) => AsyncGenerator<A>} */
const endlessAsync = async function* (value) {
  for (;;) yield value
}

/** Declares an endpoint; untyped, because the representations have different types. @type {(name: string, representation: any, run: () => unknown) => any} */
const at = (name, representation, run) =>
  pipe(path(`/${name}`), get(), produces(representation), /** @type {any} */ (handle)(run))

const stream = {
  ndjson: ndjson(Element),
  array: jsonStream(Element),
  sse: sse(Element),
  bytes: byteStream,
  text: textStream,
}

/** @type {Record<string, unknown>} */
const values = { bytes: chunk, text: 'word ' }

const streams = Object.entries(stream).flatMap(([name, representation]) => {
  const value = values[name] ?? element
  return [
    [name, at(name, representation, () => endless(value))],
    [`${name}Async`, at(`${name}-later`, representation, () => endlessAsync(value))],
  ]
})

export const api = routes({
  ...Object.fromEntries(streams),
  gzip: compressed(at('gzip', stream.ndjson, () => endless(element))),
  gzipAsync: compressed(at('gzip-later', stream.ndjson, () => endlessAsync(element))),
  plain: at('plain', text, () => 'Hello, World!'),
  whole: at('whole', bytes, () => whole),
  worker: pipe(
    path('/worker'),
    get(),
    produces(stream.ndjson),
    blocking,
    handle(() => endless(element)),
  ),
})

const server = await serve(api, {
  module: import.meta.url,
  'fw.http.host': '127.0.0.1',
  'fw.http.port': 0,
  'fw.http.enable-compression': true,
  'fw.log.level': 'error',
  ...settings,
})
if (server.url !== '') console.log(server.url)
