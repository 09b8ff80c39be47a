/** Workers behind a socket: R-301, R-307, and what may happen to threads (H1 to H9). */
import { request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { blocking, get, handle, path, routes } from '../../src/index.ts'
import type { Logger } from '../../src/node.ts'
import type { ServeOptions, Server } from '../../src/node.ts'
import { MistakesError, serve } from '../../src/node.ts'
import { silent } from '../../src/interpreter/logger.ts'
import { another, api, blockingModule } from '../support/blocking-api.ts'
import { describe, table } from '../support/describe.ts'

const options = {
  module: blockingModule,
  logger: silent,
  'fw.http.port': 0,
  'fw.shutdown.grace': 0,
  'fw.worker.threads': 1,
} as const satisfies ServeOptions

const serving = async <A>(
  settings: ServeOptions,
  use: (server: Server) => Promise<A>,
): Promise<A> => {
  const server = await serve(api, { ...options, ...settings })
  try {
    return await use(server)
  } finally {
    await server.close()
  }
}

/** Status and content of a GET. */
const ask = async ({ url }: Server, target: string): Promise<readonly [number, string]> => {
  const response = await fetch(`${url}${target}`)
  return [response.status, await response.text()]
}

const statusOf = async (server: Server, target: string): Promise<number> =>
  (await ask(server, target))[0]

/** A request that can be given up. */
const leaving = ({ url }: Server, target: string): (() => void) => {
  const sent = httpRequest(`${url}${target}`, { agent: false })
  sent.on('error', () => undefined)
  sent.end()
  return () => sent.destroy()
}

/** The log, kept. */
const kept = (): { readonly lines: string[]; readonly logger: Logger } => {
  const lines: string[] = []
  const log =
    (level: string): Logger['info'] =>
    (members, message) => {
      const { err } = members
      lines.push(`${level} ${message}${err instanceof Error ? ` ${err.message}` : ''}`)
    }
  const logger = {
    trace: log('trace'),
    debug: log('debug'),
    info: log('info'),
    warn: log('warn'),
    error: log('error'),
  }
  return { lines, logger }
}

const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return
    await wait(25)
  }
  assert.unreachable('it never came to pass')
}

describe('workers', (test, { before, after }) => {
  let server: Server
  before(async () => {
    server = await serve(api, options)
  })
  after(() => server.close())

  table(
    test,
    [
      ['/unsaid', 'loop'],
      ['/operation', 'worker'],
      ['/resource', 'worker'],
      ['/overridden', 'loop'],
      ['/transaction', 'worker'],
      ['/light-transaction', 'loop'],
      ['/below', 'worker'],
      ['/but', 'loop'],
      ['/transaction-below', 'worker'],
      ['/inner-light', 'loop'],
      ['/inner-transaction', 'loop'],
      ['/heavy', 'worker'],
    ] as const,
    async (target, place) => assert.equal(await ask(server, target), [200, place]),
  )
  test('R-301: filters run on the worker, early ones on the loop', async () => {
    const response = await fetch(`${server.url}/seen`)
    assert.is(await response.text(), 'loop, loop worker, worker, filtered.seen')
    assert.is(response.headers.get('X-Response-Filter'), 'worker')
  })
  test('fields that a handler adds arrive', async () =>
    assert.is((await fetch(`${server.url}/context/1`)).headers.get('X-Handler'), 'worker'))
  test('what waits for the end of a request is told of it, on the worker', async () => {
    assert.is(await statusOf(server, '/ending'), 200)
    await until(async () => (await ask(server, '/ended'))[1] === 'worker 200')
  })
  test('a light operation is answered while workers compute', async () => {
    const heavy = statusOf(server, '/compute/400')
    const start = performance.now()
    for (let i = 0; i < 5; i++) assert.is(await statusOf(server, '/light'), 200)
    assert.ok(performance.now() - start < 350)
    assert.is(await heavy, 200)
  })
  test('H9: a thousand requests at once are not mixed up', async () => {
    const asked = Array.from({ length: 1000 }, (_, index) => index)
    const answers: string[] = []
    for (let at = 0; at < asked.length; at += 8) {
      const some = await Promise.all(
        asked.slice(at, at + 8).map((n) => ask(server, `/compute/0?as=${n}`)),
      )
      answers.push(...some.map(([, text]) => text))
    }
    assert.equal(answers, asked.map(String))
  })
})

