/** The end of the grace period under load: clients that reconnect lose no request before connections are refused. */
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { describe } from '../../support/describe.ts'
import { using } from '../../support/program.ts'
import { to } from '../../support/raw.ts'

const rounds = 20
const clients = 40

interface Tally {
  answered: number
  lost: number
  refused: number
}

const request = to('GET /alive')
const whole = /^HTTP\/1\.1 200 [^]*?\r\n\r\nalive$/

/** One connection: a request after the other if it is kept, otherwise one. Resolves when it is closed. */
const useConnection = (url: URL, keeps: boolean, tally: Tally): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(Number(url.port), url.hostname)
    let received = ''
    let isWaiting = false
    const send = (): void => {
      isWaiting = true
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (!whole.test(received)) return
      tally.answered++
      isWaiting = false
      const isLast = received.includes('\r\nConnection: close\r\n')
      received = ''
      if (isLast || !keeps) socket.end()
      else send()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') tally.refused++
    })
    socket.on('close', () => {
      if (isWaiting) tally.lost++
      resolve()
    })
  })

const useUntilRefused = async (url: URL, keeps: boolean, tally: Tally): Promise<void> => {
  while (tally.refused === 0) await useConnection(url, keeps, tally)
}

describe('the end of fw.shutdown.grace under load', (test) => {
  for (let round = 1; round <= rounds; round++) {
    const kind = ['kept connections', 'new connections', 'both kinds'][round % 3] ?? ''
    test(`${round} of ${rounds}, ${kind}: no request is lost`, async () => {
      const tally: Tally = { answered: 0, lost: 0, refused: 0 }
      await using({ options: { 'fw.shutdown.grace': 150 } }, async ({ kill, exit }, url) => {
        const asking = Array.from({ length: clients }, (_, index) =>
          useUntilRefused(new URL(url), round % 3 === 2 ? index % 2 === 0 : round % 3 === 0, tally),
        )
        while (tally.answered < clients * 2) await wait(5)
        const before = tally.answered
        kill('SIGTERM')
        const { by } = await exit
        await Promise.all(asking)
        assert.is(by, 0)
        assert.is(tally.lost, 0)
        assert.ok(tally.answered > before)
      })
    })
  }
})
