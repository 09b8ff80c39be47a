/**
 * Sends and receives large bodies with a client and prints the memory growth as lines of JSON. The server runs in the same
 * process. `node dist/test/programs/large-client.js 1024` transfers 1 GiB with each operation.
 */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import { client } from '../../src/client.ts'
import {
  body,
  byteStream,
  file,
  fileBody,
  form,
  get,
  handle,
  int,
  limits,
  path,
  post,
  produces,
  routes,
  upload,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { serve } from '../../src/node.ts'
import { right } from '../support/clients.ts'

/** The measurement of an operation. */
export interface Measurement {
  readonly operation: string
  /** Number of bytes received. */
  readonly bytes: number
  /** Peak growth of the resident set in bytes, compared with a previous transfer of 16 MiB. */
  readonly growth: number
}

const MiB = 2 ** 20

function* source(size: number) {
  for (let sent = 0; sent < size; sent += MiB / 4) yield new Uint8Array(MiB / 4).fill(7)
}

const sizeOf = async (stream: AsyncIterable<Uint8Array>): Promise<number> => {
  let total = 0
  for await (const chunk of stream) total += chunk.length
  return total
}

const folder = mkdtempSync(join(tmpdir(), 'espalier-'))
const at = join(folder, 'large')
let size = 0

const api = pipe(
  routes({
    take: pipe(
      path('/take'),
      post(),
      body(byteStream),
      produces(int),
      handle((input) => sizeOf(input.body)),
    ),
    give: pipe(
      path('/give'),
      get(),
      produces(byteStream),
      handle(() => source(size)),
    ),
    file: pipe(
      path('/file'),
      get(),
      produces(file),
      handle(() => at),
    ),
    store: pipe(
      path('/store'),
      post(),
      body(fileBody),
      produces(int),
      handle((input) => input.body.size),
    ),
    form: pipe(
      path('/form'),
      post(),
      form({ file: upload }),
      produces(int),
      handle((input) => input.form.file.size),
    ),
  }),
  limits({ bodySize: '16G' }),
)

const server = await serve(api, {
  logger: silentLogger,
  'fw.http.port': 0,
  'fw.http.limits.max-multipart-file-size': '16G',
  'fw.http.body.uploads-directory': join(folder, 'uploads'),
})
const service = client(api, { baseUrl: server.url })

const operations: ReadonlyArray<readonly [operation: string, run: () => Promise<number>]> = [
  ['sent from a source', async () => (await right(service.take({ body: source(size) }))).body],
  ['received as a stream', async () => sizeOf((await right(service.give())).body)],
  ['received from a file', async () => sizeOf((await right(service.file())).body)],
  ['sent from a file', async () => (await right(service.store({ body: { path: at } }))).body],
  [
    'sent from a file in a form',
    async () => (await right(service.form({ form: { file: { path: at } } }))).body,
  ],
]

/** Runs an operation with a body of `length` bytes. Returns the received bytes and the peak of the resident set. */
const measure = async (
  length: number,
  run: () => Promise<number>,
): Promise<{ readonly bytes: number; readonly peak: number }> => {
  size = length
  writeFileSync(at, '')
  truncateSync(at, length)
  let peak = process.memoryUsage.rss()
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 5)
  const bytes = await run()
  clearInterval(timer)
  return { bytes, peak }
}

try {
  for (const [operation, run] of operations) {
    const before = await measure(16 * MiB, run)
    const { bytes, peak } = await measure(Number(process.argv[2]) * MiB, run)
    const measurement: Measurement = { operation, bytes, growth: peak - before.peak }
    console.log(JSON.stringify(measurement))
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
