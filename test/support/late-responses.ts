/** Operations whose responses arrive after the handler timeout. */
import { pipe } from 'fp-ts/lib/function.js'
import { get, path } from '../../src/index.ts'
import { recorder } from './recorder.ts'

/** Milliseconds that a response may take, and that something takes that is too late. */
export const most = 60
export const log = recorder()

export const never = <A>(): Promise<A> => new Promise<A>(() => undefined)

/** Goes on when a test says so. */
export const gate = { open: (): void => undefined, passed: Promise.resolve() }
const close = (): void => {
  gate.passed = new Promise((resolve) => (gate.open = resolve))
}

export const seen = { filtered: new Array<number>(), ended: new Array<unknown>(), ran: 0, left: 0 }
export const signals: AbortSignal[] = []

export const at = (to: string) => pipe(path(to), get())

export async function* numbers(...waits: ReadonlyArray<Promise<unknown>>) {
  try {
    let n = 0
    for (const one of waits) {
      await one
      yield n++
    }
  } finally {
    seen.left++
  }
}

export const later = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

export const forget = (): void => {
  seen.filtered.length = seen.ended.length = signals.length = log.lines.length = 0
  seen.ran = seen.left = 0
  close()
}
