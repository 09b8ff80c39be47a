/**
 * The operations of the worker benchmarks: a light one, a CPU-bound one on a worker and on the main thread, and one that
 * terminates its worker in five ways.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pipe } from '../../node_modules/fp-ts/lib/function.js'

/** @type {typeof import('../../dist/src/index.js')} */
const { blocking, get, handle, int, optional, path, produces, query, routes, string, text } =
  await import(new URL('../../dist/src/index.js', import.meta.url).href)

/** @type {(milliseconds: number) => void} */
const compute = (milliseconds) => {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const echo = query({ as: optional(string) })

const light = pipe(
  path('/light'),
  get(),
  echo,
  produces(text),
  handle(({ query: { as } }) => as ?? 'light'),
)

/** @type {(template: '/heavy/{ms}' | '/in-place/{ms}') => any} */
const heavy = (template) =>
  pipe(
    path(template, { ms: int }),
    get(),
    echo,
    produces(text),
    handle(({ path: { ms }, query: { as } }) => {
      compute(ms)
      return as ?? 'heavy'
    }),
  )

/** @type {Readonly<Record<string, () => unknown>>} */
const terminations = {
  exit: () => process.exit(1),
  uncaught: () => {
    setImmediate(() => {
      throw new Error('uncaught')
    })
    return sleep(60_000)
  },
  unhandled: () => {
    void Promise.reject(new Error('unhandled'))
    return sleep(60_000)
  },
  memory: () => {
    const all = []
    for (;;) all.push(new Array(1e6).fill(1.5))
  },
  loop: () => {
    for (;;);
  },
}

const kill = pipe(
  path('/kill/{how}'),
  get(),
  produces(text),
  handle(async ({ path: { how } }) => {
    await terminations[how]?.()
    return 'survived'
  }),
  blocking,
)

export const kinds = Object.keys(terminations)
export const api = routes({
  light,
  heavy: pipe(heavy('/heavy/{ms}'), blocking),
  inPlace: heavy('/in-place/{ms}'),
  kill,
})
