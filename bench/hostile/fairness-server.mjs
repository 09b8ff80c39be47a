/** Serves endless streams of every kind, whose sources never wait, and a plain text next to them. */
import { espalier, pipe, serve, settings, t } from './build-under-test.mjs'

const { byteStream, compressed, get, handle, int, jsonStream, ndjson, path, produces } = espalier
const { bytes, blocking, routes, sse, text, textStream } = espalier

// small elements, of which a chunk holds thousands
const Element = t.type({ id: int })
const element = { id: 1 }
const chunk = new Uint8Array(16 * 1024).fill(120)
const whole = new Uint8Array(8 * 1024 * 1024).fill(120)

/** @type {<A>(value: A) => Generator<A>} */
const endless = function* (value) {
  for (;;) yield value
}

/** @type {<A>(value: A) => AsyncGenerator<A>} */
const endlessLater = async function* (value) {
  for (;;) yield value
}

/** An endpoint; the types of so many representations are of no use here. @type {(name: string, representation: any, run: () => unknown) => any} */
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
    [`${name}Later`, at(`${name}-later`, representation, () => endlessLater(value))],
  ]
})

export const api = routes({
  ...Object.fromEntries(streams),
  gzip: compressed(at('gzip', stream.ndjson, () => endless(element))),
  gzipLater: compressed(at('gzip-later', stream.ndjson, () => endlessLater(element))),
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
