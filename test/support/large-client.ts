/**
 * Sends and receives large contents by a client and prints how much memory that takes, in lines of JSON, with the server in the same
 * process: `node dist/test/support/large-client.js 1024` moves 1 GiB by each operation.
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
import { right } from './clients.ts'

/** What one operation took. */
export interface Figures {
  readonly operation: string
  /** Octets that arrived. */
  readonly octets: number
  /** Octets that the process grew by at most, beside what a content of 16 MiB had made it grow by before. */
  readonly growth: number
}

const MiB = 2 ** 20

function* source(size: number) {
  for (let sent = 0; sent < size; sent += MiB / 4) yield new Uint8Array(MiB / 4).fill(7)
}

const sizeOf = async (pieces: AsyncIterable<Uint8Array>): Promise<number> => {
  let octets = 0
  for await (const piece of pieces) octets += piece.length
  return octets
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
const library = client(api, { baseUrl: server.url })

const operations: ReadonlyArray<readonly [operation: string, run: () => Promise<number>]> = [
  ['sent from a source', async () => (await right(library.take({ body: source(size) }))).body],
  ['received in pieces', async () => sizeOf((await right(library.give())).body)],
  ['received from a file', async () => sizeOf((await right(library.file())).body)],
  ['sent from a file', async () => (await right(library.store({ body: { path: at } }))).body],
  [
    'sent from a file in a form',
    async () => (await right(library.form({ form: { file: { path: at } } }))).body,
  ],
]

/** The most memory that the process had meanwhile, and what came of it. */
const watched = async (
  octets: number,
  run: () => Promise<number>,
): Promise<{ readonly octets: number; readonly most: number }> => {
  size = octets
  writeFileSync(at, '')
  truncateSync(at, octets)
  let most = process.memoryUsage.rss()
  const watching = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 5)
  const arrived = await run()
  clearInterval(watching)
  return { octets: arrived, most }
}

try {
  for (const [operation, run] of operations) {
    const before = await watched(16 * MiB, run)
    const { octets, most } = await watched(Number(process.argv[2]) * MiB, run)
    const figures: Figures = { operation, octets, growth: most - before.most }
    console.log(JSON.stringify(figures))
  }
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}
