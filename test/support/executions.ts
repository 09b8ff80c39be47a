/** A tree of which each operation says where it runs. */
import { isMainThread } from 'node:worker_threads'
import { pipe } from 'fp-ts/lib/function.js'
import {
  blocking,
  get,
  handle,
  nonBlocking,
  path,
  produces,
  routes,
  text,
  transactional,
} from '../../src/index.ts'

/** Where this runs. */
export const here = (): string => (isMainThread ? 'loop' : 'worker')

export const executions = routes({
  unsaid: pipe(path('/unsaid'), get(), produces(text), handle(here)),
  operation: pipe(path('/operation'), get(), produces(text), handle(here), blocking),
  resource: pipe(path('/resource'), blocking, get(), produces(text), handle(here)),
  overridden: pipe(path('/overridden'), blocking, get(), produces(text), nonBlocking, handle(here)),
  transaction: pipe(path('/transaction'), get(), produces(text), handle(here), transactional),
  light: pipe(
    path('/light-transaction'),
    get(),
    produces(text),
    handle(here),
    transactional,
    nonBlocking,
  ),
  tree: pipe(
    routes({
      below: pipe(path('/below'), get(), produces(text), handle(here)),
      but: pipe(path('/but'), get(), produces(text), handle(here), nonBlocking),
      transaction: pipe(
        path('/transaction-below'),
        get(),
        produces(text),
        handle(here),
        transactional,
      ),
      inner: pipe(
        routes({
          light: pipe(path('/inner-light'), get(), produces(text), handle(here)),
          transaction: pipe(
            path('/inner-transaction'),
            get(),
            produces(text),
            handle(here),
            transactional,
          ),
          heavy: pipe(path('/heavy'), get(), produces(text), handle(here), blocking),
        }),
        nonBlocking,
      ),
    }),
    blocking,
  ),
})
