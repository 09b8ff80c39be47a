/** Combinators that set attributes of operations: access rules, views, execution on workers, and load shedding. */
import type { RejectedArgument } from '../codec/codec.ts'
import type { AttributeStep, ConstantStep, AttributeTarget } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'
import { checkOneOf } from './definition/describe-value.ts'
import { combinatorFactory, isNode } from './internal/combinator.ts'
import type { View } from '../codec/structure/restricted-member.ts'
import { checkView } from '../codec/structure/restricted-member.ts'
import type { AnyRepresentation } from './representation.ts'
import { isRepresentation } from './representation.ts'
import type { AnyFilter } from './filter.ts'
import { withOrder } from './filter-order.ts'
import { isObject } from '../http/platform-value.ts'

/** Allows all requests. This attribute is needed only inside a resource or tree with restricted access. */
export const permitAll: ConstantStep<'permitAll'> = setAttributes({ access: { _tag: 'PermitAll' } })

/**
 * Denies all requests. Anonymous requests result in a 401 response, and other requests in 403. If no authentication filter is in
 * scope, the status is always 403.
 */
export const denyAll: ConstantStep<'denyAll'> = setAttributes({ access: { _tag: 'DenyAll' } })

/**
 * Allows only authenticated requests. Anonymous requests result in a 401 response, with the challenges of the authentication
 * filters in scope.
 */
export const authenticated: ConstantStep<'authenticated'> = setAttributes({
  access: { _tag: 'Authenticated' },
})

/** The type of {@link rolesAllowed}. */
export interface AllowRoles {
  (...roles: readonly [string, ...string[]]): AttributeStep
  // the type of an error
  (
    roles: RejectedArgument<"pass the roles as arguments: rolesAllowed('editor', 'chief')"> &
      string,
  ): AttributeStep
}

/**
 * Allows only requests from principals that have at least one of the roles. Anonymous requests result in a 401 response, and
 * requests from other principals in 403.
 *
 * Without an authentication filter in scope, `rolesAllowed` is a configuration error (`FW-ACCESS-002`). Roles can
 * contain expressions. For example, `${role.chief:editor}` is the value of the `role.chief` property, or `editor` if
 * the property is not set. A value that contains commas is a list of roles. An expression without a value is a
 * configuration error (`FW-ACCESS-001`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { basic, del, get, handle, path, permitAll, rolesAllowed, routes, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = path('/books/1')
 * const anyone = basic({ realm: 'library', verify: ({ user }) => ({ name: user, roles: [user] }) })
 * const api = pipe(
 *   routes({
 *     read: pipe(book, get(), permitAll, handle(() => {})),
 *     remove: pipe(book, del(), rolesAllowed('${role.chief:editor}'), handle(() => {})),
 *   }),
 *   rolesAllowed('reader'),
 *   withFilter(anyone),
 * )
 * const send = inMemory(api)
 * const statusOf = async (method: string, headers = {}) =>
 *   (await send('http://localhost/books/1', { method, headers })).status
 *
 * assert.equal(await statusOf('GET'), 204)
 * assert.equal(await statusOf('DELETE'), 401)
 * assert.equal(await statusOf('DELETE', { Authorization: `Basic ${btoa('reader:')}` }), 403)
 * assert.equal(await statusOf('DELETE', { Authorization: `Basic ${btoa('editor:')}` }), 204)
 * ```
 */
export const rolesAllowed: AllowRoles = combinatorFactory(
  'rolesAllowed',
  (...roles: readonly [string, ...string[]]) =>
    setAttributes({ access: { _tag: 'Roles', roles: Object.freeze(roles) } }),
)

/** A combinator that selects a view for a value. The type of the value stays the same. */
export type ChooseView = <X extends AttributeTarget | AnyRepresentation>(of: X) => X

/**
 * Selects a view (see `view`). Members outside the view are not written.
 *
 * A view on an operation, a resource or a tree applies to all responses, including errors. The innermost view
 * applies. Members without a view are always written.
 *
 * A view on a representation applies only to that representation. It also applies when a body is read: members outside
 * the view are ignored. A required member outside the view is a configuration error (`FW-FIELD-002`).
 *
 * A `writer` whose `of` option is a codec receives complete values and must apply views itself.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { body, handle, inView, json, jsonView, optional, path, post, produces, routes, view } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const Public = view('Public')
 * const Internal = view('Internal', Public)
 * const Book = t.type({ title: t.string, approved: inView(Internal)(optional(t.boolean)) })
 * const propose = pipe(
 *   path('/books'),
 *   post(),
 *   body(jsonView(Public)(json(Book))),
 *   produces(json(Book)),
 *   handle((input) => input.body),
 * )
 * const sent = new Request('http://localhost/books', {
 *   method: 'POST',
 *   headers: { 'Content-Type': 'application/json' },
 *   body: '{"title":"Emma","approved":true}',
 * })
 *
 * assert.equal(await (await inMemory(routes({ propose }))(sent)).text(), '{"title":"Emma"}')
 * ```
 */
