/**
 * Sends large bodies to a server and prints duration and memory growth as lines of JSON. The clients are separate processes.
 * `node dist/test/programs/large-contents.js 1024` sends 1 GiB to each operation.
 */
import { pipe } from 'fp-ts/lib/function.js'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import {
  body,
  byteStream,
  fileBody,
  handle,
  limits,
  path,
  post,
  produces,
  routes,
  text,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'

/** The measurement of an operation. */
export interface Measurement {
  readonly operation: string
  /** Number of bytes received, according to the response. */
  readonly bytes: number
  readonly milliseconds: number
  /** Peak growth of the resident set in bytes, compared with a previous transfer of 16 MiB. */
  readonly growth: number
}

const MiB = 2 ** 20

const sizeOf = async (source: AsyncIterable<Uint8Array>): Promise<string> => {
  let size = 0
  for await (const chunk of source) size += chunk.length
  return String(size)
}

const sized = (target: string) =>
  pipe(
    path(target),
    post(),
    body(byteStream),
    produces(text),
    handle((input) => sizeOf(input.body)),
  )

const api = pipe(
  routes({
    'byteStream -> nowhere': sized('/nowhere'),
    'byteStream -> byteStream': pipe(
      path('/echo'),
      post(),
      body(byteStream),
      produces(byteStream),
      handle((input) => input.body),
    ),
    fileBody: pipe(
      path('/file'),
      post(),
      body(fileBody),
      produces(text),
      handle((input) => String(input.body.size)),
    ),
    'gzip -> byteStream': sized('/compressed'),
  }),
  limits({ bodySize: '64G' }),
)

const targets = [
  ['byteStream -> nowhere', '/nowhere'],
  ['byteStream -> byteStream', '/echo'],
  ['fileBody', '/file'],
  ['gzip -> byteStream', '/compressed'],
] as const

/** Creates bytes that compress to about a third. */
const createChunk = (length: number): Uint8Array => {
  const chunk = Buffer.alloc(length)
  let state = 1
  for (let at = 0; at < chunk.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    chunk[at] = state % 3 === 0 ? state >>> 24 : 0
  }
  return chunk
}

/** Yields at least `size` bytes, uncompressed or as gzip members (RFC 1952, 2.2). */
function* createBody(size: number, isCompressed: boolean): Generator<Uint8Array> {
  const length = 64 * 1024
  const chunk = isCompressed ? gzipSync(createChunk(length)) : createChunk(length)
  for (let sent = 0; sent < size; sent += length) yield chunk
}

/** Runs a client: sends a body and prints the size that the server returns, or the size of the echoed body. */
const send = async (url: string, size: number): Promise<void> => {
  const isCompressed = url.endsWith('/compressed')
  const sent = request(url, {
    method: 'POST',
    headers: {
      'Transfer-Encoding': 'chunked',
      ...(isCompressed ? { 'Content-Encoding': 'gzip' } : {}),
    },
  })
  const responded = once(sent, 'response')
  const sending = pipeline(Readable.from(createBody(size, isCompressed)), sent)
  const [response] = (await responded) as [Readable]
  let received = 0
  let start = ''
  for await (const chunk of response as AsyncIterable<Buffer>) {
    received += chunk.length
    if (start.length < 100) start += chunk.toString('latin1')
  }
  await sending
  console.log(/^\d+$/.test(start) ? start : String(received))
}

/** Runs a client process. Returns its output and the peak growth of the resident set of this process. */
const measure = async (url: string, size: number): Promise<readonly [string, number]> => {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(size / MiB), url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  clearInterval(timer)
  return [output.trim(), peak - before]
}

const main = async (size: number): Promise<void> => {
  const server = await serve(api, {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.http.read-timeout': 0,
    'fw.http.enable-decompression': true,
    'fw.shutdown.grace': 0,
  })
  for (const [operation, target] of targets) {
    await measure(`${server.url}${target}`, 16 * MiB)
    const start = performance.now()
    const [output, growth] = await measure(`${server.url}${target}`, size)
    const measurement: Measurement = {
      operation,
      bytes: Number(output),
      milliseconds: Math.round(performance.now() - start),
      growth,
    }
    console.log(JSON.stringify(measurement))
  }
  await server.close()
}

const [, , megabytes = '1024', url] = process.argv
if (url === undefined) await main(Number(megabytes) * MiB)
else await send(url, Number(megabytes) * MiB)
