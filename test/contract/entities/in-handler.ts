/** Runs functions with the context of a handler. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { CommonContext, Routes } from '../../../src/index.ts'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'

/** Runs `use` in a handler of the tree that `wrap` returns, and returns its result. */
export const inHandler = async <A>(
  wrap: (tree: Routes<unknown, {}, unknown>) => Routes<unknown, {}, unknown>,
  use: (context: CommonContext) => A | Promise<A>,
  headers: Record<string, string> = {},
): Promise<A> => {
  const results: Array<A | Promise<A>> = []
  const run = pipe(
    path('/'),
    get(),
    produces(text),
    handle(async (_, context) => {
      results.push(use(context))
      await results[0]
      return 'done'
    }),
  )
  const response = await inMemory(wrap(routes({ run })))('http://localhost/', { headers })
  assert.is(await response.text(), 'done')
  const [result] = results
  if (result === undefined) throw new Error('no result')
  return result
}

/** Returns a tree without changes. */
export const unchanged = <A>(tree: A): A => tree
