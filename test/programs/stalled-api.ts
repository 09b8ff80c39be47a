/**
 * A server for clients that do not read large responses. Its first argument is `fw.http.connection`. It sends its URL, and then the
 * number of elements that its streams have produced, and its memory in bytes, whenever it receives a message. Garbage is collected
 * before.
 */
import { Buffer } from 'node:buffer'
import { pipe } from 'fp-ts/lib/function.js'
import {
  byteStream,
  bytes,
  get,
  handle,
  ndjson,
  path,
  produces,
  routes,
  string,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

/** What the program reports. */
export interface StalledReport {
  readonly elements: number
  readonly memory: number
}

const counter = { elements: 0 }
const count = 100_000

function* texts(): Iterable<string> {
  for (let index = 0; index < count; index++) {
    counter.elements++
    yield 'x'.repeat(1000)
  }
}

async function* chunks(): AsyncIterable<Uint8Array> {
  for (let index = 0; index < count; index++) {
    counter.elements++
    yield Buffer.alloc(16 * 1024)
  }
}

const large = Buffer.alloc(8 * 1024 * 1024)

const api = routes({
  texts: pipe(
    path('/texts'),
    get(),
    produces(ndjson(string)),
    handle(() => texts()),
  ),
  chunks: pipe(
    path('/chunks'),
    get(),
    produces(byteStream),
    handle(() => chunks()),
  ),
  large: pipe(
    path('/large'),
    get(),
    produces(bytes),
    handle(() => large),
  ),
})

const report = (): StalledReport => {
  // the memory of a buffer is released by the collection after the one that finds the buffer
  for (let collection = 0; collection < 4; collection++) globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return { elements: counter.elements, memory: heapUsed + external }
}

const main = async (connection: 'node' | 'direct'): Promise<void> => {
  const server = await serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.connection': connection,
    'fw.http.overload.enabled': false,
  })
  process.on('message', () => process.send?.(report()))
  process.on('disconnect', () => process.exit())
  process.send?.(server.url)
}

const [, , connection] = process.argv
if (connection === 'node' || connection === 'direct') await main(connection)
