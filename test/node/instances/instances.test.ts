/** Servers with several instances: start, replacement, log and shutdown. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { startServer } from '../../programs/instances.ts'
import { getText, isAlive, pidsOf, startSupervised, withSupervised } from './supervised-program.ts'
import { waitUntil } from '../../support/wait-until.ts'

const two = { options: { instances: 2, 'fw.shutdown.grace': 0 } }

const byText = (a: unknown, b: unknown): number => String(a).localeCompare(String(b))

describe('a server with two instances', (test) => {
  test('distributes connections of all its servers to both, and ends with 0 after SIGTERM', () =>
    withSupervised({ ...two, hasSecondServer: true }, async ({ urls, pid, kill, exit, log }) => {
      assert.is(new Set(urls).size, 2)
      const [url = '', second = ''] = urls
      const pids = [await getText(`${url}/pid`), await getText(`${url}/pid`)].map(Number)
      assert.equal(new Set([...pids, pid]).size, 3)
      const numbers = [await getText(`${url}/instance`), await getText(`${url}/instance`)]
      assert.equal(numbers.toSorted(byText), ['1', '2'])
      assert.equal((await pidsOf(second, 2)).toSorted(byText), pids.toSorted(byText))
      kill('SIGTERM')
      assert.equal(await exit, { code: 0, errors: '' })
      assert.equal(log(), [])
      assert.equal(pids.filter(isAlive), [])
    }))

  test('replaces an instance that exits, while the other one serves requests', () =>
    withSupervised(two, async ({ url, logged, log }) => {
      const before = await pidsOf(url, 2)
      await fetch(`${url}/crash/4`).catch(() => undefined)
      const { level, instance, pid, code, signal, delay } = await logged(
        'Instance exited unexpectedly and will be replaced',
      )
      assert.equal([level, code, signal, delay], ['error', 4, null, 100])
      assert.ok(before.includes(Number(pid)))
      assert.is(
        Number(await getText(`${url}/pid`)),
        before.find((other) => other !== pid),
      )
      assert.is((await logged('Instance replaced')).instance, instance)
      const after = await pidsOf(url, 2)
      assert.is(after.includes(Number(pid)), false)
      assert.is(log().length, 2)
    }))
})

/** Sends a GET request on a new connection over a Unix domain socket. */
const getOver = async (socketPath: string, target: string): Promise<string> => {
  const sent = request({ socketPath, path: target, agent: false }).end()
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  return textOf(response)
}

/**
 * Sends requests over a Unix domain socket until `count` processes have responded. The first requests can have the same instance: an
 * instance that starts connects to the socket to find out whether it is in use.
 */
const addPids = async (pids: Set<string>, socketPath: string, count: number): Promise<void> => {
  while (pids.size < count) pids.add(await getOver(socketPath, '/pid'))
}

const onSocket = (path: string) => ({
  options: { ...two.options, 'fw.http.domain-socket': path, 'fw.http.host-enabled': false },
})

const newSocketPath = (): string => join(newFolder(), 'app.sock')

describe('a Unix domain socket with two instances', (test) => {
  test('is shared by the instances, but no other program, survives a restart, and is removed at the end', () => {
    const path = newSocketPath()
    return withSupervised(onSocket(path), async ({ urls, kill, exit, logged }) => {
      assert.equal(urls, [`unix:${path}`])
      const pids = new Set<string>()
      await addPids(pids, path, 2)
      const [rejected, ...others] = await rejections(onSocket(path))
      assert.equal([rejected?.name, others], ['ListenError', []])
      kill('SIGHUP')
      await logged('Instance replaced', 2)
      // the second one is still being drained when its replacement is logged
      await addPids(pids, path, 4)
      kill('SIGTERM')
      assert.equal(await exit, { code: 0, errors: '' })
      assert.not(existsSync(path))
    })
  })

  test('replaces the file of a program that was killed', async () => {
    const path = newSocketPath()
    await withSupervised(onSocket(path), async ({ kill, exit }) => {
      kill('SIGKILL')
      await exit
      assert.ok(existsSync(path))
    })
    await withSupervised(onSocket(path), async ({ kill, exit }) => {
      await addPids(new Set(), path, 2)
      kill('SIGTERM')
      assert.is((await exit).code, 0)
    })
  })
})

const rejections = async (task: Parameters<typeof startSupervised>[0]) => {
  const { lines, exit } = await startSupervised(task)
  const { code, errors } = await exit
  assert.equal([code, errors], [1, ''])
  return lines().map((line) => (JSON.parse(line) as { readonly rejected: Error }).rejected)
}

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

