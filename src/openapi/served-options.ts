/** The options with which a tree serves its own document, for programs that create the same document without a server. */
import type { KeptEndpoint } from '../endpoint/endpoint.ts'
import { updateDefinition } from '../endpoint/endpoint.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { DocumentOptions } from './describe-tree.ts'

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