export const jsonView: (view: View) => ChooseView = combinatorFactory(
  'jsonView',
  (selected: View): ChooseView => {
    const view = checkView('jsonView', selected)
    return <X extends AttributeTarget | AnyRepresentation>(of: X): X =>
      // changes only members that the type does not describe
      (isRepresentation(of) ? Object.freeze({ ...of, view }) : setAttributes({ view })(of)) as X
  },
)

/**
 * Enables or disables `secureField` restrictions for an operation, a resource or a tree. The innermost value applies.
 * Default: enabled. Expressions in roles are resolved even if the restrictions are disabled.
 */
export const secureSerialization: (secure: boolean) => AttributeStep = combinatorFactory(
  'secureSerialization',
  (secure: boolean) =>
    setAttributes({ secure: checkOneOf('secureSerialization', 'value', [true, false], secure) }),
)

/**
 * Runs the handlers of an operation, a resource or a tree on worker threads. Use it for CPU-intensive handlers.
 *
 * The innermost `blocking` or `nonBlocking` applies. Applying both to the same operation, resource or tree is a
 * configuration error (`FW-ROUTE-005`). Filters, mappers and codecs that apply to the operation also run on the
 * worker, except for pre-matching filters and `nonBlocking` filters.
 *
 * Each worker imports the module that contains the tree, and shares no variables with the main thread. Values provided
 * by `nonBlocking` filters must be structured-cloneable. For a tree with `blocking` operations, `serve` requires the
 * `module` option. With `inMemory`, handlers run on the event loop.
 *
 * | status | cause |
 * |---|---|
 * | 500 | the worker called `process.exit` or exceeded the memory limit `fw.worker.heap` |
 * | 503 | the queue is full (`fw.worker.queue`); the response has a `Retry-After` header |
 * | 504 | the job exceeded `fw.worker.timeout` |
 *
 * A long computation can check `context.request.signal.aborted`, which becomes `true` when the client disconnects.
 *
 * Request bodies that are streams, files or multipart forms are received completely before a worker starts. Up to 64
 * KiB are kept in memory, and a larger body is stored in a temporary file in `fw.http.body.uploads-directory`. A
 * streamed response occupies the worker until the stream ends. The timeout `fw.worker.timeout` applies to each chunk,
 * so an event stream with longer pauses needs heartbeats.
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
export const blocking: ConstantStep<'blocking'> = setAttributes({ execution: 'blocking' })

/**
 * Runs handlers on the event loop, even if they are inside a `blocking` scope.
 *
 * A `nonBlocking` filter runs before all filters that are not `nonBlocking`. It runs on the event loop, even if the
 * operation runs on a worker.
 */
export const nonBlocking = <X extends AttributeTarget | AnyFilter>(target: X): X =>
  isFilter(target)
    ? withOrder(() => ({ nonBlocking: true }))(target)
    : isAttributeTarget(target)
      ? setAttributes({ execution: 'nonBlocking' })(target)
      : target

/** Makes handlers `blocking`, unless `blocking` or `nonBlocking` is applied to the operation or an enclosing scope. */
export const transactional: ConstantStep<'transactional'> = setAttributes({ transactional: true })

const isFilter = <X extends AttributeTarget | AnyFilter>(target: X): target is X & AnyFilter =>
  isObject(target) && !isNode(target)

const isAttributeTarget = <X extends AttributeTarget | AnyFilter>(
  target: X,
): target is X & AttributeTarget => !isFilter(target)

/**
 * Exempts an operation, or all operations in a resource or a tree, from load shedding (`fw.http.overload.enabled`).
 *
 * Use it for health checks and other cheap operations. The endpoints that `health` creates are already exempt.
 *
 * ```ts
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, critical } from 'espalier'
 * import { serve } from 'espalier/node'
 *
 * const metrics = pipe(
 *   path('/metrics'),
 *   get(),
 *   produces(text),
 *   handle(() => 'requests 7'),
 *   critical,
 * )
 * const server = await serve(routes({ metrics }), {
 *   'fw.http.port': 0,
 *   'fw.shutdown.grace': 0,
 *   'fw.http.overload.enabled': true,
 * })
 * await server.close()
 * ```
 */
export const critical: ConstantStep<'critical'> = setAttributes({ critical: true })
