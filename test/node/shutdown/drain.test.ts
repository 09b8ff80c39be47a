/** Shutdown under load or after a repeated signal: no request is lost. */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { describe, repetitions } from '../../support/describe.ts'
import { withProgram } from './program.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'
import { retryWhenDelayed } from '../../support/retry-timing.ts'

const rounds = repetitions(1, 12)
const clientCount = 100
/** Number of responses before the shutdown starts. */
const minResponses = 800

/** Counts of all clients. */
interface Tally {
  responses: number
  lost: number
  /** Number of responses with `Connection: close`. */
  lastResponses: number
  /** Milliseconds from the last response to the end of the process. */
  exitTime: number
}

const aliveRequest = rawRequest('GET /alive')
const completeResponse = /^HTTP\/1\.1 200 [^]*?\r\n\r\nalive$/

/** Sends requests until a response has `Connection: close`. A request is lost if the connection closes without one. */
const sendUntilLast = (socket: Socket, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    let received = ''
    let isLast = false
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!completeResponse.test(received)) return
      tally.responses++
      isLast = received.includes('\r\nConnection: close\r\n')
      received = ''
      if (isLast) tally.lastResponses++
      else socket.write(aliveRequest)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!isLast) tally.lost++
      resolve()
    })
    socket.write(aliveRequest)
  })

/** Milliseconds that a program would wait for connections that stay open. */
const grace = 20_000

const runRound = async (signal: NodeJS.Signals): Promise<Tally> => {
  const tally: Tally = { responses: 0, lost: 0, lastResponses: 0, exitTime: 0 }
  await withProgram({ options: { 'fw.shutdown.grace': grace } }, async ({ kill, exit }, url) => {
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: clientCount }, () => connect(Number(port), hostname))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const sending = sockets.map((socket) => sendUntilLast(socket, tally))
    while (tally.responses < minResponses) await new Promise(setImmediate)
    kill(signal)
    await Promise.all(sending)
    const lastResponse = performance.now()
    const { code, time } = await exit
    assert.is(code, 0)
    tally.exitTime = time - lastResponse
  })
  return tally
}

describe('shutdown under load', (test) => {
  let responses = 0
  const exitTimes: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const signal = number % 2 === 0 ? 'SIGINT' : 'SIGTERM'
    test(`round ${number} of ${rounds}: ${signal} loses no request on ${clientCount} connections`, async () => {
      const tally = await runRound(signal)
      assert.equal([tally.lost, tally.lastResponses], [0, clientCount])
      responses += tally.responses
      exitTimes.push(tally.exitTime)
    })
  }
  test('the median program exits after the last response, not after the grace period', () => {
    const median = exitTimes.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Infinity
    assert.ok(median < grace / 2, `${median} ms`)
  })
  test('the load was sufficient', () => assert.ok(responses >= rounds * minResponses))
})

describe('a repeated signal', (test) => {
  test('is ignored if it arrives within 100 ms of the first', () =>
    // a delayed second signal ends the process
    retryWhenDelayed(50, () =>
      withProgram({}, async ({ waitForOutput, kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(rawRequest('GET /slow/200'))
        await waitForOutput('slow')
        kill('SIGINT')
        // signals that are pending at the same time arrive once
        await wait(10)
        kill('SIGINT')
        assertResponse(await connection.next(), [200, 'slow'])
        assert.is((await exit).code, 0)
      }),
    ))
})
