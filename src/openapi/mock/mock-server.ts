/** Creates mock servers: route trees that respond with generated values. */
import type { Codec, RejectedTree } from '../../codec/codec.ts'
import { authenticateAs, authentication } from '../../endpoint/authentication.ts'
import type { Principal } from '../../endpoint/context.ts'
import type { AnyFilter } from '../../endpoint/filter.ts'
import { checkOptions, checkTree } from '../../endpoint/internal/combinator.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { ConfigurationError } from '../../endpoint/definition/configuration-error.ts'
import { join } from '../../endpoint/definition/path-template.ts'
import type { TreeScope } from '../../endpoint/tree/tree-scope.ts'
import { nestedScope, rootScope } from '../../endpoint/tree/tree-scope.ts'
import type { AnyNode, Routes, Wrapper } from '../../endpoint/routes.ts'
import { makeRoutes } from '../../endpoint/routes.ts'
import { withFilter } from '../../endpoint/with-filter.ts'
import type { GenerateValue } from './codec-values.ts'
import { valuesOf } from './codec-values.ts'
import type { Mocking } from './mock-endpoint.ts'
import { mockEndpoint } from './mock-endpoint.ts'
import type { ReadOperation } from './mock-location.ts'
import { random } from './random.ts'

/** Options for {@link mockServer}. */
export interface MockServerOptions {
  /** The seed of the generated values. Default: `0`. */
  readonly seed?: string | number
  /** The caller of all requests. Credentials are not checked. Default: the authentication filters of the tree apply. */
  readonly principal?: Principal
  /** Whether existing handlers are kept, so that only operations without a handler are mocked. Default: `false`. */
  readonly keepHandlers?: boolean
  /**
   * Milliseconds between two events of an event stream, which then continues until the client disconnects. Default: `0`, which ends
   * the stream after three events.
   */
  readonly eventInterval?: number
}

/**
 * Creates a mock server from a route tree or a contract: a tree whose operations respond with values that are generated from their
 * codecs. Front ends can be developed against it before the handlers exist. The result is a tree, so
 * `serve(mockServer(contract))` and `inMemory(mockServer(contract))` work.
 *
 * The values depend only on the seed, the operation and the request, and not on the order of requests. Members with the name of a
 * path variable or of a member of the request body have the value of the request, if their codec accepts it. Examples that are
 * declared with `example` take precedence over generated values. Parameters and bodies are decoded, so invalid requests are
 * rejected.
 *
 * A request selects another response with the `Prefer` header (RFC 7240): `code=404` for a status that the operation, a filter or a
 * mapper declares, `example=name` for a declared example, and `dynamic=true` for generated values instead of examples. An undeclared
 * code above 399 results in a problem document.
 *
 * Filters, mappers and conditions of the tree are kept, and handlers and the slots that they need are not required. Access rules
 * apply to operations that an authentication filter of the tree covers. With the option `principal`, all requests are
 * authenticated.
 *
 * Throws a `ConfigurationError` (`FW-MOCK-001`) if no value can be generated for a codec.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, int, json, path, produces, routes, string } from 'espalier'
 * import { mockServer } from 'espalier/openapi'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ id: int, title: string })
 * const getBook = pipe(path('/books/{id}', { id: int }), get(), produces(json(Book)))
 * const send = inMemory(mockServer(routes({ getBook }), { seed: 7 }))
 * const bookAt = async (url: string) => (await send(url)).json()
 * const book = await bookAt('http://localhost/books/1')
 *
 * assert.ok(Book.is(book) && book.id === 1)
 * assert.deepEqual(await bookAt('http://localhost/books/1'), book)
 * assert.equal((await send('http://localhost/books/one')).status, 404)
 * ```
 */
