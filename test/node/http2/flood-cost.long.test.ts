/** The cost of floods: how long the attacking connections are open, and what other connections and the memory lose. */
import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { ClientHttp2Session } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import * as assert from 'uvu/assert'
import type { FloodReport } from '../../programs/flooding-client.ts'
import { describe, table } from '../../support/describe.ts'
import { exchange, openSession } from './client.ts'

const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../programs/${name}.js`, import.meta.url))

/** Length of one measurement, in milliseconds. */
const duration = 1500
const rounds = 3

const flood = async (kind: string, target: string): Promise<FloodReport> => {
  const child = fork(pathOf('flooding-client'), [kind, target, String(duration)])
  const [report] = (await once(child, 'message')) as [FloodReport]
  return report
}

/** Sends requests on several connections while a promise is pending. Returns the number of responses per second. */
const goodputDuring = async <A>(
  sessions: ReadonlyArray<ClientHttp2Session>,
  pending: Promise<A>,
): Promise<readonly [number, A]> => {
  const state = { isPending: true }
  let responses = 0
  const started = performance.now()
  const loop = async (session: ClientHttp2Session): Promise<void> => {
    while (state.isPending) {
      const { status } = await exchange(session, { ':path': '/hello' })
      assert.is(status, 200)
      responses++
    }
  }
  const loops = sessions.flatMap((session) => Array.from({ length: 8 }, () => loop(session)))
  const result = await pending
  state.isPending = false
  const rate = (1000 * responses) / (performance.now() - started)
  await Promise.all(loops)
  return [rate, result]
}

const memoryOf = async (server: ChildProcess): Promise<number> => {
  server.send('memory')
  const [bytes] = (await once(server, 'message')) as [number]
  return bytes
}

describe('cost of HTTP/2 floods', (test) => {
  table(test, [['reset'], ['settings'], ['ping']] as const, async (kind) => {
    const server = fork(pathOf('flooded-api'), { execArgv: ['--expose-gc'] })
    try {
      const [url] = (await once(server, 'message')) as [string]
      const sessions = await Promise.all(Array.from({ length: 4 }, () => openSession(url)))
      /** Returns the memory in the middle of a measurement. */
      const midway = async (): Promise<number> => {
        await wait(duration / 2)
        return memoryOf(server)
      }
      // warms up both processes, whose memory also grows without a flood
      let memoryBefore = 0
      for (let round = 0; round < rounds; round++) {
        const [, [, memory]] = await goodputDuring(
          sessions,
          Promise.all([flood('burn', '10'), midway()]),
        )
        memoryBefore = Math.max(memoryBefore, memory)
      }
      const [openTimes, goodput]: [number[], number[]] = [[], []]
      let peak = 0
      for (let round = 0; round < rounds; round++) {
        const [rate, [report, memory]] = await goodputDuring(
          sessions,
          Promise.all([flood(kind, url), midway()]),
        )
        openTimes.push(...report.openTimes)
        peak = Math.max(peak, memory)
        const percentage = Math.round((100 * report.cpuTime) / duration)
        const [other] = await goodputDuring(
          sessions,
          Promise.all([flood('burn', String(percentage)), midway()]),
        )
        goodput.push(Math.round((100 * rate) / other))
      }
      for (const session of sessions) session.destroy()
      const figures = {
        connections: openTimes.length,
        medianOpen: Math.round(openTimes.toSorted((a, b) => a - b)[openTimes.length >> 1] ?? 0),
        longestOpen: Math.round(Math.max(...openTimes)),
        goodput,
        megabytes: Math.round((peak - memoryBefore) / 1e6),
      }
      console.log(`${kind}: ${JSON.stringify(figures)}`)
      assert.ok(figures.connections >= rounds, 'no connection was closed')
      // other processes can disturb a round
      assert.ok(figures.medianOpen < 1000, `open for ${figures.medianOpen} ms`)
      assert.ok(Math.max(...goodput) >= 80, `goodput of ${goodput.join(' %, ')} %`)
      assert.ok(figures.megabytes < 50, `${figures.megabytes} MB`)
    } finally {
      server.kill()
    }
  })
})
