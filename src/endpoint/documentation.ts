/**
 * Combinators that document operations. They appear in OpenAPI documents and have no effect on requests, except for the headers of
 * `deprecated`.
 *
 * Like all attributes, they can be applied to trees, resources and operations. The nearest declaration wins, except that tags and
 * examples are added to those of the enclosing scopes.
 */
import type { RejectedArgument } from '../codec/codec.ts'
import { describeValue } from './definition/describe-value.ts'
import type { Keep, KeptEndpoint } from './endpoint.ts'
import { declareOnce, updateDefinition } from './endpoint.ts'
import { mergeAttributes } from './definition/attributes.ts'
import { parseDate } from './definition/deprecation.ts'
import { checkOptions, combinator, combinatorFactory, isNode } from './internal/combinator.ts'
import type { DocumentationTag, ExternalDocs } from './definition/operation-documentation.ts'
import type { AttributeStep } from './tree/tree-scope.ts'
import { setAttributes } from './tree/tree-scope.ts'

export type { DocumentationTag, ExternalDocs } from './definition/operation-documentation.ts'

// The last signature of each interface is the type of an error.

/** The type of {@link tags}. */
export interface AddTags {
  (...values: ReadonlyArray<string | DocumentationTag>): AttributeStep
  (
    values: RejectedArgument<"pass the tags as arguments: tags('books', 'loans')"> & string,
  ): AttributeStep
}

/** The type of {@link hidden}. */
export interface SetFlag {
  (value?: boolean): AttributeStep
  (
    target: RejectedArgument<'the next step is not called: add parentheses, as in deprecated()'> &
      boolean,
  ): never
}

/** The type of {@link deprecated}. */
export interface Deprecate {
  (options?: DeprecationOptions | boolean): AttributeStep
  (
    target: RejectedArgument<'the next step is not called: add parentheses, as in deprecated()'> &
      boolean,
  ): never
}

/**
 * Options for {@link deprecated}. A date is a `Date`, a string such as `2026-11-01`, which is midnight UTC, or a string with a time and an
 * offset such as `2026-11-01T12:00:00Z`.
 */
export interface DeprecationOptions {
  /** The date from which the operations are deprecated, which can be in the future: the `Deprecation` header (RFC 9745). */
  readonly since?: string | Date
  /** The date from which the operations are expected to be unavailable: the `Sunset` header (RFC 8594). Not before `since`. */
  readonly sunset?: string | Date
  /**
   * The endpoint of the tree that replaces the operations, or the URL of their replacement: a `Link` header with the relation
   * `successor-version` (RFC 5829).
   */
  readonly replacedBy?: string | KeptEndpoint
  /** The URL of a page about the deprecation: a `Link` header with the relation `deprecation`. */
  readonly deprecationDocs?: string
  /** The URL of a page about the sunset, such as a policy: a `Link` header with the relation `sunset`. */
  readonly sunsetDocs?: string
}

/** The type of {@link example}. */
export interface AddExample {
  (name: string, value: unknown, options?: ExampleOptions): AttributeStep
  (value: RejectedArgument<"the name comes first: example('emma', { … })"> & string): AttributeStep
}

/**
 * Sets the summary of operations: a short phrase without CommonMark. The default is derived from the name of the operation, such as
 * `Get book` for `books.getBook`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { description, get, path, produces, routes, summary, text } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const ping = pipe(
 *   path('/ping'),
 *   get(),
 *   summary('Test the connection'),
 *   description('Responds with `pong`.'),
 *   produces(text),
 * )
 * const { paths } = openApi(routes({ ping }), { info: { title: 'Ping', version: '1.0.0' } })
 *
 * assert.equal(paths?.['/ping']?.get?.summary, 'Test the connection')
 * ```
 */
export const summary: (text: string) => AttributeStep = combinatorFactory('summary', (text) =>
  setAttributes({ documentation: { summary: text } }),
)