describe('workers: H5, what early filters give', (test, { before, after }) => {
  const { lines, logger } = kept()
  let server: Server
  before(async () => {
    server = await serve(api, { ...options, logger })
  })
  after(() => server.close())

  test('arrives when it is plain data', async () =>
    assert.equal(await ask(server, '/given?kind=plain'), [
      200,
      '{"a":[1,"1970-01-01T00:00:00.000Z",{}],"n":null}',
    ]))
  table(
    test,
    [
      ['function', 'odd is a function'],
      ['symbol', 'odd is a symbol'],
      ['instance', 'odd is an instance of Custom'],
      ['nested', 'odd.deep[1].url is an instance of URL'],
      ['inMap', 'odd is an instance of Custom'],
    ] as const,
    async (kind, said) => {
      lines.length = 0
      assert.is(await statusOf(server, `/given?kind=${kind}`), 500)
      assert.ok(
        lines.some((line) => line.includes(`givenOdd.given cannot be handed to a worker: ${said}`)),
        lines.join('\n'),
      )
    },
  )
})

describe('workers: a worker that dies', (test) => {
  table(
    test,
    [
      ['H2: by process.exit', 'exit', 500, /the worker ended itself with 3/],
      ['H1: of an error that nobody catches', 'uncaught', 500, /thrown where nobody catches/],
      ['H1: of a rejection that nobody hears', 'unhandled', 500, /rejected where nobody listens/],
      ['H3: out of memory', 'memory', 500, /memory limit/],
      ['H4: of a loop without end', 'loop', 504, /has run for 700 ms: its worker is replaced/],
      ['H4: of a promise that never comes', 'never', 504, /has run for 700 ms/],
    ] as const,
    async (_, how, status, said) => {
      const { lines, logger } = kept()
      await serving(
        {
          logger,
          'fw.worker.timeout': how === 'memory' ? 20_000 : 700,
          'fw.worker.heap': '64M',
          'fw.worker.threads': 2,
        },
        async (server) => {
          const other = ask(server, '/compute/100?as=other')
          const died = ask(server, `/die/${how}`)
          assert.equal(await other, [200, 'other'])
          const [got, text] = await died
          assert.is(got, status, text)
          assert.match(lines.join('\n'), said)
          assert.equal(await ask(server, '/compute/0'), [200, 'computed'])
        },
      )
    },
  )
  test('does not die of what its handler throws', () =>
    serving({}, async (server) => {
      const pid = await ask(server, '/aborted')
      for (const how of ['throw', 'overflow']) assert.is(await statusOf(server, `/die/${how}`), 500)
      assert.equal(await ask(server, '/aborted'), pid)
    }))
  test('H8: after five deaths in a second, replacements come at five a second at most', () => {
    const { lines, logger } = kept()
    return serving({ logger, 'fw.worker.threads': 4 }, async (server) => {
      const start = performance.now()
      const statuses = await Promise.all(
        Array.from({ length: 30 }, () => statusOf(server, '/die/exit')),
      )
      const seconds = (performance.now() - start) / 1000
      assert.ok(
        statuses.every((status) => status === 500 || status === 503),
        statuses.join(),
      )
      const deaths = lines.filter((line) => line.startsWith('error A worker has died.')).length
      assert.is(deaths, statuses.filter((status) => status === 500).length)
      // five that were there, and five a second
      assert.ok(deaths <= 5 + 5 * (seconds + 1), `${deaths} in ${seconds} s`)
      await wait(1500)
      assert.is(await statusOf(server, '/compute/0'), 200)
    })
  })
})

describe('workers: the queue', (test) => {
  test('R-307, H7: what does not fit into it is answered with 503 at once', () =>
    serving({ 'fw.worker.queue': 2 }, async (server) => {
      const start = performance.now()
      const asked = Array.from({ length: 6 }, async () => {
        const response = await fetch(`${server.url}/compute/300`)
        await response.text()
        return [
          response.status,
          response.headers.get('Retry-After'),
          performance.now() - start,
        ] as const
      })
      const answered = await Promise.all(asked)
      const refused = answered.filter(([status]) => status === 503)
      assert.is(refused.length, 3, answered.join(' '))
      assert.ok(
        refused.every(([, retry, after]) => retry === '1' && after < 290),
        answered.join(' '),
      )
      assert.is(answered.filter(([status]) => status === 200).length, 3)
    }))
  test('of no places still lets a free worker work', () =>
    serving({ 'fw.worker.queue': 0 }, async (server) => {
      assert.is(await statusOf(server, '/compute/0'), 200)
      const busy = statusOf(server, '/compute/300')
      await wait(50)
      assert.is(await statusOf(server, '/compute/0'), 503)
      assert.is(await busy, 200)
    }))
  test('H7: a client that goes while it waits takes its job along', () =>
    serving({}, async (server) => {
      const busy = statusOf(server, '/compute/300')
      await wait(30)
      const leave = leaving(server, '/ending')
      await wait(50)
      leave()
      assert.is(await busy, 200)
      assert.equal(await ask(server, '/ended'), [200, ''])
    }))
})

