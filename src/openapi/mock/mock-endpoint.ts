/** Creates mock endpoints, which respond with generated values. */
import type { FilterChain } from '../../compiler/filter-chain.ts'
import { filterChain } from '../../compiler/filter-chain.ts'
import type { Codec } from '../../codec/codec.ts'
import type { Principal } from '../../endpoint/context.ts'
import type { DeclaredResponse, Definition } from '../../endpoint/endpoint.ts'
import { makeEndpoint } from '../../endpoint/endpoint.ts'
import type { Attributes } from '../../endpoint/definition/attributes.ts'
import { mergeAttributes, rateLimitsOf } from '../../endpoint/definition/attributes.ts'
import { quotaExceeded } from '../../endpoint/problem.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import { join } from '../../endpoint/definition/path-template.ts'
import type { TreeScope } from '../../endpoint/tree/tree-scope.ts'
import type { AnyNode } from '../../endpoint/routes.ts'
import type { GenerateValue } from './codec-values.ts'
import { mockHandler, mockPreconditions } from './mock-handler.ts'
import { elementVariable } from './mock-location.ts'
import type { ReadOperation } from './mock-location.ts'
import { responsesOf } from './mock-response.ts'
import type { Random } from './random.ts'
import { operationTitle } from '../../endpoint/definition/configuration-error.ts'

/** The options of a mock server, and what all its operations share. */
export interface Mocking {
  readonly random: Random
  readonly valuesOf: (codec: Codec) => GenerateValue
  readonly reads: ReadonlyArray<ReadOperation>
  readonly principal: Principal | undefined
  readonly keepHandlers: boolean
  readonly eventInterval: number
  readonly report: (issue: ConfigurationIssue) => void
}

/** Replaces the handler of an endpoint. `scope` contains the keys of the endpoint. */
export const mockEndpoint = (
  endpoint: Extract<AnyNode, { readonly _tag: 'Endpoint' }>,
  scope: TreeScope,
  mocking: Mocking,
): AnyNode => {
  const { definition } = endpoint
  const { method } = definition
  const isKept = mocking.keepHandlers && definition.handler !== undefined
  // the compiler reports the errors of incomplete endpoints
  if (isKept || definition.issues.length > 0 || method === undefined) return endpoint
  const name = scope.keys.join('.')
  const template = join(scope.path, definition.template) || '/'
  const attributes = mergeAttributes(scope.attributes, definition.attributes)
  const chain = filterChain({ ...scope, attributes }, { name, template, method }, new Map())
  const examples = attributes.documentation?.examples ?? []
  const own = responsesOf(definition, examples, mocking.valuesOf)
  for (const title of own.unsupported)
    mocking.report({
      code: 'FW-MOCK-001',
      concerns: [operationTitle({ method, template, name })],
      remedy: `no value can be generated for ${title}: declare a value with example(…), or the schema of the codec with withSchema(…)`,
    })
  const inherited = [
    ...inheritedResponses(chain),
    ...(rateLimitsOf(attributes).length === 0 ? [] : [quotaExceeded]),
  ].filter(
    ({ status }, index, all) =>
      status !== own.preferred.status &&
      !own.byStatus.has(status) &&
      all.findIndex((other) => other.status === status) === index,
  )
  const extended = { ...definition, responses: [...definition.responses, ...inherited] }
  const responses = responsesOf(extended, examples, mocking.valuesOf)
  // operations with a response that cannot be generated have only their own responses
  const isExtended = responses.unsupported.length === own.unsupported.length
  const handler = mockHandler({
    ...mocking,
    name,
    definition,
    responses: isExtended ? responses : own,
    element: elementVariable(template, mocking.reads),
  })
  const mocked = makeEndpoint({
    ...(isExtended ? extended : definition),
    ...changesOf(definition, attributes, chain, mocking),
    handler,
    selectsValue: true,
  })
  return Object.freeze({ ...mocked, run: handler })
}

/** Returns the failures that filters and mappers declare. A client can request them like those of the operation. */
const inheritedResponses = (chain: FilterChain): ReadonlyArray<DeclaredResponse> =>
  [
    ...chain.mappers.flat().flatMap((mapper) => (mapper._tag === 'MapError' ? [mapper] : [])),
    ...chain.preMatching,
    ...[...chain.early, ...chain.request].map(({ filter }) => filter),
  ].flatMap(({ responses }) => responses.filter(({ failure }) => failure))

/** Returns the changes to a definition whose handler and slots are replaced. Mock handlers run on the event loop, without rate limits. */
const changesOf = (
  { attributes, preconditions }: Definition,
  { access }: Attributes,
  { early, request }: FilterChain,
  { random, principal }: Mocking,
): Partial<Definition> => {
  const isAuthenticated =
    principal !== undefined ||
    [...early, ...request].some(({ filter }) => filter.authentication !== undefined)
  const isOpen = access !== undefined && access._tag !== 'DenyAll' && !isAuthenticated
  return {
    needs: new Map(),
    preconditions:
      preconditions === undefined ? undefined : mockPreconditions(preconditions, random),
    attributes: {
      ...attributes,
      execution: 'nonBlocking',
      executionScope: 'operation',
      rateLimits: [],
      ...(isOpen ? { access: { _tag: 'PermitAll' }, secure: false } : {}),
    },
  }
}
