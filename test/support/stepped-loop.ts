/** Event loops whose time passes as a test says, for load shedding. */
import type { OverloadLimits } from '../../src/node/load-shedding/load-shedding.ts'
import { LoadShedding, checkInterval } from '../../src/node/load-shedding/load-shedding.ts'
import { recorder } from './recorder.ts'

/** An event loop whose time passes as a test says, with a look every 50 ms while it is idle. */
export const loop = (limits: OverloadLimits = { delay: 250, utilization: 98 }) => {
  let now = 0
  let idle = 0
  /** When the connections were established that are not accepted yet. */
  const waiting: number[] = []
  const { logger, lines } = recorder()
  const clock = { now: () => now, idle: () => idle }
  const overload = new LoadShedding(limits, logger, clock, () => waiting.length)
  let next = checkInterval
  /** What a turn ends with: the end of the poll for events, then the timer if it is due. */
  const end = (): void => {
    overload.turned()
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
    /** Handles requests in one turn, each of which takes so many milliseconds if it is accepted; returns the number of rejected ones. */
    turn: (count: number, milliseconds: number): number => {
      let rejected = 0
      for (let index = 0; index < count; index++)
        if (overload.isOverloaded()) rejected++
        else now += milliseconds
      end()
      return rejected
    },
    /** Accepts a connection. */
    connect: (): void => overload.connected(),
    /** The process does not run, for example because of a debugger. */
    suspend: (milliseconds: number): void => {
      now += milliseconds
    },
    now: (): number => now,
  }
}

export type Loop = ReturnType<typeof loop>

/** Requests that arrive at a fixed rate, each handled in a turn after it has arrived; returns what was accepted and rejected. */
export const arrive = (
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
    const shed = turn(count, milliseconds)
    longest = Math.max(longest, now() - from)
    arrived += count
    rejected += shed
    accepted += count - shed
  }
  return { accepted, rejected, longest }
}

/** The default backlog of Node. */
const backlog = 511

/** Requests that arrive at a fixed rate, each on a connection of its own, of which one is accepted per turn; returns how long they have waited. */
export const arriveAnew = (
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
    // what a turn costs, and a rejection
    suspend(0.3)
    const isRejected = turn(Number.isNaN(since) ? 0 : 1, milliseconds) > 0
    if (!Number.isNaN(since)) (isRejected ? rejected : accepted).push(now() - since)
  }
  return { accepted, rejected }
}

export const percentile = (values: ReadonlyArray<number>, percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? NaN