describe('workers: a client that goes while its job runs', (test) => {
  for (const kind of ['patient', 'busy'])
    test(`is told to the handler, ${kind}`, () =>
      serving({ 'fw.worker.timeout': 5000 }, async (server) => {
        const leave = leaving(server, `/${kind}`)
        await wait(150)
        leave()
        // the same worker goes on: it remembers
        await until(async () => (await ask(server, '/aborted'))[1] === '1')
      }))
})

describe('workers: the start', (test) => {
  const mistakeOf = async (start: Promise<Server>): Promise<string> => {
    try {
      await (await start).close()
    } catch (error) {
      assert.ok(error instanceof MistakesError)
      return error.message
    }
    return 'no mistake'
  }
  const heavy = pipe(
    path('/x'),
    get(),
    handle(() => undefined),
    blocking,
  )
  const { module: _, ...withoutModule } = options

  test('needs to know the module', async () => {
    const message = await mistakeOf(serve(routes({ heavy }), withoutModule))
    assert.match(message, /FW-WORKER-001/)
    assert.match(message, /GET \/x {2}\(heavy\)/)
  })
  table(
    test,
    [
      ['a module that is not there', { module: 'file:///nowhere.js' }, /Cannot find module/],
      [
        'an export that is not there',
        { export: 'nothing' },
        /exports no tree under the name nothing/,
      ],
      ['an export that is no tree', { export: 'noTree' }, /exports no tree/],
      ['another tree', { export: 'another' }, /another tree/],
    ] as const,
    async (__, given, said) => {
      const message = await mistakeOf(serve(api, { ...options, ...given }))
      assert.match(message, /FW-WORKER-002/)
      assert.match(message, said)
    },
  )
  test('takes the export that is named', async () => {
    const server = await serve(another, { ...options, export: 'another' })
    assert.equal(await ask(server, '/operation'), [200, 'worker'])
    await server.close()
  })
  test('H8: starts no thread, and loads nothing for it, without blocking operations', async () => {
    const program = `
      import { get, handle, path, routes } from ${JSON.stringify(new URL('../../src/index.js', import.meta.url).href)}
      import { serve } from ${JSON.stringify(new URL('../../src/node.js', import.meta.url).href)}
      import { syncBuiltinESMExports } from 'node:module'
      import threads from 'node:worker_threads'
      threads.Worker = class { constructor() { console.log('a thread') } }
      syncBuiltinESMExports()
      const api = routes({ light: handle(() => {})(get()(path('/x'))) })
      const server = await serve(api, { module: 'file:///nowhere.js', 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
      console.log((await fetch(server.url + '/x')).status)
      await server.close()`
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '--eval',
      program,
    ])
    assert.is(stdout, '204\n')
  })
  test('may be in the module of the tree itself', async () => {
    const main = fileURLToPath(new URL('../support/serving-itself.js', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [main])
    assert.is(stdout, 'worker\nclosed\n')
  })
})

describe('workers: the end', (test) => {
  test('comes after the jobs that run and those that wait', async () => {
    const server = await serve(api, options)
    const asked = [1, 2, 3].map((n) => ask(server, `/compute/100?as=${n}`))
    await wait(50)
    await server.close()
    assert.equal(await Promise.all(asked), [
      [200, '1'],
      [200, '2'],
      [200, '3'],
    ])
  })
  test('does not wait for one that never ends', async () => {
    const server = await serve(api, { ...options, 'fw.shutdown.timeout': 200 })
    const asked = fetch(`${server.url}/die/loop`).catch(() => 'cut')
    await wait(50)
    const start = performance.now()
    await server.close()
    assert.ok(performance.now() - start < 2000)
    assert.is(await asked, 'cut')
  })
})
