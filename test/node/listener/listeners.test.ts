/** Listeners of real processes: Unix domain sockets, inherited sockets and the variable `PORT`. */
import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import type { ServeOptions } from '../../../src/node.ts'
import { program } from '../../support/bundled.ts'
import { createCertificateFolder, hasOpenSsl } from '../../support/certificates.ts'
import { describe, describeWith, table } from '../../support/describe.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { connectTls } from '../tls/clients.ts'

type Environment = Readonly<Record<string, string>>

/** What the program `listening.ts` writes. */
interface Started {
  readonly urls: ReadonlyArray<string>
  readonly port: string
  readonly environment?: string
  readonly error?: string
}

interface Running extends Started {
  readonly child: ChildProcess
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** Starts the program. `sockets` are the descriptors that it inherits, from 3 on. */
const start = async (
  environment: Environment,
  sockets: ReadonlyArray<number> = [],
): Promise<Running> => {
  const names = sockets.length === 0 ? '' : `LISTEN_PID=$$ LISTEN_FDS=${sockets.length} `
  const child = spawn(
    'sh',
    [
      '-c',
      `${names}exec "$0" "$@"`,
      process.execPath,
      ...process.execArgv,
      program('listening.js'),
    ],
    {
      cwd: newFolder(),
      env: {
        PATH: process.env['PATH'],
        FW_HTTP_HOST: '127.0.0.1',
        FW_SHUTDOWN_GRACE: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', ...sockets],
    },
  )
  const [line] = (await once(child.stdout ?? child, 'data')) as [Buffer]
  const exit = once(child, 'close')
  return {
    ...(JSON.parse(String(line)) as Started),
    child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await exit
    },
  }
}

/** Sends a request over a Unix domain socket. Resolves to the body. */
const getOver = async (socketPath: string, headers: Environment = {}): Promise<string> => {
  const sent = request({ socketPath, path: '/alive', headers }).end()
  const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  return textOf(response)
}

const ports = { FW_HTTP_PORT: '0' }

const alive = pipe(
  path('/alive'),
  get(),
  produces(text),
  handle((_, { uri, request: { clientAddress } }) => `${uri.request.protocol} ${clientAddress}`),
)

/** Starts a server in this process. */
const startHere = async (options: ServeOptions) => {
  try {
    const { urls, close } = await serveLocally(routes({ alive }), options)
    return { urls, error: undefined, stop: close }
  } catch (error) {
    return { urls: [], error: String(error), stop: async () => undefined }
  }
}

describe('a Unix domain socket', (test) => {
  test('is served in addition to the port, and removed at the end', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    const { urls, stop } = await start({ ...ports, FW_HTTP_DOMAIN_SOCKET: socketPath })
    assert.match(urls[0] ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.is(urls[1], `unix:${socketPath}`)
    assert.is(await getOver(socketPath), 'http: undefined')
    assert.is(await (await fetch(`${urls[0]}/alive`)).text(), 'http: 127.0.0.1')
    await stop()
    assert.not(existsSync(socketPath))
  })

  test('can be the only listener', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    const { urls, stop } = await startHere({
      'fw.http.host-enabled': false,
      'fw.http.domain-socket': socketPath,
    })
    assert.equal(urls, [`unix:${socketPath}`])
    assert.is(await getOver(socketPath), 'http: undefined')
    await stop()
  })

  test('can be disabled', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    const { urls, stop } = await startHere({
      'fw.http.domain-socket': socketPath,
      'fw.http.domain-socket-enabled': false,
    })
    assert.is(urls.length, 1)
    assert.not(existsSync(socketPath))
    await stop()
  })

  test('that a killed process has left behind is replaced', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    const first = await start({ ...ports, FW_HTTP_DOMAIN_SOCKET: socketPath })
    await first.stop('SIGKILL')
    assert.ok(existsSync(socketPath))
    const second = await startHere({ 'fw.http.domain-socket': socketPath })
    assert.is(await getOver(socketPath), 'http: undefined')
    await second.stop()
  })

  test('that another process serves is not replaced', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    const first = await start({ ...ports, FW_HTTP_DOMAIN_SOCKET: socketPath })
    const second = await startHere({ 'fw.http.domain-socket': socketPath })
    assert.is(second.error, `ListenError: cannot listen on unix:${socketPath}: EADDRINUSE`)
    assert.is(await getOver(socketPath), 'http: undefined')
    await Promise.all([first.stop(), second.stop()])
  })

  test('does not replace a file that is not a socket', async () => {
    const socketPath = join(newFolder(), 'app.sock')
    writeFileSync(socketPath, 'data')
    const { error, stop } = await startHere({ 'fw.http.domain-socket': socketPath })
    assert.is(error, `ListenError: cannot listen on unix:${socketPath}: EADDRINUSE`)
    assert.ok(existsSync(socketPath))
    await stop()
  })

  test('with a socketPath that is too long is an error', async () => {
    const socketPath = join(newFolder(), 'x'.repeat(120))
    const { error, stop } = await startHere({ 'fw.http.domain-socket': socketPath })
    assert.match(error ?? '', /^ListenError: cannot listen on unix:.*: ENAMETOOLONG$/)
    await stop()
  })

  table(
    test,
    [
      ['a trusted proxy determines the address and the scheme', 'unix:', 'https: 192.0.2.1'],
      ['the headers of other proxies are ignored', '127.0.0.1', 'http: undefined'],
    ],
    async (_, trusted, expected) => {
      const socketPath = join(newFolder(), 'app.sock')
      const { stop } = await startHere({
        'fw.http.host-enabled': false,
        'fw.http.domain-socket': socketPath,
        'fw.http.proxy.trusted': trusted,
      })
      const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' }
      assert.is(await getOver(socketPath, headers), expected)
      await stop()
    },
  )
})

