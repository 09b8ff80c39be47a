/** The end of the grace period under load: no request is lost until connections fail with ECONNREFUSED. */
import { connect } from 'node:net'
import * as assert from 'uvu/assert'
import { describe, repetitions } from '../../support/describe.ts'
import { withProgram } from './program.ts'
import { rawRequest } from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

const rounds = repetitions(2, 20)
const clients = 40

interface Tally {
  responses: number
  lost: number
  connectionErrors: number
}

const aliveRequest = rawRequest('GET /alive')
const completeResponse = /^HTTP\/1\.1 200 [^]*?\r\n\r\nalive$/

/** Sends requests on one connection: one, or several in sequence if `keeps` is true. Resolves when the connection is closed. */
const useConnection = (url: URL, keeps: boolean, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname)
    let received = ''
    let isWaiting = false
    const send = (): void => {
      isWaiting = true
      socket.write(aliveRequest)
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!completeResponse.test(received)) return
      tally.responses++
      isWaiting = false
      const isLast = received.includes('\r\nConnection: close\r\n')
      received = ''
      if (isLast || !keeps) socket.end()
      else send()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') tally.connectionErrors++
    })
    socket.on('close', () => {
      if (isWaiting) tally.lost++
      resolve()
    })
  })

const connectUntilError = async (url: URL, keeps: boolean, tally: Tally): Promise<void> => {
  while (tally.connectionErrors === 0) await useConnection(url, keeps, tally)
}

describe('the end of fw.shutdown.grace under load', (test) => {
  for (let round = 1; round <= rounds; round++) {
    const kind =
      ['persistent connections', 'new connections', 'persistent and new connections'][round % 3] ??
      ''
    test(`round ${round} of ${rounds}: no request is lost on ${kind}`, async () => {
      const tally: Tally = { responses: 0, lost: 0, connectionErrors: 0 }
      await withProgram({ options: { 'fw.shutdown.grace': 150 } }, async ({ kill, exit }, url) => {
        const sending = Array.from({ length: clients }, (_, index) =>
          connectUntilError(
            new URL(url),
            round % 3 === 2 ? index % 2 === 0 : round % 3 === 0,
            tally,
          ),
        )
        await waitUntil(() => tally.responses >= clients * 2)
        const before = tally.responses
        kill('SIGTERM')
        const { code } = await exit
        await Promise.all(sending)
        assert.is(code, 0)
        assert.is(tally.lost, 0)
        assert.ok(tally.responses > before)
      })
    })
  }
})
