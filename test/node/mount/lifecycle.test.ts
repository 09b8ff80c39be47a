/** Settings, preparation and end of `nodeListener`, and responses that middleware has changed. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, profile, routes, text, when } from '../../../src/index.ts'
import { ConfigurationError, nodeListener } from '../../../src/node.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { api as blockingApi, blockingModule } from '../../programs/blocking-api.ts'
import { receiveFile } from '../files/uploads-directory.ts'
import { describe } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { createGate } from '../../support/gate.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { withHttpServer } from '../../support/while-listening.ts'
import { direct, signals, withMounted } from './mounting.ts'
import { waitUntil } from '../../support/wait-until.ts'

describe('close of nodeListener', (test) => {
  test('waits for requests in flight, aborts stopping, and closes connections', async () => {
    const gate = createGate()
    await withMounted({ gate, 'fw.shutdown.timeout': '60s' }, direct, async ({ url, listener }) => {
      const connection = await connectTo(url)
      connection.write(rawRequest('GET /wait'))
      await waitUntil(gate.isReached)
      let isClosed = false
      const closed = listener.close().then(() => {
        isClosed = true
      })
      assert.is(listener.close(), listener.close())
      const other = await fetch(`${url}/hello`)
      assert.equal([other.status, other.headers.get('connection')], [200, 'close'])
      assert.not(isClosed)
      gate.open()
      const response = await connection.next()
      assert.is(response.body, 'stopping: true')
      assert.is(
        response.headers.find(([name]) => name.toLowerCase() === 'connection')?.[1],
        'close',
      )
      await closed
      const late = await fetch(`${url}/hello`)
      assert.is(late.status, 503)
    })
  })
  test('destroys connections after fw.shutdown.timeout, and logs their number', () => {
    const gate = createGate()
    return withMounted(
      { gate, 'fw.shutdown.timeout': '100ms' },
      direct,
      async ({ url, listener, lines }) => {
        const sent = fetch(`${url}/wait`).then(
          () => 'response',
          () => 'destroyed',
        )
        const before = signals.length
        await waitUntil(() => signals.length > before)
        await listener.close()
        assert.is(await sent, 'destroyed')
        assert.equal(
          lines.flatMap(({ message, members }) =>
            message.includes('fw.shutdown.timeout') ? [members['connections']] : [],
          ),
          [1],
        )
        await waitUntil(() => signals.at(-1)?.aborted === true)
        gate.open()
      },
    )
  })
  test('an aborted signal closes the listener', async () => {
    const controller = new AbortController()
    await withMounted({ signal: controller.signal }, direct, async ({ url, listener }) => {
      assert.is((await fetch(`${url}/hello`)).status, 200)
      controller.abort()
      await listener.close()
      assert.is((await fetch(`${url}/hello`)).status, 503)
    })
  })
  test('a disconnect aborts the signal of the request', () => {
    const gate = createGate()
    return withMounted({ gate, 'fw.shutdown.timeout': '100ms' }, direct, async ({ url }) => {
      const before = signals.length
      const connection = await connectTo(url)
      connection.write(rawRequest('GET /wait'))
      await waitUntil(() => signals.length > before)
      connection.destroy()
      await waitUntil(() => signals.at(-1)?.aborted === true)
      gate.open()
    })
  })
})

const dev = pipe(
  path('/dev'),
  get(),
  when(profile('dev')),
  produces(text),
  handle((_, { application }) => application.property('app.name') ?? 'none'),
)

const statusOf = (listener: ReturnType<typeof nodeListener>, target: string): Promise<string> =>
  withHttpServer(
    (request, response) => listener(request, response),
    async ({ url }) => {
      const response = await fetch(`${url}${target}`)
      return response.ok ? response.text() : String(response.status)
    },
  )

describe('settings of nodeListener', (test) => {
  test('variables and files are read only with directory', async () => {
    const directory = newFolder()
    writeFileSync(join(directory, 'application.properties'), 'app.name=in a file')
    process.env['FW_PROFILE'] = 'dev'
    try {
      const options = { logger: silentLogger }
      assert.is(await statusOf(nodeListener(routes({ dev }), options), '/dev'), '404')
      assert.is(
        await statusOf(nodeListener(routes({ dev }), { ...options, directory }), '/dev'),
        'in a file',
      )
    } finally {
      delete process.env['FW_PROFILE']
    }
    const explicit = { profile: 'dev', properties: { 'app.name': 'a' }, logger: silentLogger }
    assert.is(await statusOf(nodeListener(routes({ dev }), explicit), '/dev'), 'a')
  })
  test('errors in settings and trees are thrown', () => {
    const size: string = 'much'
    assert.throws(
      () => nodeListener(routes({ dev }), { 'fw.http.limits.max-body-size': size }),
      (error: unknown) => error instanceof ConfigurationError,
    )
    assert.throws(() => nodeListener(blockingApi), /FW-WORKER-001[^]*nodeListener\(api, \{ module/)
  })
})

describe('preparation of nodeListener', (test) => {
  test('requests wait until the workers have started', async () => {
    const listener = nodeListener(blockingApi, {
      module: blockingModule,
      logger: silentLogger,
      'fw.worker.threads': 1,
      'fw.http.overload.enabled': false,
    })
    try {
      assert.not.equal(await statusOf(listener, '/thread'), '0')
    } finally {
      await listener.close()
    }
  })
  test('ready rejects if the uploads directory is not private, and requests get 503', async () => {
    const directory = newFolder()
    chmodSync(directory, 0o777)
    const listener = nodeListener(routes({ receiveFile }), {
      logger: silentLogger,
      'fw.http.body.uploads-directory': directory,
    })
    const error = await listener.ready.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.match(String(error), 'FW-CONF-005')
    assert.is(await statusOf(listener, '/file'), '503')
    await listener.close()
  })
})

describe('responses that middleware has changed before nodeListener', (test) => {
  test('headers that are set are kept, and Set-Cookie and Vary are combined', () =>
    withMounted(
      {},
      (listener, request, response) => {
        response.setHeader('X-Powered-By', 'Express')
        response.setHeader('Content-Type', 'text/html')
        response.setHeader('Set-Cookie', 'session=1')
        listener(request, response)
      },
      async ({ url }) => {
        const { headers } = await fetch(`${url}/cookies`)
        assert.is(headers.get('x-powered-by'), 'Express')
        assert.match(headers.get('content-type') ?? '', /^text\/plain/)
        assert.equal(headers.getSetCookie(), ['session=1', 'a=1', 'b=2'])
      },
    ))
  test('a replaced writeHead receives no array', () =>
    withMounted(
      {},
      (listener, request, response) => {
        const writeHead = response.writeHead.bind(response)
        Object.assign(response, {
          writeHead: (status: number, ...rest: unknown[]) => {
            assert.ok(rest.every((argument) => typeof argument === 'string'))
            response.appendHeader('Set-Cookie', 'session=1')
            return writeHead(status)
          },
        })
        listener(request, response)
      },
      async ({ url }) =>
        assert.equal((await fetch(`${url}/cookies`)).headers.getSetCookie(), [
          'a=1',
          'b=2',
          'session=1',
        ]),
    ))
})