export const mockServer = <T, R, E>(
  api: Routes<T, R, E> | RejectedTree<'mock a tree of endpoints: routes({ … })'>,
  options: MockServerOptions = {},
): Routes<T, {}, E> => {
  checkTree('mockServer', api)
  const known = ['seed', 'principal', 'keepHandlers', 'eventInterval'] as const
  const {
    seed = 0,
    principal,
    keepHandlers,
    eventInterval,
  } = checkOptions<MockServerOptions>('mockServer', known, options)
  const issues: ConfigurationIssue[] = []
  const mocking: Mocking = {
    random: random(seed),
    valuesOf: memoizedValues(),
    reads: readOperations(api, rootScope('')),
    principal,
    keepHandlers: keepHandlers ?? false,
    eventInterval: eventInterval ?? 0,
    report: (issue) => void issues.push(issue),
  }
  const { children, wrappers } = mockRoutes(api, rootScope(''), mocking)
  if (issues.length > 0) throw new ConfigurationError(issues)
  const mocked = makeRoutes<T, {}, E>(children, wrappers)
  if (principal === undefined) return mocked
  const filter = authentication({ challenge: 'Bearer' }, () => authenticateAs(principal))
  const authenticated = withFilter(filter)(mocked)
  // the filter adds no replies and needs no slots, so the type parameters are those of `mocked`
  return makeRoutes<T, {}, E>(authenticated.children, authenticated.wrappers)
}

type TreeNode = Extract<AnyNode, { readonly _tag: 'Routes' }>

/** Returns a function that creates the generator of each codec once. */
const memoizedValues = (): Mocking['valuesOf'] => {
  const generators = new Map<Codec, GenerateValue>()
  return (codec) => {
    const generate = generators.get(codec) ?? valuesOf(codec)
    generators.set(codec, generate)
    return generate
  }
}

const readOperations = (node: AnyNode, scope: TreeScope): ReadonlyArray<ReadOperation> => {
  if (node._tag === 'Routes') {
    const inner = nestedScope(scope, node.wrappers)
    return [...node.children.values()].flatMap((child) => readOperations(child, inner))
  }
  const { definition } = node
  return definition.method === 'GET'
    ? [{ template: join(scope.path, definition.template), definition }]
    : []
}

/** Whether a tree serves the OpenAPI document and its page. Their handlers depend on the compiled tree, and are kept. */
const servesDocument = ({ children }: TreeNode): boolean =>
  [...children.values()].some(
    (child) => child._tag === 'Endpoint' && child.definition.treeHandler !== undefined,
  )

const mockRoutes = (
  node: TreeNode,
  scope: TreeScope,
  mocking: Mocking,
): Pick<TreeNode, 'children' | 'wrappers'> => {
  if (servesDocument(node)) return node
  const { children, wrappers } = node
  const inner = nestedScope(scope, wrappers)
  const { principal } = mocking
  return {
    children: new Map(
      Array.from(children, ([key, child]) => {
        const nested = { ...inner, keys: [...inner.keys, key] }
        if (child._tag === 'Endpoint') return [key, mockEndpoint(child, nested, mocking)] as const
        const routes = mockRoutes(child, nested, mocking)
        return [key, makeRoutes(routes.children, routes.wrappers)] as const
      }),
    ),
    wrappers:
      principal === undefined
        ? wrappers
        : wrappers.map((wrapper) => withPrincipal(wrapper, principal)),
  }
}

/** Replaces the authentication filters of a wrapper with filters that accept all requests. */
const withPrincipal = (wrapper: Wrapper, principal: Principal): Wrapper => {
  if (wrapper._tag !== 'Filters') return wrapper
  const replace = (filter: AnyFilter): AnyFilter => {
    if (filter._tag === 'Filters') return { ...filter, filters: filter.filters.map(replace) }
    if (filter._tag !== 'RequestFilter' || filter.authentication === undefined) return filter
    const { requirement: _, ...others } = filter
    return { ...others, needs: new Map(), run: () => authenticateAs(principal) }
  }
  return { ...wrapper, filters: wrapper.filters.map(replace) }
}
