/** Shutdown under load: clients with keep-alive connections lose no request. */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { once } from 'node:events'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { using } from '../../support/program.ts'
import { to } from '../../support/raw.ts'

const rounds = 12
const clients = 100
/** Requests that are answered before a stop begins. */
const before = 800

/** What happened to the requests of all clients. */
interface Tally {
  answered: number
  lost: number
  /** Answers that said that they were the last on their connection. */
  last: number
  /** Milliseconds from the last answer to the end of the process. */
  ending: number
}

const request = to('GET /alive')
const whole = /^HTTP\/1\.1 200 [^]*?\r\n\r\nalive$/

/** Asks again and again, until an answer says that it is the last; a connection that ends without one has lost a request. */
const askUntilTold = (socket: Socket, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    let received = ''
    let told = false
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!whole.test(received)) return
      tally.answered++
      told = received.includes('\r\nConnection: close\r\n')
      received = ''
      if (told) tally.last++
      else socket.write(request)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      if (!told) tally.lost++
      resolve()
    })
    socket.write(request)
  })

const round = async (signal: NodeJS.Signals): Promise<Tally> => {
  const tally: Tally = { answered: 0, lost: 0, last: 0, ending: 0 }
  await using({ options: { 'fw.shutdown.grace': 5000 } }, async ({ kill, exit }, url) => {
    const { hostname, port } = new URL(url)
    const sockets = Array.from({ length: clients }, () => connect(Number(port), hostname))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const asking = sockets.map((socket) => askUntilTold(socket, tally))
    while (tally.answered < before) await new Promise(setImmediate)
    kill(signal)
    await Promise.all(asking)
    const answered = performance.now()
    const { by, at } = await exit
    assert.is(by, 0)
    tally.ending = at - answered
  })
  return tally
}

describe('shutdown under load', (test) => {
  let answered = 0
  const endings: number[] = []
  for (let number = 1; number <= rounds; number++) {
    const signal = number % 2 === 0 ? 'SIGINT' : 'SIGTERM'
    test(`${number} of ${rounds}, by ${signal}: no request is lost on ${clients} connections`, async () => {
      const tally = await round(signal)
      assert.equal([tally.lost, tally.last], [0, clients])
      answered += tally.answered
      endings.push(tally.ending)
    })
  }
  test('half of them end within a second of the last response', () => {
    const median = endings.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Infinity
    assert.ok(median < 1000, `${median} ms`)
  })
  test('enough requests were sent', () => assert.ok(answered >= rounds * before))
})
