/** Verifies scopes: the responses that filters and mappers declare, and the order of filters. */
import type { AnyNode, Wrapper } from '../../endpoint/routes.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import * as Status from '../../http/status.ts'
import { charsetErrors } from '../../body/text/charset.ts'
import { concernsEndpoint } from '../../body/entity/entity-providers.ts'
import type {
  ConfigurationErrorCode,
  Mistake,
} from '../../endpoint/internal/configuration-error.ts'
import { rootScope, nestedScope } from '../../endpoint/internal/tree-scope.ts'
import { isMalformed } from './verify-route.ts'

/** Returns the configuration errors of the scopes of a tree and its subtrees. */
export const verifyScopes = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<Mistake> =>
  node._tag === 'Endpoint'
    ? []
    : [
        ...[
          ...unmet(node.wrappers),
          ...missing(node.wrappers),
          ...answersOf(node.wrappers).flatMap(wrongWith),
        ].map(([code, remedy]) => ({
          code,
          concerns: [`around ${keys.length === 0 ? 'the whole tree' : keys.join('.')}`],
          remedy,
        })),
        ...[...node.children].flatMap(([key, child]) => verifyScopes(child, [...keys, key])),
      ]

/** Returns the responses of filters and mappers of a scope. Mappers of one `mapTagged` share their declaration. */
const answersOf = (wrappers: ReadonlyArray<Wrapper>): ReadonlyArray<DeclaredResponse> => {
  const { layers, mappers } = nestedScope(rootScope('/'), wrappers)
  const declaring = [
    ...layers.flatMap((one) =>
      one._tag === 'Filter' && one.filter._tag !== 'ResponseFilter' ? [one.filter] : [],
    ),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  return [...new Set(declaring.map(({ responses }) => responses))].flat()
}

type Wrong = readonly [code: ConfigurationErrorCode, remedy: string]

/** Finds pre-matching filters that never run, because they are bound to operations. */
const unmet = (wrappers: ReadonlyArray<Wrapper>): ReadonlyArray<Wrong> => {
  const { layers, attributes } = nestedScope(rootScope('/'), wrappers)
  return layers.flatMap((one): ReadonlyArray<Wrong> =>
    one._tag === 'Filter' &&
    one.filter._tag === 'PreMatchingFilter' &&
    !concernsEndpoint(one.filter, undefined, attributes.names)
      ? [['FW-FILTER-002', 'pre-matching filters run before routing: remove onlyFor and onlyWhere']]
      : [],
  )
}

/** Requirements of filters that are not available. */
const missing = (wrappers: ReadonlyArray<Wrapper>): ReadonlyArray<Wrong> =>
  nestedScope(rootScope('/'), wrappers).layers.flatMap((one): ReadonlyArray<Wrong> => {
    if (one._tag !== 'Filter' || one.filter._tag !== 'RequestFilter') return []
    const remedy = one.filter.requirement?.missing()
    return remedy === undefined ? [] : [['FW-FILTER-003', remedy]]
  })

const wrongWith = ({ status, representations }: DeclaredResponse): ReadonlyArray<Wrong> => [
  ...(Status.isStatus(status)
    ? []
    : [['FW-RESP-001', `invalid status ${status}: expected an integer from 200 to 999`] as const]),
  ...(representations.length > 0 && !Status.allowsBody(status)
    ? [
        [
          'FW-RESP-001',
          `responses with status ${status} have no body: remove the representation`,
        ] as const,
      ]
    : []),
  ...representations
    .filter(isMalformed)
    .map(({ mediaType }) => ['FW-MEDIA-001', `invalid media type "${mediaType}"`] as const),
  ...charsetErrors(representations).map((remedy) => ['FW-MEDIA-001', remedy] as const),
  ...representations.flatMap(({ mediaType, format }) => {
    const { cannotSend } = bodyFormat(format)
    return cannotSend === undefined ? [] : [['FW-MEDIA-001', `${mediaType} ${cannotSend}`] as const]
  }),
]

/** The keys of each such tree, joined by dots; empty for the tree as a whole. */
export const conflictingExecutionModes = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<string> => {
  if (node._tag === 'Endpoint') return []
  const modes = node.wrappers.flatMap((wrap) =>
    wrap._tag === 'Attributes' ? [wrap.changes.execution] : [],
  )
  const own = modes.includes('blocking') && modes.includes('nonBlocking') ? [keys.join('.')] : []
  return [
    ...own,
    ...[...node.children].flatMap(([key, child]) =>
      conflictingExecutionModes(child, [...keys, key]),
    ),
  ]
}
