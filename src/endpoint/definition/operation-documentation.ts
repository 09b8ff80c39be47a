/** The documentation of an operation, which only OpenAPI documents contain. */

/** A link to a page with further documentation. */
export interface ExternalDocs {
  readonly url: string
  /** The description in CommonMark. */
  readonly description?: string
}

/** A tag, which groups operations. */
export interface DocumentationTag {
  readonly name: string
  /** The description in CommonMark. */
  readonly description?: string
  readonly externalDocs?: ExternalDocs
}

/** An example of a request body or a response body. */
export interface NamedExample {
  readonly name: string
  /** The decoded value, as handlers receive or return it. */
  readonly value: unknown
  readonly summary: string | undefined
  /** The description in CommonMark. */
  readonly description: string | undefined
  /** Whether the value is the body of requests or of responses. */
  readonly location: 'request' | 'response'
  /** The status of the response. `undefined` for requests and for the response with the default status. */
  readonly status: number | undefined
}

/** The documentation of an operation. A member that is `undefined` is not declared. */
export interface Documentation {
  /** The id of the operation in documents. Default: its name in the tree. */
  readonly operationId: string | undefined
  readonly summary: string | undefined
  /** The description in CommonMark. */
  readonly description: string | undefined
  readonly tags: ReadonlyArray<DocumentationTag>
  readonly hidden: boolean | undefined
  readonly externalDocs: ExternalDocs | undefined
  readonly examples: ReadonlyArray<NamedExample>
}

/** The documentation that a combinator adds or replaces. */
export type DocumentationChanges = Partial<Documentation>

const undocumented: Documentation = Object.freeze({
  operationId: undefined,
  summary: undefined,
  description: undefined,
  tags: Object.freeze([]),
  hidden: undefined,
  externalDocs: undefined,
  examples: Object.freeze([]),
})

/**
 * Merges the documentation of a nested scope into that of the enclosing scope. Tags and examples are added. A tag or an example
 * with the same name is replaced, and so are all other members.
 */
export const mergeDocumentation = (
  outer: Documentation | undefined,
  inner: DocumentationChanges | undefined,
): Documentation | undefined => {
  if (inner === undefined) return outer
  const { tags, examples, ...others } = outer ?? undocumented
  const changed = Object.entries(inner).filter(([, value]) => value !== undefined)
  return {
    ...others,
    ...Object.fromEntries(changed),
    tags: mergeByName(tags, inner.tags, ({ name }) => name),
    examples: mergeByName(examples, inner.examples, exampleKey),
  }
}

const exampleKey = ({ name, location, status = 0 }: NamedExample): string =>
  `${location} ${status} ${name}`

const mergeByName = <A>(
  outer: ReadonlyArray<A>,
  inner: ReadonlyArray<A> | undefined,
  keyOf: (value: A) => string,
): ReadonlyArray<A> => {
  if (inner === undefined) return outer
  const replaced = new Set(inner.map(keyOf))
  return [...outer.filter((value) => !replaced.has(keyOf(value))), ...inner]
}
