/** A route tree in which each operation returns the thread that it runs on. */
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

/** Returns `loop` on the main thread and `worker` on a worker. */
export const currentThread = (): string => (isMainThread ? 'loop' : 'worker')

export const executions = routes({
  undeclared: pipe(path('/undeclared'), get(), produces(text), handle(currentThread)),
  operation: pipe(path('/operation'), get(), produces(text), handle(currentThread), blocking),
  resource: pipe(path('/resource'), blocking, get(), produces(text), handle(currentThread)),
  overridden: pipe(
    path('/overridden'),
    blocking,
    get(),
    produces(text),
    nonBlocking,
    handle(currentThread),
  ),
  transaction: pipe(
    path('/transaction'),
    get(),
    produces(text),
    handle(currentThread),
    transactional,
  ),
  light: pipe(
    path('/light-transaction'),
    get(),
    produces(text),
    handle(currentThread),
    transactional,
    nonBlocking,
  ),
  tree: pipe(
    routes({
      below: pipe(path('/below'), get(), produces(text), handle(currentThread)),
      but: pipe(path('/but'), get(), produces(text), handle(currentThread), nonBlocking),
      transaction: pipe(
        path('/transaction-below'),
        get(),
        produces(text),
        handle(currentThread),
        transactional,
      ),
      inner: pipe(
        routes({
          light: pipe(path('/inner-light'), get(), produces(text), handle(currentThread)),
          transaction: pipe(
            path('/inner-transaction'),
            get(),
            produces(text),
            handle(currentThread),
            transactional,
          ),
          heavy: pipe(path('/heavy'), get(), produces(text), handle(currentThread), blocking),
        }),
        nonBlocking,
      ),
    }),
    blocking,
  ),
})
