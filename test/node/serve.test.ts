import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, method, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { ListenError, ConfigurationError, serve } from '../../src/node.ts'
import { networkInterfaces } from 'node:os'
import { describe } from '../support/describe.ts'
import { connectTo } from '../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../support/raw.ts'
import { waitUntil } from '../support/wait-until.ts'

const hello = pipe(
  path('/hello'),
  get(),
  produces(text),
  handle(() => 'hello'),
)

const cheese = pipe(
  path('/cheese'),
  method('CHEESE')(),
  produces(text),
  handle(() => 'brie'),
)

const startServer = (options: ServeOptions = {}): Promise<Server> =>
  serve(routes({ hello }), {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    ...options,
  })

/** Resolves to the error with which a promise rejects. */
const rejection = (promise: Promise<Server>): Promise<unknown> =>
  promise.then(
    async (server) => {
      await server.close()
      return 'no error'
    },
    (error: unknown) => error,
  )

/** Returns the number of listening sockets of this process. */
const listening = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length

/** Whether a server in a profile is reachable at each address. */
const reachableAt = async (profile: string, addresses: ReadonlyArray<string>) => {
  const server = await serve(routes({ hello }), {
    logger: silentLogger,
    profile,
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
  })
  const { port } = new URL(server.url)
  try {
    return await Promise.all(
      addresses.map((address) =>
        fetch(`http://${address.includes(':') ? `[${address}]` : address}:${port}/hello`).then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
    )
  } finally {
    await server.close()
  }
}

describe('serve', (test) => {
  test('listens at its URL', async () => {
    const server = await startServer()
    try {
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
      const connection = await connectTo(server.url)
      connection.write(rawRequest('GET /hello'))
      assertResponse(await connection.next(), [200, 'hello'])
      connection.destroy()
    } finally {
      await server.close()
    }
  })

  test('a server on all addresses has a localhost URL', async () => {
    const server = await startServer({ 'fw.http.host': '0.0.0.0' })
    assert.match(server.url, /^http:\/\/localhost:\d+$/)
    await server.close()
  })

  const interfaces = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ scopeid }) => scopeid === undefined || scopeid === 0)
  const outside = interfaces.filter(({ internal }) => !internal).map(({ address }) => address)
  test('a server in the profile prod listens on all IPv4 and IPv6 addresses', async () => {
    const addresses = interfaces.map(({ address }) => address)
    assert.ok(addresses.includes('127.0.0.1'))
    assert.equal(
      await reachableAt('prod', addresses),
      addresses.map(() => true),
    )
  })
  for (const profile of ['dev', 'test'])
    test(`a server in the profile ${profile} listens on localhost only`, async () => {
      assert.equal(await reachableAt(profile, ['localhost']), [true])
      assert.equal(
        await reachableAt(profile, outside),
        outside.map(() => false),
      )
    })

  test('a port in use rejects with ListenError and leaves no handle open', async () => {
    const server = await startServer()
    const { port } = new URL(server.url)
    const before = listening()
    const error = await rejection(startServer({ 'fw.http.port': Number(port) }))
    await waitUntil(() => listening() <= before)
    await server.close()
    assert.instance(error, ListenError)
    if (!(error instanceof ListenError)) return
    assert.equal([error.code, error.host, error.port], ['EADDRINUSE', '127.0.0.1', Number(port)])
    assert.is(error.message, `cannot listen on 127.0.0.1:${port}: EADDRINUSE`)
  })

  test('a server can listen on the port of a closed server', async () => {
    const first = await startServer()
    await first.close()
    const second = await startServer({ 'fw.http.port': Number(new URL(first.url).port) })
    assert.is(second.url, first.url)
    await second.close()
  })

  test('an address of another machine rejects with ListenError', async () => {
    const error = await rejection(startServer({ 'fw.http.host': '192.0.2.1' })) // RFC 5737: reserved for documentation
    assert.instance(error, ListenError)
    assert.is(error instanceof ListenError && error.code, 'EADDRNOTAVAIL')
  })

  test('an unsupported method rejects before the server listens', async () => {
    const before = listening()
    const error = await rejection(
      serve(routes({ cheese }), {
        logger: silentLogger,
        'fw.http.connection': 'node',
        'fw.http.port': 0,
        'fw.shutdown.grace': 0,
      }),
    )
    await waitUntil(() => listening() <= before)
    assert.instance(error, ConfigurationError)
    if (!(error instanceof ConfigurationError)) return
    assert.equal(
      error.issues.map(({ code, concerns }) => [code, concerns]),
      [['FW-ROUTE-006', ['CHEESE /cheese  (cheese)']]],
    )
  })
})
