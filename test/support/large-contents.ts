/**
 * Sends large contents through a server and prints how much memory that takes, in lines of JSON:
 * `node dist/test/support/large-contents.js 1024` sends 1 GiB to each operation. The clients are processes of their own.
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

/** What one operation took. */
export interface Figures {
  readonly operation: string
  /** Octets that arrived, as the client was told. */
  readonly octets: number
  readonly milliseconds: number
  /** Octets that the process grew by at most, beside what a content of 16 MiB had made it grow by before. */
  readonly growth: number
}

const MiB = 2 ** 20

const sizeOf = async (content: AsyncIterable<Uint8Array>): Promise<string> => {
  let octets = 0
  for await (const piece of content) octets += piece.length
  return String(octets)
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
    'gzip -> byteStream': sized('/coded'),
  }),
  limits({ bodySize: '64G' }),
)

const targets = [
  ['byteStream -> nowhere', '/nowhere'],
  ['byteStream -> byteStream', '/echo'],
  ['fileBody', '/file'],
  ['gzip -> byteStream', '/coded'],
] as const

/** Octets that compress to about a third. */
const pieceOf = (length: number): Uint8Array => {
  const piece = Buffer.alloc(length)
  let state = 1
  for (let at = 0; at < piece.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    piece[at] = state % 3 === 0 ? state >>> 24 : 0
  }
  return piece
}

/** So many octets, as they are or each a member of a compressed content (RFC 1952, 2.2). */
function* contentOf(octets: number, isCoded: boolean): Generator<Uint8Array> {
  const length = 64 * 1024
  const piece = isCoded ? gzipSync(pieceOf(length)) : pieceOf(length)
  for (let sent = 0; sent < octets; sent += length) yield piece
}

/** What a client does: it sends, and prints how many octets it was told of, or got back. */
const send = async (url: string, octets: number): Promise<void> => {
  const isCoded = url.endsWith('/coded')
  const sent = request(url, {
    method: 'POST',
    headers: { 'Transfer-Encoding': 'chunked', ...(isCoded ? { 'Content-Encoding': 'gzip' } : {}) },
  })
  const answered = once(sent, 'response')
  const sending = pipeline(Readable.from(contentOf(octets, isCoded)), sent)
  const [response] = (await answered) as [Readable]
  let received = 0
  let said = ''
  for await (const piece of response as AsyncIterable<Buffer>) {
    received += piece.length
    if (said.length < 100) said += piece.toString('latin1')
  }
  await sending
  console.log(/^\d+$/.test(said) ? said : String(received))
}

const measure = async (url: string, octets: number): Promise<readonly [string, number]> => {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20)
  const child = spawn(
    process.execPath,
    [fileURLToPath(import.meta.url), String(octets / MiB), url],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  let said = ''
  child.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  await once(child, 'close')
  clearInterval(timer)
  return [said.trim(), most - before]
}

const main = async (octets: number): Promise<void> => {
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
    const [said, growth] = await measure(`${server.url}${target}`, octets)
    const figures: Figures = {
      operation,
      octets: Number(said),
      milliseconds: Math.round(performance.now() - start),
      growth,
    }
    console.log(JSON.stringify(figures))
  }
  await server.close()
}

const [, , megabytes = '1024', url] = process.argv
if (url === undefined) await main(Number(megabytes) * MiB)
else await send(url, Number(megabytes) * MiB)
