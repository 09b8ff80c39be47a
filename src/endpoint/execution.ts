/** Execution of operations: on the event loop or on workers, and under load. */
import type { AnyFilter } from './filter.ts'
import type { AttributeStep, AttributeTarget } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'
import { withOrder } from './filter-order.ts'

/**
 * Runs the handlers of an operation, a resource or a tree on worker threads, for CPU-intensive work.
 *
 * The innermost `blocking` or `nonBlocking` applies; both on the same operation, resource or tree are a configuration
 * error (`FW-ROUTE-005`). Filters, mappers and codecs of the operation run on the worker too, except pre-matching
 * filters and `nonBlocking` ones. A worker imports the module of the tree itself and shares no variables with the
 * event loop. Values of `nonBlocking` filters must be structured-cloneable. `serve` needs the option `module`; in
 * memory, handlers run on the event loop.
 *
 * | status | cause |
 * |---|---|
 * | 500 | the worker terminated (`process.exit`, `fw.worker.heap`) |
 * | 503 | the queue is full (`fw.worker.queue`); sent with `Retry-After` |
 * | 504 | the job exceeded `fw.worker.timeout` |
 *
 * In a long computation, check `context.request.signal.aborted`, which is true once the client has disconnected.
 *
 * Streams, files and multipart forms are received completely before a worker starts: up to 64 KiB in memory, larger
 * ones in a temporary file in `fw.http.body.uploads-directory`. A streamed response occupies its worker until it ends,
 * with `fw.worker.timeout` for each chunk. An event stream that is silent for longer needs heartbeats.
 *
 * @see https://developer.mozilla.org/docs/Web/API/Web_Workers_API/Structured_clone_algorithm
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
 * Runs handlers on the event loop, inside a scope that is `blocking`.
 *
 * Applied to a filter, it runs the filter before all filters without it, and on the event loop even if the operation
 * runs on a worker.
 */
export const nonBlocking = <X extends AttributeTarget | AnyFilter>(marked: X): X =>
  isMarkable(marked)
    ? setAttributes({ execution: 'nonBlocking' })(marked)
    : isFilter(marked)
      ? withOrder(() => ({ nonBlocking: true }))(marked)
      : marked

/** Makes handlers `blocking`, unless the operation or a scope has `blocking` or `nonBlocking`. */
export const transactional: AttributeStep = setAttributes({ transactional: true })

const isMarkable = <X extends AttributeTarget | AnyFilter>(
  marked: X,
): marked is X & AttributeTarget => marked._tag === 'Endpoint' || marked._tag === 'Routes'

const isFilter = <X extends AttributeTarget | AnyFilter>(marked: X): marked is X & AnyFilter =>
  !isMarkable(marked)

/**
 * Exempts an operation, or all operations of a resource or a tree, from load shedding (`fw.http.overload.enabled`).
 *
 * Use it for health checks and other cheap operations. The endpoints of `health` have it.
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
