/** Blocking operations with a timeout of their own, in a module that workers can import. */
import { setTimeout as wait } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import { blocking, get, handle, limits, path, produces, routes, text } from '../../src/index.ts'

/** The timeout of operations in milliseconds. */
export const operationTimeout = 300

const delayed = (target: string, milliseconds: number) =>
  pipe(
    path(target),
    get(),
    produces(text),
    handle(() => wait(milliseconds, target)),
    blocking,
  )

export const api = routes({
  light: pipe(delayed('/light', 0), limits({ timeout: operationTimeout })),
  short: pipe(delayed('/short', 60_000), limits({ timeout: operationTimeout })),
  endless: pipe(delayed('/endless', 3 * operationTimeout), limits({ timeout: 0 })),
  undeclared: delayed('/undeclared', 60_000),
})

export const timedModule = import.meta.url