/**
 * Opens a listening socket for another process. `release` closes it in this process, which must not accept its connections.
 */
const openSocket = async (address: string | { readonly port: number; readonly host: string }) => {
  const server = createServer()
  server.listen(address)
  await once(server, 'listening')
  const { fd } = Reflect.get(server, '_handle') as { readonly fd: number }
  const bound = server.address() as AddressInfo | string
  return {
    descriptor: fd,
    port: typeof bound === 'string' ? 0 : bound.port,
    release: () => void server.close(),
  }
}

const loopback = { port: 0, host: '127.0.0.1' }

describe('sockets inherited from a supervisor', (test) => {
  test('replace the configured port', async () => {
    const { descriptor, port, release } = await openSocket(loopback)
    const { urls, environment, stop } = await start({ FW_HTTP_PORT: '1' }, [descriptor])
    release()
    assert.equal([urls, environment], [[`http://127.0.0.1:${port}`], undefined])
    assert.is(await (await fetch(`${urls[0]}/alive`)).text(), 'http: 127.0.0.1')
    await stop()
  })

  test('are ignored if they were passed to another process', async () => {
    const { urls, stop } = await start({ ...ports, LISTEN_PID: '1', LISTEN_FDS: '1' })
    assert.match(urls[0] ?? '', /^http:\/\/127\.0\.0\.1:\d+$/)
    await stop()
  })

  test('that are not sockets are an error', async () => {
    const { error, stop } = await start({ LISTEN_FDNAMES: 'http' }, [2])
    assert.match(error ?? '', /^ListenError: cannot listen on the file descriptor 3: /)
    await stop()
  })
})

describe('the variable PORT', (test) => {
  table<readonly [title: string, environment: Environment, expected: RegExp]>(
    test,
    [
      ['sets the port', { PORT: '0' }, /^fw\.http\.port +0 +environment variable PORT$/],
      [
        'has a lower precedence than the setting',
        { PORT: '1', FW_HTTP_PORT: '0' },
        /^fw\.http\.port +0 +environment variable FW_HTTP_PORT$/,
      ],
    ],
    async (_, environment, expected) => {
      const { port, urls, stop } = await start(environment)
      assert.match(port.trim(), expected)
      assert.match(urls[0] ?? '', /:\d{2,5}$/)
      await stop()
    },
  )

  test('with an invalid value is a configuration error', async () => {
    const { error, stop } = await start({ PORT: 'none' })
    assert.match(error ?? '', /FW-CONF-002[^]*environment variable PORT/)
    await stop()
  })
})

describeWith('inherited sockets with TLS', 'openssl', hasOpenSsl, (test) => {
  test('are those named https', async () => {
    const folder = createCertificateFolder()
    const authority = folder.authority('ca')
    const { certificate, key } = folder.issue(authority, 'local')
    const [clear, secure] = await Promise.all([openSocket(loopback), openSocket(loopback)])
    const { urls, stop } = await start(
      {
        LISTEN_FDNAMES: 'http:https',
        FW_HTTP_SSL_CERTIFICATE_FILES: certificate,
        FW_HTTP_SSL_CERTIFICATE_KEY_FILES: key,
      },
      [clear.descriptor, secure.descriptor],
    )
    clear.release()
    secure.release()
    assert.equal(urls, [`https://127.0.0.1:${secure.port}`, `http://127.0.0.1:${clear.port}`])
    const connection = await connectTls({ urls }, authority)
    connection.write(rawRequest('GET /alive'))
    assertResponse(await connection.next(), [200, 'https: 127.0.0.1'])
    connection.destroy()
    assert.is(await (await fetch(`${urls[1]}/alive`)).text(), 'http: 127.0.0.1')
    await stop()
  })

  test('require a certificate', async () => {
    const { descriptor, release } = await openSocket(loopback)
    const { error, stop } = await start({ LISTEN_FDNAMES: 'https' }, [descriptor])
    release()
    assert.match(error ?? '', /FW-CONF-006[^]*inherited socket named https/)
    await stop()
  })
})

const hasSystemd = spawnSync('systemd-socket-activate', ['--version']).status === 0

describeWith('systemd socket activation', 'systemd-socket-activate', hasSystemd, (test) => {
  test('starts the server with the first connection, which is served', async () => {
    const { port, release } = await openSocket(loopback)
    release()
    const child = spawn(
      'systemd-socket-activate',
      ['-l', `127.0.0.1:${port}`, process.execPath, ...process.execArgv, program('listening.js')],
      { cwd: newFolder(), stdio: ['ignore', 'pipe', 'pipe'] },
    )
    await once(child.stderr, 'data')
    const response = await fetch(`http://127.0.0.1:${port}/alive`)
    assert.is(await response.text(), 'http: 127.0.0.1')
    child.kill()
    await once(child, 'close')
  })
})
