/** The options of documents. A tree that serves its own document stores them, for programs that create the same document without a server. */
import type { DocumentationTag, ExternalDocs } from '../endpoint/documentation.ts'
import type { KeptEndpoint } from '../endpoint/endpoint.ts'
import { updateDefinition } from '../endpoint/endpoint.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { Info, ServerObject } from './openapi-document.ts'

/** The members of a document that are not derived from the tree. */
export interface DocumentOptions {
  readonly info: Info
  /** The servers of the API. Default: `fw.http.public-url`, or else the server that serves the document. */
  readonly servers?: ReadonlyArray<ServerObject>
  /** The version of OpenAPI. Default: `3.1`. */
  readonly version?: '3.1' | '3.2'
  /** A contract of webhooks: requests that the service sends. The key of an operation is the name of the webhook. */
  readonly webhooks?: AnyNode
  /** Descriptions of tags, in the order in which tools list them. They take precedence over those in the tree. */
  readonly tags?: ReadonlyArray<DocumentationTag>
  readonly externalDocs?: ExternalDocs
}

/**
 * An alternative to options that no value has. TypeScript selects it for options with the members of `info`, so that the error message
 * ends in `Remedy`.
 */
export interface UnwrappedInfo<Remedy extends string> {
  readonly title: string
  readonly version?: string
  readonly info: Remedy
}

/** The type of options in signatures. Other options are type errors. */
export type WithInfo<O extends DocumentOptions> = O | UnwrappedInfo<'pass info: { title, version }'>

/** Returns the options of the function `name`. Throws a `TypeError` if `info` is missing. */
export const checkInfo = <O extends DocumentOptions>(name: string, options: WithInfo<O>): O => {
  if (hasInfo(options)) return options
  throw new TypeError(`${name}: missing info: pass info: { title, version }`)
}

const hasInfo = <O extends DocumentOptions>(options: WithInfo<O>): options is O =>
  typeof options === 'object' &&
  options !== null &&
  'info' in options &&
  typeof options.info === 'object'

/** Stores the options of a document in the endpoint that serves it. */
export const withServedOptions =
  (options: DocumentOptions) =>
  <E extends KeptEndpoint>(endpoint: E): E =>
    updateDefinition(endpoint, () => ({ servedDocument: Object.freeze({ ...options }) }))

/**
 * Returns the options of the first document that a tree serves, or `undefined` if it serves none. Endpoints that conditions exclude
 * are included, because a tree may serve its document only in some profiles.
 */
export const findServedOptions = (node: AnyNode): DocumentOptions | undefined => {
  if (node._tag === 'Endpoint') {
    const { servedDocument } = node.definition
    return isDocumentOptions(servedDocument) ? servedDocument : undefined
  }
  for (const child of node.children.values()) {
    const found = findServedOptions(child)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a value was stored by {@link withServedOptions}, possibly by another copy of the package. */
const isDocumentOptions = (value: unknown): value is DocumentOptions =>
  typeof value === 'object' &&
  value !== null &&
  'info' in value &&
  typeof value.info === 'object' &&
  value.info !== null &&
  'title' in value.info &&
  'version' in value.info
