/** Helpers of the handler timeout tests: delays, a gate, and records of calls. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, path } from '../../../src/index.ts'
import { createRecorder } from '../../support/recorder.ts'

/** The handler timeout in milliseconds. */
export const timeout = 60
export const log = createRecorder()

export const never = <A>(): Promise<A> => new Promise<A>(() => undefined)

/** A gate that a test opens to let a late handler continue. */
export const gate = { open: (): void => undefined, passed: Promise.resolve() }
const close = (): void => {
  gate.passed = new Promise((resolve) => (gate.open = resolve))
}

/** Statuses seen by response filters and by `onEnd`, and counts of handler runs and of closed sources. */
export const calls = {
  filtered: new Array<number>(),
  ended: new Array<unknown>(),
  ran: 0,
  closed: 0,
}

export const signals: AbortSignal[] = []

export const getAt = (target: string) => pipe(path(target), get())

/** Yields a number after each of the promises. */
export async function* numbers(...waits: ReadonlyArray<Promise<unknown>>) {
  try {
    let n = 0
    for (const wait of waits) {
      await wait
      yield n++
    }
  } finally {
    calls.closed++
  }
}

export const delay = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Clears all records and closes the gate. */
export const reset = (): void => {
  calls.filtered.length = calls.ended.length = signals.length = log.lines.length = 0
  calls.ran = calls.closed = 0
  close()
}
