/** Creates OpenAPI documents for route trees. */
import type { CompiledTree } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import { noLinks } from '../compiler/links/link-table.ts'
import type { Plan } from '../compiler/plan.ts'
import { programConfiguration } from '../compiler/settings/program-configuration.ts'
import type { ProgramSettings } from '../compiler/settings/program-configuration.ts'
import type { DocumentationTag, ExternalDocs } from '../endpoint/documentation.ts'
import type { ConfigurationIssue } from '../endpoint/internal/configuration-error.ts'
import { ConfigurationError } from '../endpoint/internal/configuration-error.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type {
  Info,
  OpenApiDocument,
  PathItem,
  Reference,
  ResponseObject,
  ServerObject,
} from './openapi-document.ts'
import type { DocumentContext } from './operation/document-context.ts'
import { describeOperation } from './operation/operation.ts'
import { describeError } from './operation/possible-errors.ts'
import type { PossibleError } from './operation/possible-errors.ts'
import { collectSecuritySchemes } from './operation/security.ts'
import { pathItem } from './path-item.ts'
import { groupPaths } from './paths.ts'
import type { SchemaIssue } from './schema/schema-generator.ts'
import { schemaGenerator } from './schema/schema-generator.ts'
import { collectTags } from './tags.ts'

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

/** Options for {@link openApi}. */
export interface OpenApiOptions extends DocumentOptions, ProgramSettings {}

/**
 * Creates the OpenAPI document of a route tree, as a plain JSON value. The document describes what a server with the same settings
 * does: paths with their prefixes, parameters, bodies, responses, errors and access rules.
 *
 * Configuration files and environment variables are not read. The tree needs neither handlers nor values of slots, so it can be a
 * contract. Throws a `ConfigurationError` that lists all errors in the tree and the settings.
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
export const openApi = (api: AnyNode, options: OpenApiOptions): OpenApiDocument => {
  const configuration = programConfiguration(options)
  const compiled = compileTree(api, configuration.settings, { configuration, isContract: true })
  const { document, issues } = documentWithIssues(compiled, options)
  const duplicates = issues.filter(({ _tag }) => _tag === 'DuplicateName').map(duplicateName)
  if (duplicates.length > 0) throw new ConfigurationError(duplicates)
  return document
}

/** Creates the configuration error for two different codecs with one name. */
const duplicateName = ({ codec, locations }: SchemaIssue): ConfigurationIssue => ({
  code: 'FW-DOC-002',
  concerns: [...new Set(locations)],
  remedy: `different codecs have the name ${codec}: rename one of them with named(…)`,
})

/** The parts of a compiled tree that a document describes. */
export type DescribedTree = Pick<CompiledTree, 'plans' | 'settings' | 'links'>

/** Creates the OpenAPI document of a compiled tree. */
export const documentOf = (tree: DescribedTree, options: DocumentOptions): OpenApiDocument =>
  documentWithIssues(tree, options).document

/** A document, and the defects that codecs cause in it. */
export interface DocumentWithIssues {
  readonly document: OpenApiDocument
  readonly issues: ReadonlyArray<SchemaIssue>
}

/** Creates the OpenAPI document of a compiled tree, and returns the defects that codecs cause in it. */
export const documentWithIssues = (
  { plans: all, settings, links }: DescribedTree,
  options: DocumentOptions,
): DocumentWithIssues => {
  const { info, version = '3.1', webhooks, externalDocs } = options
  const publicUrl = settings['fw.http.public-url']
  const { servers = [{ url: publicUrl ?? '/' }] } = options
  const plans = all.filter(isDescribed)
  const { paths, variableName } = groupPaths(plans)
  const { names: schemeNames, schemes } = collectSecuritySchemes(plans)
  const errors = sharedErrors()
  const context: DocumentContext = {
    version,
    settings,
    schemas: schemaGenerator({ version }),
    location: '',
    areWebhooks: false,
    links,
    plans: new Map(plans.map((plan) => [plan.name, plan])),
    variableName,
    schemeNames,
    errorResponse: (error) => errors.responseOf(error, context),
  }
  const itemOf = (group: ReadonlyArray<Plan>, within: DocumentContext): PathItem =>
    pathItem(
      group.map((plan) => ({ method: plan.method, operation: describeOperation(plan, within) })),
      version,
      errors.referenceTo,
    )
  const sent = webhooks === undefined ? [] : webhookPlans(webhooks, settings)
  const described = {
    paths: Object.fromEntries(paths.map((group) => [group.path, itemOf(group.plans, context)])),
    webhooks: Object.fromEntries(
      sent.map((plan) => [
        plan.name,
        itemOf([plan], {
          ...context,
          areWebhooks: true,
          links: noLinks,
          variableName: (_, variable) => variable,
        }),
      ]),
    ),
    responses: errors.used(),
  }
  const { document, schemas, issues } = context.schemas.finish(described)
  const tags = collectTags([...plans, ...sent], options.tags)
  const components = {
    ...(isEmpty(schemas) ? {} : { schemas }),
    ...(isEmpty(document.responses) ? {} : { responses: document.responses }),
    ...(isEmpty(schemes) ? {} : { securitySchemes: schemes }),
  }
  return {
    document: {
      openapi: version === '3.1' ? '3.1.1' : '3.2.0',
      info,
      servers,
      ...(tags.length === 0 ? {} : { tags }),
      paths: document.paths,
      ...(isEmpty(document.webhooks) ? {} : { webhooks: document.webhooks }),
      ...(isEmpty(components) ? {} : { components }),
      ...(externalDocs === undefined ? {} : { externalDocs }),
    },
    issues,
  }
}

const isEmpty = (record: object): boolean => Object.keys(record).length === 0

const isDescribed = ({ attributes }: Plan): boolean => attributes.documentation?.hidden !== true

const webhookPlans = (webhooks: AnyNode, settings: CompiledTree['settings']): ReadonlyArray<Plan> =>
  compileTree(
    webhooks,
    { ...settings, 'fw.rest.path': '/', 'fw.rest.fail-on-duplicate': false },
    { isContract: true, logsWarnings: false },
  ).plans.filter(isDescribed)

/** The error responses of a document. Operations with the same error refer to one component. */
interface SharedErrors {
  readonly responseOf: (error: PossibleError, context: DocumentContext) => ResponseObject
  readonly referenceTo: (response: ResponseObject) => ResponseObject | Reference
  /** Returns the responses that operations refer to, by name. */
  readonly used: () => Readonly<Record<string, ResponseObject>>
}

const sharedErrors = (): SharedErrors => {
  const byError = new Map<PossibleError, ResponseObject>()
  const names = new Map<ResponseObject, string>()
  const used = new Map<string, ResponseObject>()
  return {
    responseOf: (error, context) => {
      const known = byError.get(error)
      if (known !== undefined) return known
      const response = describeError(error, context)
      byError.set(error, response)
      names.set(response, error.name)
      return response
    },
    referenceTo: (response) => {
      const name = names.get(response)
      if (name === undefined) return response
      used.set(name, response)
      return { $ref: `#/components/responses/${name}` }
    },
    used: () => Object.fromEntries([...used].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  }
}
