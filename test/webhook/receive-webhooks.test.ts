/** The store of received webhooks, and a missing package. */
import { pipe } from 'fp-ts/lib/function.js'
import { execFile } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import type { Store } from '../../src/index.ts'
import { handle, inMemoryStore, path, post, prefix, responds, routes } from '../../src/index.ts'
import { endpointsOf, inMemory, testContext } from '../../src/testing.ts'
import { receiveWebhooks, webhookSender } from '../../src/webhooks.ts'
import { describe, table } from '../support/describe.ts'
import { createRecorder } from '../support/recorder.ts'
import { linkPackage } from '../support/linked-package.ts'

const secret = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`

/** A tree with one webhook, and a function that sends it with an id. Returns the status of the response. */
const withStore = (store: Store, run: () => unknown = () => undefined) => {
  let runs = 0
  const ping = pipe(
    path('/ping'),
    post(),
    responds(204),
    handle(() => {
      runs++
      return run() as undefined
    }),
  )
  const contract = routes({ hooks: routes({ ping }) })
  const { logger, linesAt } = createRecorder()
  const receiver = inMemory(
    pipe(contract, prefix('/hooks'), receiveWebhooks({ secrets: secret, store, keep: '1h' })),
    { logger },
  )
  const sender = webhookSender(contract, {
    url: 'http://localhost/hooks/ping',
    secret,
    fetch: receiver,
    retry: { times: 0 },
  })
  const send = async (id: string): Promise<number> => {
    const result = await sender.hooks.ping({}, { headers: { 'webhook-id': id } })()
    if (result._tag === 'Right') return result.right.status
    return ('status' in result.left ? result.left.status : undefined) ?? 0
  }
  return { send, errors: () => linesAt('error'), runs: () => runs }
}

const unavailable = (): never => {
  throw new Error('no connection')
}

describe('receiveWebhooks with a store', (test) => {
  test('stores the id of a message by the operation, for the given time', async () => {
    const calls: unknown[] = []
    const store = inMemoryStore()
    const recording: Store = {
      ...store,
      acquire: (...args) => {
        calls.push(['acquire', ...args])
        return store.acquire(...args)
      },
      complete: (...args) => {
        calls.push(['complete', args[0], args[3]])
        return store.complete(...args)
      },
    }
    const { send } = withStore(recording)
    assert.is(await send('msg_1'), 204)
    assert.equal(calls, [
      ['acquire', 'webhook:hooks.ping:msg_1', '', 30_000],
      ['complete', 'webhook:hooks.ping:msg_1', 3_600_000],
    ])
  })
  test('an asynchronous store is shared by several receivers', async () => {
    const store = inMemoryStore()
    const shared: Store = {
      take: async (...args) => store.take(...args),
      acquire: async (...args) => store.acquire(...args),
      renew: async (...args) => store.renew(...args),
      complete: async (...args) => store.complete(...args),
      release: async (...args) => store.release(...args),
    }
    const [a, b] = [withStore(shared), withStore(shared)]
    assert.equal([await a.send('msg_1'), await b.send('msg_1')], [204, 204])
    assert.equal([a.runs(), b.runs()], [1, 0])
  })
  for (const [title, acquire] of [
    ['throws', unavailable],
    ['rejects', () => Promise.reject(new Error('no connection'))],
  ] as const)
    test(`a store that ${title} gets 503, and the handler does not run`, async () => {
      const { send, runs } = withStore({ ...inMemoryStore(), acquire })
      assert.equal([await send('msg_1'), runs()], [503, 0])
    })
  test('an error of the store after the handler is logged, and the message is not sent again', async () => {
    const { send, errors } = withStore({ ...inMemoryStore(), complete: unavailable })
    assert.is(await send('msg_1'), 204)
    assert.is(errors().length, 1)
    assert.match(errors()[0]?.message ?? '', /The store of webhooks is not available/)
  })
  test('the lease is extended every 10 s while the handler runs', async () => {
    mock.timers.enable({ apis: ['setInterval'] })
    try {
      const renewed: unknown[] = []
      const store = inMemoryStore()
      const recording: Store = {
        ...store,
        renew: (key, token, duration) => {
          renewed.push([key, duration])
          return store.renew(key, token, duration)
        },
      }
      const handler = new EventEmitter()
      const { send } = withStore(recording, async () => {
        handler.emit('start')
        await once(handler, 'finish')
      })
      const started = once(handler, 'start')
      const sent = send('msg_1')
      await started
      mock.timers.tick(20_000)
      handler.emit('finish')
      assert.is(await sent, 204)
      mock.timers.tick(20_000)
      const renewal = ['webhook:hooks.ping:msg_1', 30_000]
      assert.equal(renewed, [renewal, renewal])
    } finally {
      mock.timers.reset()
    }
  })
  test('a lease is released if the handler fails', async () => {
    const store = inMemoryStore()
    const { send } = withStore(store, unavailable)
    assert.is(await send('msg_1'), 500)
    assert.is(store.size().entries, 0)
  })
})

describe('receiveWebhooks', (test) => {
  test('does not change the handlers that unit tests call', async () => {
    const ping = pipe(
      path('/'),
      post(),
      handle(() => undefined),
    )
    const tree = pipe(routes({ ping }), receiveWebhooks({ secrets: secret }))
    assert.is(await endpointsOf(tree).ping.run({}, testContext()), undefined)
  })
  table(
    test,
    [
      ['no secret', { secrets: [] }, /receiveWebhooks: missing secret/],
      ['an invalid secret', { secrets: ['a'] }, /receiveWebhooks: invalid secret: expected whsec_/],
      ['an invalid duration', { secrets: secret, keep: '3 days' }, /receiveWebhooks\.keep/],
      ['an unknown option', { secrets: secret, secret: '' }, /unknown option "secret"/],
    ] as const,
    (_, options, message) => assert.throws(() => receiveWebhooks(options), message),
  )
  test('without the standardwebhooks package, the server does not start, and the error names the command', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'espalier-webhooks-'))
    try {
      linkPackage(folder, 'module')
      const program = `
        import { pipe } from 'fp-ts/lib/function.js'
        import { handle, path, post, routes } from 'espalier'
        import { serve } from 'espalier/node'
        import { receiveWebhooks } from 'espalier/webhooks'
        const ping = pipe(path('/'), post(), handle(() => undefined))
        const api = pipe(routes({ ping }), receiveWebhooks({ secrets: '${secret}' }))
        await serve(api, { 'fw.http.port': 0 }).catch(({ message }) => console.log(message))
      `
      writeFileSync(join(folder, 'main.js'), program)
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--preserve-symlinks', '--preserve-symlinks-main', 'main.js'],
        { cwd: folder },
      )
      assert.match(stdout, /FW-FILTER-003/)
      assert.match(
        stdout,
        /espalier\/webhooks requires the standardwebhooks package: run npm install standardwebhooks/,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
