/**
 * The undocumented members of Node.js that the server uses, in the version that runs the test. `npm run test:runtimes` runs it on all
 * supported versions.
 */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer as createNetServer } from 'node:net'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import {
  bytesSentOn,
  createSharedReadBuffer,
  DiscardableMessage,
  omitEmptyChunk,
} from '../../src/node/internals.ts'
import { program } from '../support/bundled.ts'
import { describe } from '../support/describe.ts'
import { waitUntil } from '../support/wait-until.ts'

const ignore = (): void => undefined

/** Connects a client to a server that uses its side of the connection. */
const withConnection = async (
  use: (accepted: Socket, client: Socket) => Promise<void>,
): Promise<void> => {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [accepted] = (await once(server, 'connection')) as [Socket]
  try {
    await use(accepted, client)
  } finally {
    client.destroy()
    accepted.destroy()
    server.close()
  }
}

describe('undocumented members of Node.js', (test) => {
  test('createSharedReadBuffer reads into one buffer', () =>
    withConnection(async (accepted, client) => {
      const buffers = new Set<unknown>()
      let text = ''
      const isSupported = createSharedReadBuffer()(accepted, (bytes) => {
        buffers.add(bytes.buffer)
        text += bytes.toString()
      })
      assert.ok(isSupported)
      client.write('a')
      await waitUntil(() => text === 'a')
      client.write('b')
      await waitUntil(() => text === 'ab')
      assert.is(buffers.size, 1)
    }))

  test('bytesSentOn reports the progress of a large write', () =>
    withConnection(async (accepted, client) => {
      client.pause()
      const length = 64 * 1024 * 1024
      accepted.write(Buffer.alloc(length))
      await waitUntil(() => bytesSentOn(accepted) > 0)
      assert.ok(bytesSentOn(accepted) < length)
      // the documented members do not show it
      assert.is(accepted.bytesWritten - accepted.writableLength, 0)
    }))

  test('a request without a body is closed when it is discarded', async () => {
    let request: IncomingMessage | undefined
    const server = createServer({ IncomingMessage: DiscardableMessage }, (received, response) => {
      request = received
      response.end('a')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { connection: 'close' },
    })
    assert.is(await response.text(), 'a')
    assert.ok(request instanceof DiscardableMessage)
    assert.equal([request.readableEnded, request.destroyed, request.closed], [true, true, true])
    server.close()
  })
  test('Node.js discards requests with _dump', () =>
    assert.type(Reflect.get(IncomingMessage.prototype, '_dump'), 'function'))

  test('omitEmptyChunk replaces the last chunk of a response of node:http', async () => {
    const written: unknown[] = []
    const server = createServer((_, response) => void response.end('a')).listen(0, '127.0.0.1')
    server.on('connection', (socket: Socket) => {
      omitEmptyChunk(socket)
      const write = socket._write.bind(socket)
      socket._write = (chunk, encoding, callback) => {
        written.push(String(chunk).endsWith('\r\n\r\na'))
        write(chunk, encoding, callback)
      }
    })
    await once(server, 'listening')
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      headers: { connection: 'close' },
    })
    assert.is(await response.text(), 'a')
    assert.equal(written, [true])
    server.close()
  })
  test('omitEmptyChunk keeps other instrumentation', () =>
    withConnection(async (accepted) => {
      accepted._writev = ignore
      omitEmptyChunk(accepted)
      assert.is(Reflect.get(accepted, '_writev'), ignore)
    }))

  test('recoverConnections passes a connection that was not acknowledged to another process', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program('cluster-recovery.js')])
    assert.is(stdout, 'recovered')
  })
})