/**
 * Sets the id of an operation in OpenAPI documents, from which generators of clients derive the names of functions. Default: the name of
 * the operation in the tree, such as `issues.create`. Logs, clients and the context still use that name.
 *
 * Throws a `TypeError` unless the id consists of letters, digits, dots, underscores and hyphens. Two operations with the same id are a
 * configuration error (`FW-DOC-004`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { operationId, path, post, routes } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const create = pipe(path('/issues'), post(), operationId('createIssue'))
 * const api = routes({ issues: routes({ create }) })
 * const { paths } = openApi(api, { info: { title: 'Issues', version: '1.0.0' } })
 *
 * assert.equal(paths?.['/issues']?.post?.operationId, 'createIssue')
 * assert.equal(paths?.['/issues']?.post?.summary, 'Create issue')
 * ```
 */
export const operationId: (id: string) => Keep = combinator(
  'operationId',
  'Endpoint',
  (id: string): Keep => {
    if (typeof id !== 'string' || !/^[\w.-]+$/.test(id))
      throw new TypeError(
        'invalid operation id: expected letters, digits, dots, underscores and hyphens',
      )
    return (endpoint) =>
      updateDefinition(endpoint, (definition) => ({
        ...declareOnce(definition, 'operationId'),
        attributes: mergeAttributes(definition.attributes, { documentation: { operationId: id } }),
      }))
  },
)

/**
 * Sets the description of operations, which can contain CommonMark.
 *
 * @see summary
 */
export const description: (text: string) => AttributeStep = combinatorFactory(
  'description',
  (text) => setAttributes({ documentation: { description: text } }),
)

/**
 * Adds tags, which group operations. A tag is a name, or an object with a description. If several objects have the same name, the
 * first one in the tree describes the tag.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, summary, tags, text } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const ping = pipe(
 *   path('/ping'),
 *   get(),
 *   summary('Responds with a fixed text'),
 *   produces(text),
 *   handle(() => 'pong'),
 * )
 * const api = pipe(routes({ ping }), tags({ name: 'status', description: 'State of the service' }))
 * const document = openApi(api, { info: { title: 'Ping', version: '1.0.0' } })
 *
 * assert.deepEqual(document.paths?.['/ping']?.get?.tags, ['status'])
 * ```
 */
export const tags: AddTags = combinatorFactory(
  'tags',
  (...values: ReadonlyArray<string | DocumentationTag>) =>
    setAttributes({
      documentation: {
        tags: values.map((tag) => (typeof tag === 'string' ? { name: tag } : tag)),
      },
    }),
)

/**
 * Marks operations as deprecated, and announces it in headers of all their responses, including errors. With `false`, operations in a
 * deprecated tree are not deprecated. The options of a nested scope are added to those of the enclosing scopes.
 *
 * If an endpoint that is given as `replacedBy` has path variables, the target of the link has the values of the variables with the same
 * names in the request. If the deprecated operation lacks one of them, no link is sent. An endpoint that is not part of the tree, and a
 * `sunset` before `since`, are configuration errors (`FW-DOC-003`). Throws a `TypeError` for invalid dates and URLs.
 *
 * Requests that are rejected before an operation is selected, with 405, 406 or 415, have responses without these headers.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { deprecated, get, handle, int, path, prefix, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(int),
 *   handle(({ path: { id } }) => id),
 * )
 * const oldBook = pipe(book, deprecated({ replacedBy: book }))
 * const v1 = pipe(routes({ oldBook }), prefix('/v1'), deprecated({ since: '2026-01-01', sunset: '2026-11-01' }))
 * const send = inMemory(routes({ v1, v2: pipe(routes({ book }), prefix('/v2')) }))
 * const { headers } = await send('http://localhost/v1/books/7')
 *
 * assert.equal(headers.get('Deprecation'), '@1767225600')
 * assert.equal(headers.get('Sunset'), 'Sun, 01 Nov 2026 00:00:00 GMT')
 * assert.equal(headers.get('Link'), '</v2/books/7>; rel="successor-version"')
 * ```
 */
