/** Where handlers run: on the event loop, unless they are said to block it. */
import type { AnyFilter } from './filter.ts'
import type { AttributeStep, AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { withOrder } from './filter-order.ts'

/**
 * Runs the handlers of an operation, resource or tree on a worker, a thread of its own: for work that would hold the event
 * loop for long. The nearest of `blocking` and `nonBlocking` wins; both said of one operation, resource or tree fail the start.
 *
 * Filters, mappers and codecs of the operation run on the worker too, except filters before matching and those that are
 * `nonBlocking`. A worker imports the module of the tree for itself: it shares no variables with the event loop, and what
 * early filters give has to be plain data (https://html.spec.whatwg.org/multipage/structured-data.html). `serve` has to be
 * told of the module; in memory, handlers run in place.
 *
 * Answered by the engine: 503 with `Retry-After` when the queue is full (`fw.worker.queue`), 504 when the work takes longer
 * than `fw.worker.timeout`, 500 when the worker dies of it (`process.exit`, `fw.worker.heap`). A handler that computes for
 * long may look at `context.request.signal.aborted` now and then: it is true as soon as the client has gone.
 *
 * Content that is taken in pieces (streams, files, multipart forms) is there as a whole before a worker begins: up to 64 KiB in
 * memory, above that in a file in `fw.http.body.uploads-directory`, which goes with the request. A stream has its worker to
 * itself until its end, and `fw.worker.timeout` for each piece: an event stream that is quiet for longer needs heartbeats.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { atMost, blocking, get, handle, int, path, produces, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const fibonacci = (n: number): number => (n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2))
 * const compute = pipe(
 *   path('/fibonacci/{n}', { n: atMost(40)(int) }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { n } }) => String(fibonacci(n))),
 *   blocking,
 * )
 * // with sockets: serve(api, { module: import.meta.url, export: 'api' })
 * const send = inMemory(routes({ compute }))
 *
 * assert.equal(await (await send('http://localhost/fibonacci/20')).text(), '6765')
 * ```
 */
export const blocking: AttributeStep = setAttributes({ execution: 'blocking' })

/**
 * Runs handlers on the event loop, where something around them says `blocking`. Said of a filter: it runs before all filters
 * of which this was not said, and on the event loop although the operation runs on a worker.
 */
export const nonBlocking = <X extends AttributeTarget | AnyFilter>(marked: X): X =>
  isMarkable(marked)
    ? setAttributes({ execution: 'nonBlocking' })(marked)
    : isFilter(marked)
      ? withOrder(() => ({ nonBlocking: true }))(marked)
      : marked

/** Counts as `blocking`, unless `blocking` or `nonBlocking` is said on the operation or around it. */
export const transactional: AttributeStep = setAttributes({ transactional: true })

const isMarkable = <X extends AttributeTarget | AnyFilter>(
  marked: X,
): marked is X & AttributeTarget => marked._tag === 'Endpoint' || marked._tag === 'Routes'

const isFilter = <X extends AttributeTarget | AnyFilter>(marked: X): marked is X & AnyFilter =>
  !isMarkable(marked)

/**
 * Answers an operation, or all of a resource or tree, also while the server refuses requests because it has more to do than it
 * can (`fw.http.overload.enabled`): for what a supervisor asks, and for what is cheap. The endpoints of `health` are vital.
 *
 * ```ts
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, vital } from 'espalier'
 * import { serve } from 'espalier/node'
 *
 * const metrics = pipe(
 *   path('/metrics'),
 *   get(),
 *   produces(text),
 *   handle(() => 'requests 7'),
 *   vital,
 * )
 * const server = await serve(routes({ metrics }), {
 *   'fw.http.port': 0,
 *   'fw.shutdown.grace': 0,
 *   'fw.http.overload.enabled': true,
 * })
 * await server.close()
 * ```
 */
export const vital: AttributeStep = setAttributes({ critical: true })