describe('an instance that cannot start', (test) => {
  table(
    test,
    [
      ['an invalid tree is one configuration error', { isInvalid: true }, 'ConfigurationError'],
      [
        'an invalid setting is one configuration error',
        { options: { 'fw.http.idle-timeout': 'x' } },
        'ConfigurationError',
      ],
      [
        'an unavailable address is one listen error',
        { options: { 'fw.http.host': '192.0.2.1' } },
        'ListenError',
      ],
    ] as const,
    async (_, task, expected) => {
      const options = 'options' in task ? task.options : {}
      const supervised = await rejections({ ...task, options: { ...options, instances: 2 } })
      const { name, message } = await startServer(task).then(() => new Error('started'), toError)
      assert.equal(supervised, [{ name, message }])
      assert.is(name, expected)
    },
  )

  test('an instance that ends before it listens rejects serve', async () => {
    const blocker = process.execPath
    const [rejected] = await rejections({ ...two, blocker })
    assert.match(rejected?.message ?? '', /instance 1 ended before it listened \(exit code 3\)/)
  })
})

describe('a shutdown with two instances', (test) => {
  test('exits with 1 if an instance had to destroy a connection', () =>
    withSupervised(
      { options: { ...two.options, 'fw.shutdown.timeout': 200 } },
      async ({ url, kill, exit, logged }) => {
        const { hostname, port } = new URL(url)
        const socket = connect(Number(port), hostname)
        await once(socket, 'connect')
        socket.write('GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n')
        socket.on('error', () => undefined)
        // the connection has been passed to an instance once the next connections have been served
        await pidsOf(url, 2)
        kill('SIGTERM')
        await logged(
          'fw.shutdown.timeout expired: the connections that were still open have been destroyed',
        )
        assert.is((await exit).code, 1)
        socket.destroy()
      },
    ))

  test('ends at once after a second signal', () =>
    withSupervised(
      { options: { ...two.options, 'fw.shutdown.delay': 60_000 } },
      async ({ url, kill, exit }) => {
        const pids = await pidsOf(url, 2)
        kill('SIGTERM')
        kill('SIGINT')
        // both signals may arrive before the first one is handled
        assert.ok([130, 143].includes(Number((await exit).code)))
        await waitUntil(() => !pids.some(isAlive))
      },
    ))

  test('is graceful if all processes of the group receive the signal', () =>
    withSupervised(two, async ({ url, pid, exit, log }) => {
      const responses = [fetch(`${url}/slow/500`), fetch(`${url}/slow/500`)]
      await pidsOf(url, 2)
      process.kill(-pid, 'SIGINT')
      for (const response of responses) assert.is((await response).status, 200)
      assert.is((await exit).code, 0)
      assert.equal(log(), [])
    }))

  test('is started by the instances if the parent process is killed', () =>
    withSupervised(two, async ({ url, kill, exit }) => {
      const pids = await pidsOf(url, 2)
      const responses = [fetch(`${url}/slow/500`), fetch(`${url}/slow/500`)]
      await pidsOf(url, 2)
      kill('SIGKILL')
      for (const response of responses) assert.is((await response).status, 200)
      await waitUntil(() => !pids.some(isAlive))
      assert.is((await exit).code, 'SIGKILL')
    }))
})

describe('the log of two instances', (test) => {
  test('consists of whole lines of JSON with the number of the instance, also if the instances exit while the reader of the pipe is slow', () =>
    withSupervised(two, async ({ url, log, output, kill, exit }) => {
      const pids = await pidsOf(url, 2)
      output.pause()
      // two requests for each instance have long lines
      for (let index = 0; index < 8; index++)
        await getText(`${url}/log/100?size=${index < 4 ? 10_000 : 3000}`)
      kill('SIGTERM')
      await wait(300)
      output.resume()
      assert.is((await exit).code, 0)
      const lines = log().filter(({ message }) => message === 'line')
      for (const { instance } of lines) assert.ok(instance === 1 || instance === 2)
      assert.equal(
        pids.map((pid) => lines.filter((line) => line.pid === pid).map(({ index }) => index)),
        pids.map(() => Array.from({ length: 400 }, (_, index) => index % 100)),
      )
    }))

  test('is complete if an instance calls process.exit while the reader of the pipe is slow', () =>
    withSupervised(two, async ({ url, log, output, logged, kill, exit }) => {
      const [pid, other] = [await getText(`${url}/pid`), await getText(`${url}/pid`)]
      output.pause()
      for (let index = 0; index < 2; index++) await getText(`${url}/log/100?size=3000`)
      const crashed = fetch(`${url}/crash/4`).catch(() => undefined)
      await wait(300)
      output.resume()
      await crashed
      await logged('Instance exited unexpectedly and will be replaced')
      await logged('line', 200)
      kill('SIGTERM')
      await exit
      const counts = [pid, other].map(
        (one) => log().filter((line) => line.message === 'line' && line.pid === Number(one)).length,
      )
      assert.equal(counts, [100, 100])
    }))
})

describe('the log of a process without instances', (test) => {
  test('is complete if the process exits after a signal while the reader of the pipe is slow', () =>
    withSupervised(
      { options: { ...two.options, instances: 1 } },
      async ({ url, log, output, kill, exit }) => {
        output.pause()
        for (let index = 0; index < 8; index++) await getText(`${url}/log/100?size=3000`)
        kill('SIGTERM')
        await wait(300)
        output.resume()
        assert.is((await exit).code, 0)
        assert.is(log().filter(({ message }) => message === 'line').length, 800)
      },
    ))
})
