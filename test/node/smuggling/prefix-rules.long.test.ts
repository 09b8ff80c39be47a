/**
 * Rules of nginx and HAProxy that forbid a path prefix: requests that they forward must not reach an operation below this prefix.
 *
 * nginx decodes the path, resolves dot segments and merges slashes before it compares, and forwards the path as received. HAProxy compares
 * and forwards the path as received.
 *
 * Without nginx or HAProxy, these tests are skipped; in CI they fail.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { Proxy } from './proxies.ts'
import { missingProxies, proxiesWithRules } from './proxies.ts'

const api = routes({
  users: pipe(
    path('/admin/users'),
    get(),
    produces(text),
    handle(() => 'secret'),
  ),
  open: pipe(
    path('/open'),
    get(),
    produces(text),
    handle(() => 'open'),
  ),
})

interface Chain {
  readonly name: string
  readonly proxy: Proxy
  readonly server: Server
}

const start = (canonicalPaths: 'mounted' | 'always'): Promise<ReadonlyArray<Chain>> =>
  Promise.all(
    proxiesWithRules.map(async (kind) => {
      const server = await serveLocally(api, { 'fw.rest.canonical-paths': canonicalPaths })
      return { name: kind.name, server, proxy: await kind.start(Number(new URL(server.url).port)) }
    }),
  )

const statusOf = async ({ proxy }: Chain, target: string): Promise<number> => {
  const socket = connect(proxy.path)
  try {
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const [head] = (await once(socket, 'data')) as ReadonlyArray<unknown>
    return Number(/^HTTP\/1\.1 (\d{3}) /.exec(String(head))?.[1])
  } finally {
    socket.destroy()
  }
}

type Row = readonly [target: string, bypassed: ReadonlyArray<string>]

/** Spellings, and the proxies through which they reach the operation if paths need not be canonical. */
const spellings: ReadonlyArray<Row> = [
  ['/admin/users', []],
  ['/admin/users/', []],
  ['/%61dmin/users', ['HAProxy']],
  ['/admi%6E/users', ['HAProxy']],
  ['/admin;x=1/users', ['nginx', 'HAProxy']],
  ['/admin;/users', ['nginx', 'HAProxy']],
  ['/%61dmin;/users', ['nginx', 'HAProxy']],
  ['//admin/users', []],
  ['/./admin/users', []],
  ['/x/../admin/users', []],
  ['/x/%2e%2e/admin/users', []],
  ['/admin%2Fusers', []],
  ['/admin%5Cusers', []],
  [String.raw`/admin\users`, []],
  ['/ADMIN/users', []],
  ['http://a/%61dmin/users', ['HAProxy']],
  ['http://a//admin/users', []],
]

const isInstalled = missingProxies.length === 0
const prerequisite = `${missingProxies.join(' and ')}: apt-get install nginx haproxy`

for (const canonicalPaths of ['always', 'mounted'] as const)
  describeWith(
    `prefix rules of proxies, fw.rest.canonical-paths=${canonicalPaths}`,
    prerequisite,
    isInstalled,
    (test, hooks) => {
      let chains: ReadonlyArray<Chain> = []
      hooks.before(async () => {
        chains = await start(canonicalPaths)
      })
      hooks.after(async () => {
        for (const { proxy, server } of chains) {
          await proxy.stop()
          await server.close()
        }
      })
      table<Row>(test, spellings, async (target, bypassed) => {
        for (const chain of chains) {
          const isBypassed = canonicalPaths === 'mounted' && bypassed.includes(chain.name)
          assert.is((await statusOf(chain, target)) === 200, isBypassed, chain.name)
        }
      })
      test('other paths are forwarded', async () => {
        for (const chain of chains) assert.is(await statusOf(chain, '/open'), 200, chain.name)
      })
    },
  )
