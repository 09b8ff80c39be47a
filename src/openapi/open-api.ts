/** Creates OpenAPI documents for route trees. */
import type { CompiledTree } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import type { Plan } from '../compiler/plan.ts'
import type { SettingsInput } from '../compiler/settings/settings.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import type {
  Info,
  OpenApiDocument,
  Operation,
  PathItem,
  ServerObject,
} from './openapi-document.ts'

/** The members of a document that are not derived from the tree. */
export interface DocumentOptions {
  readonly info: Info
  readonly servers?: ReadonlyArray<ServerObject>
  /** The version of OpenAPI. Default: `3.1`. */
  readonly version?: '3.1' | '3.2'
}

/** Options for {@link openApi}. */
export interface OpenApiOptions extends DocumentOptions {
  /** Settings by name. Default: the default settings. */
  readonly settings?: SettingsInput
  /** The profile in which conditions are evaluated. Default: `prod`. */
  readonly profile?: string
}

/** Creates the OpenAPI document of a route tree. */
export const openApi = (api: AnyNode, options: OpenApiOptions): OpenApiDocument =>
  documentOf(compileTree(api), options)

/** Creates the OpenAPI document of a compiled tree. */
export const documentOf = (
  { plans }: Pick<CompiledTree, 'plans' | 'settings' | 'links'>,
  { info, servers, version = '3.1' }: DocumentOptions,
): OpenApiDocument => {
  const paths: Record<string, PathItem> = {}
  for (const plan of plans)
    if (plan.attributes.documentation?.hidden !== true) {
      const path = plan.template.replace(/\{(\w+):[^{}]*\}/g, '{$1}')
      paths[path] = { ...paths[path], [plan.method.toLowerCase()]: operationOf(plan) }
    }
  return {
    openapi: version === '3.1' ? '3.1.1' : '3.2.0',
    info,
    ...(servers === undefined ? {} : { servers }),
    paths,
  }
}

const operationOf = ({ name, responses, attributes: { documentation } }: Plan): Operation => ({
  operationId: name,
  ...(documentation === undefined || documentation.tags.length === 0
    ? {}
    : { tags: documentation.tags.map((tag) => tag.name) }),
  responses: Object.fromEntries(
    [...responses.keys()].map((status) => [String(status), { description: '' }]),
  ),
})
