/** Tests of thenables that violate the rules of promises: one response is sent, and an internal error is logged once. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { secret } from '../../programs/raw-api.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

type Then = (resolve: (value: string) => void, reject: (error: unknown) => void) => unknown

type Row = readonly [name: string, behaviour: Then, status: number]

const error = new Error(secret)
const later = (run: () => void): void => {
  setImmediate(run)
}

const rows: ReadonlyArray<Row> = [
  ['resolves', (resolve) => resolve('done'), 200],
  ['resolves-later', (resolve) => later(() => resolve('done')), 200],
  ['rejects', (_, reject) => reject(error), 500],
  ['rejects-later', (_, reject) => later(() => reject(error)), 500],
  ['throws', () => JSON.parse(secret), 500],
  ['resolves-twice', (resolve) => [resolve('done'), resolve('again')], 200],
  ['resolves-twice-later', (resolve) => later(() => [resolve('done'), resolve('again')]), 200],
  ['rejects-twice', (_, reject) => [reject(error), reject(error)], 500],
  ['rejects-twice-later', (_, reject) => later(() => [reject(error), reject(error)]), 500],
  ['resolves-then-rejects', (resolve, reject) => [resolve('done'), reject(error)], 200],
  ['resolves-then-throws', (resolve) => [resolve('done'), JSON.parse(secret)], 200],
  ['rejects-then-resolves', (resolve, reject) => [reject(error), resolve('done')], 500],
  ['rejects-now-and-later', (_, reject) => [reject(error), later(() => reject(error))], 500],
]

const thens = new Map(rows.map(([name, behaviour]) => [name, behaviour]))

/** Creates a thenable that is typed as a promise, as many libraries do. */
const thenable = (behaviour: Then | undefined): Promise<string> =>
  Object.fromEntries(new Map([['then', behaviour]])) as object as Promise<string>

const api = routes({
  thenable: pipe(
    path('/{name}'),
    get(),
    produces(text),
    handle(({ path: { name } }) => thenable(thens.get(name))),
  ),
})

describe('a handler that returns a thenable', (test, { before, after }) => {
  let server: Server | undefined
  const ids: unknown[] = []
  before(async () => {
    server = await serveLocally(api, {
      logger: {
        ...silentLogger,
        error: ({ id }) => {
          ids.push(id)
        },
      },
    })
  })
  after(() => server?.close())

  table<Row>(test, rows, async (name, _, status) => {
    ids.length = 0
    const connection = await connectTo(server?.url ?? '')
    connection.write(
      rawRequest(`GET /${name}`) + rawRequest('GET /resolves-later', 'Connection: close'),
    )
    const response = await connection.next()
    assertResponse(response, status)
    assertResponse(await connection.next(), [200, 'done'])
    await connection.closed()
    if (status === 200) return assert.equal(ids, [])
    const { instance }: { readonly instance?: string } = JSON.parse(response.body)
    assert.equal(
      ids.map((id) => `urn:uuid:${String(id)}`),
      [instance],
    )
  })
})
