import { once } from 'node:events'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import * as assert from 'uvu/assert'
import { AcceptQueue } from '../../../src/node/load-shedding/accept-queue.ts'
import { describe, describeWith } from '../../support/describe.ts'

/** A server that accepts no connection while its thread is blocked. */
const program = `
  const { createServer } = require('node:net')
  const { parentPort, workerData } = require('node:worker_threads')
  const server = createServer((socket) => socket.destroy()).listen(0, workerData.host, () => {
    parentPort.postMessage(server.address().port)
    Atomics.wait(workerData.signal, 0, 0)
  })
`

describe('AcceptQueue', (test) => {
  test('is empty for a port without a server', async () => {
    const queue = new AcceptQueue()
    await queue.measure([1])
    assert.is(queue.length, 0)
  })
})

describeWith('AcceptQueue on Linux', 'file /proc/net/tcp', process.platform === 'linux', (test) => {
  for (const host of ['127.0.0.1', '::1'])
    test(`counts connections to ${host} that are not accepted yet`, async () => {
      const signal = new Int32Array(new SharedArrayBuffer(4))
      const worker = new Worker(program, { eval: true, workerData: { host, signal } })
      const [port] = (await once(worker, 'message')) as [number]
      const sockets = Array.from({ length: 5 }, () => connect(port, host).on('error', () => {}))
      try {
        await Promise.all(sockets.map((socket) => once(socket, 'connect')))
        const queue = new AcceptQueue()
        await queue.measure([port])
        assert.equal([queue.previousLength, queue.length], [0, 5])
        const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
        // the worker may not wait yet
        Atomics.store(signal, 0, 1)
        Atomics.notify(signal, 0)
        await closed
        await queue.measure([port])
        assert.equal([queue.previousLength, queue.length], [5, 0])
        await queue.measure([])
        assert.equal([queue.previousLength, queue.length], [0, 0])
      } finally {
        sockets.forEach((socket) => socket.destroy())
        await worker.terminate()
      }
    })
})
