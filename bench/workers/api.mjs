/**
 * What the programs of this folder serve: a light operation, one that computes, on a worker and in place, and one that kills
 * its worker in five ways.
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

const say = query({ as: optional(string) })

const light = pipe(
  path('/light'),
  get(),
  say,
  produces(text),
  handle(({ query: { as } }) => as ?? 'light'),
)

/** @type {(template: '/heavy/{ms}' | '/in-place/{ms}') => any} */
const heavy = (template) =>
  pipe(
    path(template, { ms: int }),
    get(),
    say,
    produces(text),
    handle(({ path: { ms }, query: { as } }) => {
      compute(ms)
      return as ?? 'heavy'
    }),
  )

/** @type {Readonly<Record<string, () => unknown>>} */
const deaths = {
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
    await deaths[how]?.()
    return 'survived'
  }),
  blocking,
)

export const kinds = Object.keys(deaths)
export const api = routes({
  light,
  heavy: pipe(heavy('/heavy/{ms}'), blocking),
  inPlace: heavy('/in-place/{ms}'),
  kill,
})