// the interface describes the type of an error
export const deprecated = combinatorFactory(
  'deprecated',
  (options: DeprecationOptions | boolean = {}) => {
    if (options === false) return setAttributes({ deprecation: false })
    const known = ['since', 'sunset', 'replacedBy', 'deprecationDocs', 'sunsetDocs'] as const
    const checked = options === true ? {} : checkOptions('deprecated', known, options)
    return setAttributes({
      deprecation: Object.freeze({
        since: parseDate('since', checked.since),
        sunset: parseDate('sunset', checked.sunset),
        replacedBy:
          isNode(checked.replacedBy) && checked.replacedBy._tag === 'Endpoint'
            ? checked.replacedBy
            : checkUrl('replacedBy', checked.replacedBy, 'an endpoint or a URL'),
        deprecationDocs: checkUrl('deprecationDocs', checked.deprecationDocs),
        sunsetDocs: checkUrl('sunsetDocs', checked.sunsetDocs),
      }),
    })
  },
) as Deprecate

const checkUrl = (option: string, value: unknown, expected = 'a URL'): string | undefined => {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value
  throw new TypeError(
    `deprecated: invalid ${option}: expected ${expected}, got ${describeValue(value)}`,
  )
}

/**
 * Excludes operations from OpenAPI documents. With `false`, includes operations of a hidden tree.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { deprecated, get, hidden, path, produces, routes, text } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const status = pipe(path('/status'), get(), hidden(), produces(text))
 * const ping = pipe(path('/ping'), get(), deprecated(), produces(text))
 * const { paths } = openApi(routes({ status, ping }), { info: { title: 'Ping', version: '1.0.0' } })
 *
 * assert.deepEqual(Object.keys(paths ?? {}), ['/ping'])
 * assert.equal(paths?.['/ping']?.get?.deprecated, true)
 * ```
 */
export const hidden = combinatorFactory(
  'hidden',
  (isHidden = true) => setAttributes({ documentation: { hidden: isHidden } }),
  // the interface describes the type of an error
) as SetFlag

/** Adds a link to a page with further documentation, such as `externalDocs('https://wiki.example/loans', 'Rules for loans')`. */
export const externalDocs: (url: string, description?: string) => AttributeStep = combinatorFactory(
  'externalDocs',
  (url: string, text?: string) => {
    const docs: ExternalDocs = text === undefined ? { url } : { url, description: text }
    return setAttributes({ documentation: { externalDocs: docs } })
  },
)

/** Options for {@link example}. */
export interface ExampleOptions {
  readonly summary?: string
  /** The description in CommonMark. */
  readonly description?: string
  /** Whether the value is the body of requests or of responses. Default: `response`. */
  readonly in?: 'request' | 'response'
  /** The status of the response. Default: the default status of the operation. */
  readonly status?: number
}

/**
 * Adds an example of a body. `value` is the decoded value, as handlers receive or return it, and the document contains its encoded
 * form. The example of a form is an object of its fields, in which the value of a file is its content as a string. A value that the
 * codec of the body does not accept is a configuration error (`FW-DOC-001`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { date, example, get, json, list, path, produces, routes } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const holidays = pipe(
 *   path('/holidays'),
 *   get(),
 *   produces(json(list(date))),
 *   example('summer', [new Date('2024-08-15')], { summary: 'One holiday' }),
 * )
 * const { paths } = openApi(routes({ holidays }), { info: { title: 'Calendar', version: '1.0.0' } })
 * const response = paths?.['/holidays']?.get?.responses['200']
 *
 * assert.ok(response !== undefined && 'content' in response)
 * assert.deepEqual(response.content?.['application/json']?.examples, {
 *   summer: { summary: 'One holiday', value: ['2024-08-15T00:00:00.000Z'] },
 * })
 * ```
 */
export const example: AddExample = combinatorFactory(
  'example',
  (name: string, value?: unknown, options: ExampleOptions = {}) => {
    const known = ['summary', 'description', 'in', 'status'] as const
    const checked = checkOptions<ExampleOptions>('example', known, options)
    return setAttributes({
      documentation: {
        examples: [
          {
            name,
            value,
            summary: checked.summary,
            description: checked.description,
            location: checked.in ?? 'response',
            status: checked.status,
          },
        ],
      },
    })
  },
)
