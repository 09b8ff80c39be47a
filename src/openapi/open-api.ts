/** Creates OpenAPI documents for route trees. */
import { compileTree } from '../compiler/compile.ts'
import { programConfiguration } from '../compiler/settings/program-configuration.ts'
import type { ProgramSettings } from '../compiler/settings/program-configuration.ts'
import type { RejectedTree } from '../codec/codec.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import { missingAuthentication, validDocument } from './describe-tree.ts'
import type { DocumentOptions, WithInfo } from './document-options.ts'
import { checkInfo } from './document-options.ts'
import type { OpenApiDocument } from './openapi-document.ts'

/** Options for {@link openApi}. */
export interface OpenApiOptions extends DocumentOptions, ProgramSettings {}

/**
 * Creates the OpenAPI document of a route tree, as a plain JSON value. The document describes what a server with the same settings
 * does: paths with their prefixes, parameters, bodies, responses, errors and access rules.
 *
 * Configuration files and environment variables are not read. The tree needs neither handlers nor values of slots, so it can be a
 * contract. Throws a `ConfigurationError` that lists all errors in the tree and the settings. Emits a warning for operations of a
 * contract that require an authenticated caller, but have no authentication filter: the document describes them as public.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import { openApi } from 'espalier/openapi'
 *
 * const getTitle = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { id } }) => `Volume ${id}`),
 * )
 * const document = openApi(routes({ getTitle }), {
 *   info: { title: 'Library', version: '1.0.0' },
 *   settings: { 'fw.rest.path': '/api' },
 * })
 * const operation = document.paths?.['/api/books/{id}']?.get
 *
 * assert.equal(operation?.operationId, 'getTitle')
 * assert.deepEqual(Object.keys(operation.responses), ['200', '404', '406', '503'])
 * ```
 */
export const openApi = (
  api: AnyNode | RejectedTree<'describe a tree of endpoints: routes({ … })'>,
  options: WithInfo<OpenApiOptions>,
): OpenApiDocument => {
  const checked = checkInfo('openApi', options)
  const configuration = programConfiguration(checked)
  const compiled = compileTree(api, configuration.settings, { configuration, isContract: true })
  const { document, unauthenticated } = validDocument(compiled, checked)
  if (unauthenticated.length > 0) warn(`${missingAuthentication}: ${unauthenticated.join(', ')}`)
  return document
}

const warn = (message: string): void => {
  if (typeof process === 'object' && typeof process.emitWarning === 'function')
    process.emitWarning(message)
  else console.warn(message)
}
