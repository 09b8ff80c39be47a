/** Blocking operations with a time of their own, in a module that workers can import. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import { blocking, get, handle, limits, path, produces, routes, text } from '../../src/index.ts'

/** Milliseconds, where an operation has its own. */
export const own = 300

const waiting = (to: string, milliseconds: number) =>
  pipe(
    path(to),
    get(),
    produces(text),
    handle(() => wait(milliseconds, to)),
    blocking,
  )

export const api = routes({
  light: pipe(waiting('/light', 0), limits({ time: own })),
  short: pipe(waiting('/short', 60_000), limits({ time: own })),
  endless: pipe(waiting('/endless', 3 * own), limits({ time: 0 })),
  unsaid: waiting('/unsaid', 60_000),
})

export const timedModule = import.meta.url
