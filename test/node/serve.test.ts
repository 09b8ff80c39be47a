import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, method, path, produces, routes, text } from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { ListenError, MistakesError, serve } from '../../src/node.ts'
import { networkInterfaces } from 'node:os'
import { describe } from '../support/describe.ts'
import { connectTo } from '../support/raw-connection.ts'
import { check, to } from '../support/raw.ts'

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

const begin = (options: ServeOptions = {}): Promise<Server> =>
  serve(routes({ hello }), {
    logger: silentLogger,
    'fw.http.host': '127.0.0.1',
    'fw.http.port': 0,
    'fw.shutdown.grace': 0,
    ...options,
  })

/** What a promise is rejected with. */
const rejection = (promise: Promise<Server>): Promise<unknown> =>
  promise.then(
    async (server) => {
      await server.close()
      return 'nothing'
    },
    (error: unknown) => error,
  )

/** Sockets that listen, in this process, once those are gone that were just closed. */
const listening = async (): Promise<number> => {
  await wait(20)
  return process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length
}

/** Whether a server of a profile is reached at each address. */
const reached = async (profile: string, addresses: ReadonlyArray<string>) => {
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
    const server = await begin()
    try {
      assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
      const connection = await connectTo(server.url)
      connection.write(to('GET /hello'))
      check(await connection.next(), [200, 'hello'])
      connection.leave()
    } finally {
      await server.close()
    }
  })

  test('a server on all addresses has a localhost URL', async () => {
    const server = await begin({ 'fw.http.host': '0.0.0.0' })
    assert.match(server.url, /^http:\/\/localhost:\d+$/)
    await server.close()
  })

  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ scopeid }) => scopeid === undefined || scopeid === 0)
  const outside = own.filter(({ internal }) => !internal).map(({ address }) => address)
  test('the profile prod listens on all addresses of IPv4 and IPv6', async () => {
    const addresses = own.map(({ address }) => address)
    assert.ok(addresses.includes('127.0.0.1'))
    assert.equal(
      await reached('prod', addresses),
      addresses.map(() => true),
    )
  })
  for (const profile of ['dev', 'test'])
    test(`the profile ${profile} listens on localhost only`, async () => {
      assert.equal(await reached(profile, ['localhost']), [true])
      assert.equal(
        await reached(profile, outside),
        outside.map(() => false),
      )
    })

  test('a port in use rejects with ListenError, and leaves no handle open', async () => {
    const server = await begin()
    const { port } = new URL(server.url)
    const before = await listening()
    const error = await rejection(begin({ 'fw.http.port': Number(port) }))
    const left = (await listening()) - before
    await server.close()
    assert.instance(error, ListenError)
    if (!(error instanceof ListenError)) return
    assert.equal([error.code, error.host, error.port], ['EADDRINUSE', '127.0.0.1', Number(port)])
    assert.is(error.message, `cannot listen on 127.0.0.1:${port}: EADDRINUSE`)
    assert.is(left, 0)
  })

  test('a port that was released can be used again', async () => {
    const first = await begin()
    await first.close()
    const second = await begin({ 'fw.http.port': Number(new URL(first.url).port) })
    assert.is(second.url, first.url)
    await second.close()
  })

  test('an address of another machine rejects with ListenError', async () => {
    const error = await rejection(begin({ 'fw.http.host': '192.0.2.1' })) // RFC 5737: of nobody
    assert.instance(error, ListenError)
    assert.is(error instanceof ListenError && error.code, 'EADDRNOTAVAIL')
  })

  test('an unsupported method rejects before the server listens', async () => {
    const before = await listening()
    const error = await rejection(
      serve(routes({ cheese }), {
        logger: silentLogger,
        'fw.http.port': 0,
        'fw.shutdown.grace': 0,
      }),
    )
    assert.is(await listening(), before)
    assert.instance(error, MistakesError)
    if (!(error instanceof MistakesError)) return
    assert.equal(
      error.mistakes.map(({ code, concerns }) => [code, concerns]),
      [['FW-ROUTE-006', ['CHEESE /cheese  (cheese)']]],
    )
  })
})
