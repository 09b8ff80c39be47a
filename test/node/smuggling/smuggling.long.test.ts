/**
 * Request smuggling through nginx and HAProxy, which keep their connections to the server open, with both implementations of
 * connections.
 *
 * Each payload is followed by a normal request on the same connection, and by one of another client. A request is smuggled if the
 * server handles one that the proxy has not forwarded as such. A pipelined request that the proxy forwards is not smuggled.
 *
 * Without nginx or HAProxy, these tests are skipped; in CI they fail.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  body,
  bytes,
  get,
  handle,
  path,
  post,
  preMatching,
  produces,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import type { Server } from '../../../src/node.ts'
import { describeWith, table } from '../../support/describe.ts'
import { serveLocally } from '../../support/loopback.ts'
import { withServer } from '../../support/while-listening.ts'
import type { HandledRequest } from './attack.ts'
import { attack, bodyFor } from './attack.ts'
import { createLenientServer } from './lenient-server.ts'
import type { Payload } from './payloads.ts'
import { payloads, smuggled } from './payloads.ts'
import type { Proxy } from './proxies.ts'
import { missingProxies, proxyKinds } from './proxies.ts'

const read = (template: string) =>
  pipe(
    path(template),
    get(),
    produces(text),
    handle((_, { request }) => bodyFor(`${request.path}?${request.query ?? ''}`)),
  )

/** Creates a tree that adds all requests to `handled`. */
const createApi = (handled: HandledRequest[]) =>
  pipe(
    routes({
      innocent: read('/innocent'),
      smuggled: read('/smuggled'),
      outer: read('/outer'),
      posted: pipe(
        path('/outer'),
        post(),
        body(bytes),
        produces(text),
        handle((_, { request }) => bodyFor(`${request.path}?${request.query ?? ''}`)),
      ),
    }),
    withFilter(
      preMatching(({ request }) => {
        const query = request.query === undefined ? '' : `?${request.query}`
        const proxied = request.header('X-Proxied')
        handled.push({ method: request.method, target: request.path + query, proxied })
      }),
    ),
  )

/** A proxy in front of a server. */
interface Chain {
  readonly title: string
  readonly handled: HandledRequest[]
  readonly proxy: Proxy
  readonly server: Server
}

const startChains = (): Promise<ReadonlyArray<Chain>> =>
  Promise.all(
    proxyKinds.flatMap(({ name, start }) =>
      (['node', 'direct'] as const).map(async (connection): Promise<Chain> => {
        const handled: HandledRequest[] = []
        const server = await serveLocally(createApi(handled), { 'fw.http.connection': connection })
        const proxy = await start(Number(new URL(server.url).port))
        return { title: `${name}, ${connection}`, handled, proxy, server }
      }),
    ),
  )

const isInstalled = missingProxies.length === 0
const prerequisite = `${missingProxies.join(' and ')}: apt-get install nginx haproxy`

describeWith('request smuggling through proxies', prerequisite, isInstalled, (test, hooks) => {
  let chains: ReadonlyArray<Chain> = []
  hooks.before(async () => {
    chains = await startChains()
  })
  hooks.after(async () => {
    for (const { proxy, server } of chains) {
      await proxy.stop()
      await server.close()
    }
  })

  test('there are at least 60 payloads, with different titles', () => {
    assert.ok(payloads.length >= 60, String(payloads.length))
    assert.is(new Set(payloads.map(([title]) => title)).size, payloads.length)
  })

  let number = 0
  table<Payload>(test, payloads, async (_, message) => {
    const id = `n${++number}x`
    await Promise.all(
      chains.map(async ({ title, proxy, handled }) => {
        const violations = await attack(proxy.path, handled, id, message(id))
        assert.equal(violations, [], title)
      }),
    )
  })

  test('a pipelined request is forwarded as a request of its own', async () => {
    for (const { title, proxy, handled } of chains) {
      const violations = await attack(proxy.path, handled, 'pipelined', smuggled('pipelined'))
      assert.equal(violations, [], title)
      const targets = handled.filter(({ target }) => target.includes('pipelined'))
      assert.equal(
        targets.map(({ target }) => target),
        [
          '/smuggled?id=pipelined',
          '/innocent?id=pipelined-follower',
          '/innocent?id=pipelined-other',
        ],
        title,
      )
    }
  })

  test('all requests that a server has handled were forwarded by its proxy', () => {
    for (const { title, handled } of chains) {
      const others = handled.filter(({ target, proxied }) => target !== proxied)
      assert.equal(others, [], title)
      const reached = new Set(handled.map(({ target }) => /\?id=(n\d+x)$/.exec(target)?.[1]))
      // the proxy itself rejects the other payloads
      assert.ok(reached.size > payloads.length / 5, `${title}: ${reached.size} payloads`)
    }
  })
})

/** Sends a payload through a proxy to a server without protection, and returns the violations. */
const attackLenientServer = async (
  start: (port: number) => Promise<Proxy>,
  title: string,
): Promise<ReadonlyArray<string>> => {
  const message = payloads.find(([each]) => each === title)?.[1]
  if (message === undefined) throw new Error(`unknown payload ${title}`)
  const handled: HandledRequest[] = []
  return withServer(createLenientServer(handled), async ({ port }) => {
    const proxy = await start(port)
    try {
      return await attack(proxy.path, handled, 'control', message('control'))
    } finally {
      await proxy.stop()
    }
  })
}

describeWith(
  'request smuggling to a server without protection',
  prerequisite,
  isInstalled,
  (test) => {
    for (const { name, start } of proxyKinds) {
      test(`${name}: a smuggled request is detected`, async () => {
        const violations = await attackLenientServer(start, 'CL.0, GET')
        assert.match(violations.join('\n'), /handled GET \/smuggled\?id=control/)
      })
      test(`${name}: a response to another request is detected`, async () => {
        const violations = await attackLenientServer(start, 'CL.0 with the beginning of a request')
        assert.match(
          violations.join('\n'),
          /handled GET \/smuggled\?id=control.*forwarded \/innocent/,
        )
        assert.match(violations.join('\n'), /mixed up/)
      })
    }
  },
)
