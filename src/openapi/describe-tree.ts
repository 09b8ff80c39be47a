/** Describes compiled trees as OpenAPI documents. */
import type { CompiledTree } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import { noLinks } from '../compiler/links/link-table.ts'
import type { Plan } from '../compiler/plan.ts'
import type { DocumentationTag, ExternalDocs } from '../endpoint/documentation.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type {
  Info,
  OpenApiDocument,
  PathItem,
  Reference,
  ResponseObject,
  ServerObject,
  TagObject,
} from './openapi-document.ts'
import type { DocumentContext } from './operation/document-context.ts'
import { describeOperation } from './operation/operation.ts'
import { fallbackNames } from './operation/problem-schema.ts'
import { collectSecuritySchemes, lacksAuthentication } from './operation/security.ts'
import { variablePatterns } from './operation/variable-pattern.ts'
import { pathItem } from './path-item.ts'
import { groupPaths } from './paths.ts'
import type { SchemaIssue } from './schema/schema-generator.ts'
import { schemaGenerator } from './schema/schema-generator.ts'

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
    variablePattern: variablePatterns(),
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
    unauthenticated: plans.filter(lacksAuthentication).map(titleOf),
  }
}

const titleOf = ({ method, template, name }: Plan): string => `${method} ${template}  (${name})`

const isEmpty = (record: object): boolean => Object.keys(record).length === 0

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
    tags.set(name, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(externalDocs === undefined ? {} : { externalDocs }),
    })
  }
  return [...tags.values()]
}
