/**
 * Combinators that document operations. They appear in OpenAPI documents and have no effect on requests.
 *
 * Like all attributes, they can be applied to trees, resources and operations. The nearest declaration wins, except that tags and
 * examples are added to those of the enclosing scopes.
 */
import type { RejectedArgument } from '../codec/codec.ts'
import { checkOptions, combinatorFactory } from './internal/combinator.ts'
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

/** The type of {@link deprecated} and {@link hidden}. */
export interface SetFlag {
  (value?: boolean): AttributeStep
  (
    target: RejectedArgument<'the next step is not called: add parentheses, as in deprecated()'> &
      boolean,
  ): never
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

const flag = (name: string, make: (value?: boolean) => AttributeStep): SetFlag =>
  // the interface describes the type of an error
  combinatorFactory(name, make) as SetFlag

/** Marks operations as deprecated. With `false`, marks operations in a deprecated tree as not deprecated. */
export const deprecated = flag('deprecated', (isDeprecated = true) =>
  setAttributes({ documentation: { deprecated: isDeprecated } }),
)

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
export const hidden = flag('hidden', (isHidden = true) =>
  setAttributes({ documentation: { hidden: isHidden } }),
)

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
