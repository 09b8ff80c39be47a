/** Simulated event loops for tests of load shedding. */
import type { OverloadLimits } from '../../../src/node/load-shedding/load-shedding.ts'
import { LoadShedding, checkInterval } from '../../../src/node/load-shedding/load-shedding.ts'
import { createRecorder } from '../../support/recorder.ts'

/**
 * Creates a simulated event loop. The check of load shedding runs every 50 ms while the loop is idle. `processes` is the number of processes
 * that share the core.
 */
export const createLoop = (
  limits: OverloadLimits = { delay: 250, utilization: 98 },
  processes = 1,
) => {
  let now = 0
  let idle = 0
  /** The times at which waiting connections were established. */
  const waiting: number[] = []
  const { logger, lines } = createRecorder()
  const clock = { now: () => now, idle: () => idle, cpu: () => (now - idle) / processes }
  const overload = new LoadShedding(limits, logger, clock, () => waiting.length)
  let next = checkInterval
  /** Ends a turn: the end of the poll phase, then the timer if it is due. */
  const end = (): void => {
    overload.onTurn()
    if (now < next) return
    overload.check()
    next = now + checkInterval
  }
  return {
    lines,
    waiting,
    /** Waits for events. */
    rest: (milliseconds: number): void => {
      const wake = now + milliseconds
      while (now < wake) {
        const step = Math.min(wake, next) - now
        now += step
        idle += step
        end()
      }
    },
    /** Handles `count` requests in one turn. An accepted one takes `milliseconds`. Returns the number of rejected requests. */
    turn: (count: number, milliseconds: number): number => {
      let rejected = 0
      for (let index = 0; index < count; index++)
        if (overload.isOverloaded()) rejected++
        else now += milliseconds * processes
      end()
      return rejected
    },
    /** Accepts a connection. */
    connect: (): void => overload.onConnection(),
    /** Suspends the process, as a debugger does. */
    suspend: (milliseconds: number): void => {
      now += milliseconds
    },
    now: (): number => now,
  }
}

export type Loop = ReturnType<typeof createLoop>

/** Sends requests at a fixed rate on open connections. Returns the numbers of accepted and rejected requests and the longest turn. */
export const sendRequests = (
  { turn, rest, now }: Loop,
  perSecond: number,
  milliseconds: number,
  seconds: number,
) => {
  const [begin, end] = [now(), now() + seconds * 1000]
  let [arrived, accepted, rejected, longest] = [0, 0, 0, 0]
  while (now() < end) {
    const count = Math.floor(((now() - begin) * perSecond) / 1000) - arrived
    if (count === 0) rest(1)
    const from = now()
    const rejectedInTurn = turn(count, milliseconds)
    longest = Math.max(longest, now() - from)
    arrived += count
    rejected += rejectedInTurn
    accepted += count - rejectedInTurn
  }
  return { accepted, rejected, longest }
}

/** The default backlog of Node.js. */
const backlog = 511

/** Sends requests at a fixed rate on separate connections. One is accepted per turn. Returns the wait of each request. */
export const sendOnNewConnections = (
  { turn, rest, connect, now, suspend, waiting }: Loop,
  perSecond: number,
  milliseconds: number,
  seconds: number,
) => {
  const [begin, end] = [now(), now() + seconds * 1000]
  const [accepted, rejected]: [number[], number[]] = [[], []]
  let [arrived, read] = [0, NaN]
  while (now() < end) {
    for (; arrived < ((now() - begin) * perSecond) / 1000; arrived++)
      if (waiting.length < backlog) waiting.push(begin + (arrived * 1000) / perSecond)
    const since = read
    read = waiting.shift() ?? NaN
    if (!Number.isNaN(read)) connect()
    if (Number.isNaN(since) && Number.isNaN(read)) {
      rest(1)
      continue
    }
    // the duration of an empty turn or a rejection
    suspend(0.3)
    const isRejected = turn(Number.isNaN(since) ? 0 : 1, milliseconds) > 0
    if (!Number.isNaN(since)) (isRejected ? rejected : accepted).push(now() - since)
  }
  return { accepted, rejected }
}

export const percentile = (values: ReadonlyArray<number>, percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? NaN
