/** Describes compiled trees as OpenAPI documents, and reports their defects. */
import type { CompiledTree } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import { noLinks } from '../compiler/links/link-table.ts'
import type { Plan } from '../compiler/plan.ts'
import type { DocumentationTag } from '../endpoint/documentation.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { ConfigurationError, operationTitle } from '../endpoint/definition/configuration-error.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type { DocumentOptions } from './document-options.ts'
import type {
  OpenApiDocument,
  PathItem,
  Reference,
  ResponseObject,
  TagObject,
} from './openapi-document.ts'
import type { DocumentContext } from './operation/document-context.ts'
import { describeOperation } from './operation/operation.ts'
import { fallbackNames } from './operation/problem-schema.ts'
import { collectSecuritySchemes, lacksAuthentication } from './operation/security.ts'
import { pathItem } from './path-item.ts'
import { groupPaths } from './paths.ts'
import type { SchemaIssue } from './schema/schema-generator.ts'
import { schemaGenerator } from './schema/schema-generator.ts'
import { present } from './schema/present.ts'

/** The parts of a compiled tree that a document describes. */
export type DescribedTree = Pick<CompiledTree, 'plans' | 'settings' | 'links'>

/** A document, and the defects that codecs cause in it. */
export interface DocumentWithIssues {
  readonly document: OpenApiDocument
  readonly issues: ReadonlyArray<SchemaIssue>
  /** The operations that require an authenticated caller, but have no authentication filter. The document describes them as public. */
  readonly unauthenticated: ReadonlyArray<string>
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
  const shared = sharedResponses()
  const context: DocumentContext = {
    version,
    settings,
    schemas: schemaGenerator({ version, fallbackNames }),
    location: '',
    areWebhooks: false,
    links,
    plans: new Map(plans.map((plan) => [plan.name, plan])),
    variableName,
    schemeNames,
    sharedResponse: shared.responseOf,
  }
  const itemOf = (group: ReadonlyArray<Plan>, within: DocumentContext): PathItem =>
    pathItem(
      group.map((plan) => ({ method: plan.method, operation: describeOperation(plan, within) })),
      version,
      shared.referenceTo,
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
    responses: shared.used(),
  }
  const { document, schemas, issues } = context.schemas.finish(described)
  const tags = collectTags([...plans, ...sent], options.tags)
  const components = present({ schemas, responses: document.responses, securitySchemes: schemes })
  return {
    document: {
      openapi: version === '3.1' ? '3.1.1' : '3.2.0',
      info,
      servers,
      ...present({ tags }),
      paths: document.paths,
      ...present({ webhooks: document.webhooks, components, externalDocs }),
    },
    issues,
    unauthenticated: plans.filter(lacksAuthentication).map(operationTitle),
  }
}

const isDescribed = ({ attributes }: Plan): boolean => attributes.documentation?.hidden !== true

const webhookPlans = (webhooks: AnyNode, settings: CompiledTree['settings']): ReadonlyArray<Plan> =>
  compileTree(
    webhooks,
    { ...settings, 'fw.rest.path': '/', 'fw.rest.fail-on-duplicate': false },
    { isContract: true, logsWarnings: false },
  ).plans.filter(isDescribed)

/** The responses that several operations of a document share, as components. */
interface SharedResponses {
  readonly responseOf: DocumentContext['sharedResponse']
  readonly referenceTo: (response: ResponseObject) => ResponseObject | Reference
  /** Returns the responses to which operations refer, by name. */
  readonly used: () => Readonly<Record<string, ResponseObject>>
}

const sharedResponses = (): SharedResponses => {
  const responses = new Map<string, ResponseObject>()
  const names = new Map<ResponseObject, string>()
  const used = new Map<string, ResponseObject>()
  return {
    responseOf: (name, create) => {
      const known = responses.get(name)
      if (known !== undefined) return known
      const response = create()
      responses.set(name, response)
      names.set(response, name)
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

/**
 * Returns the tags of operations in the order in which they occur. `declared` tags come first. The first tag with a description
 * describes all tags with the same name.
 */
const collectTags = (
  plans: ReadonlyArray<Plan>,
  declared: ReadonlyArray<DocumentationTag> = [],
): ReadonlyArray<TagObject> => {
  const tags = new Map<string, TagObject>()
  const all = plans.flatMap(({ attributes }) => attributes.documentation?.tags ?? [])
  for (const { name, description, externalDocs } of [...declared, ...all]) {
    const known = tags.get(name)
    if (known?.description !== undefined || known?.externalDocs !== undefined) continue
    tags.set(name, { name, ...present({ description, externalDocs }) })
  }
  return [...tags.values()]
}

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

export const missingAuthentication =
  'The OpenAPI document describes operations with access rules as public, because they have no authentication filter: apply the filter to the contract'
