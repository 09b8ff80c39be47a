/** Creates OpenAPI documents for route trees, and reports their defects. */
import type { RejectedTree } from '../codec/codec.ts'
import { compileTree } from '../compiler/compile.ts'
import { programConfiguration } from '../compiler/settings/program-configuration.ts'
import type { ProgramSettings } from '../compiler/settings/program-configuration.ts'
import type { ConfigurationIssue } from '../endpoint/internal/configuration-error.ts'
import { ConfigurationError } from '../endpoint/internal/configuration-error.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type {
  DescribedTree,
  DocumentOptions,
  DocumentWithIssues,
  WithInfo,
} from './describe-tree.ts'
import { checkInfo, documentWithIssues } from './describe-tree.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import type { SchemaIssue } from './schema/schema-generator.ts'

export type { DescribedTree, DocumentOptions } from './describe-tree.ts'

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

const missingAuthentication =
  'The OpenAPI document describes operations with access rules as public, because they have no authentication filter: apply the filter to the contract'

/**
 * Creates the OpenAPI document of a compiled tree. Throws a `ConfigurationError` for different codecs with the same name, and returns
 * the other defects.
 */
export const validDocument = (
  tree: DescribedTree,
  options: DocumentOptions,
): DocumentWithIssues => {
  const created = documentWithIssues(tree, options)
  const duplicates = created.issues
    .filter(({ _tag }) => _tag === 'DuplicateName')
    .map(duplicateName)
  if (duplicates.length > 0) throw new ConfigurationError(duplicates)
  return created
}

/** Creates the configuration error for two different codecs with one name. */
const duplicateName = ({ codec, locations }: SchemaIssue): ConfigurationIssue => ({
  code: 'FW-DOC-002',
  concerns: [...new Set(locations)],
  remedy: `different codecs have the name ${codec}: rename one of them with named(…)`,
})

/** The part of a logger that this module uses. */
export interface WarningLogger {
  readonly warn: (members: Readonly<Record<string, unknown>>, message: string) => void
}

/**
 * Logs one warning for each kind of defect. Opaque codecs are logged only in the profile `dev`, because their schemas, which accept
 * any value, are correct but of little use.
 */
export const logIssues = (
  { issues, unauthenticated }: Omit<DocumentWithIssues, 'document'>,
  profile: string,
  log: WarningLogger,
): void => {
  const namesOf = (tag: SchemaIssue['_tag']): ReadonlyArray<string> => [
    ...new Set(issues.filter(({ _tag }) => _tag === tag).map(({ codec }) => codec)),
  ]
  const [duplicates, opaque] = [namesOf('DuplicateName'), namesOf('OpaqueCodec')]
  if (duplicates.length > 0) log.warn({ codecs: duplicates }, duplicateNames)
  if (unauthenticated.length > 0) log.warn({ operations: unauthenticated }, missingAuthentication)
  if (opaque.length > 0 && profile === 'dev') log.warn({ codecs: opaque }, opaqueCodecs)
}

const duplicateNames =
  'Different codecs have the same name in the OpenAPI document: rename one of them with named(…)'

const opaqueCodecs =
  'The OpenAPI document contains no schemas for codecs with an unknown structure: declare them with withSchema(…)'
