/**
 * Finds declarations that have no effect: representations that are never selected, representations of a response without a common
 * value, and limits above another limit.
 */
import { bodyFormat } from '../../body/body-formats.ts'
import { parseDeclaredType } from '../../body/charset.ts'
import type { ValueKinds } from '../../codec/structure/uninhabited.ts'
import { commonKinds } from '../../codec/structure/uninhabited.ts'
import type { Limits } from '../../endpoint/definition/attributes.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Definition } from '../../endpoint/endpoint.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Route } from '../flatten.ts'
import { declaredByFilters } from '../filter-chain.ts'
import type { Plan } from '../plan.ts'
import { limitName, withOperationLimits } from '../settings/body-limit.ts'
import type { SettingName, Settings } from '../settings/settings.ts'
import { operationTitle } from '../../endpoint/definition/configuration-error.ts'

/** Returns the remedies for representations that are never selected, and for `withEtag` of representations that get no `ETag` from it. */
export const ineffectiveRepresentations = ({
  bodies,
  produces,
  responses,
}: Definition): ReadonlyArray<string> => [
  ...[bodies, produces, ...responses.map(({ representations }) => representations)].flatMap(
    repeatedTypes,
  ),
  ...[...produces, ...responses.flatMap(({ representations }) => representations)].flatMap(
    ({ validator, format, mediaType }) =>
      validator !== undefined && bodyFormat(format).isStreamed
        ? [`withEtag has no effect on ${mediaType}, which is a file or a stream: remove it`]
        : [],
  ),
]

/** Returns the remedies for representations with the media type and the language of an earlier one. */
const repeatedTypes = (
  representations: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> => {
  if (representations.length < 2) return []
  const keys = representations.map(({ mediaType, format, language }) => {
    const declared = parseDeclaredType(mediaType)
    return declared === undefined || format._tag === 'Entity'
      ? undefined
      : `${MediaType.format(declared.mediaType)} ${language ?? ''}`
  })
  return representations.flatMap(({ mediaType }, index) =>
    keys[index] !== undefined && keys.indexOf(keys[index]) < index
      ? [
          `${mediaType} is declared twice, so the second representation is never selected: remove it`,
        ]
      : [],
  )
}

/**
 * Returns the remedies for responses with representations that no value has in common.
 *
 * As in TypeScript, the declarations decide: the parameters of a handler and a response filter declare no values. If a request filter
 * or a mapper declares a response with the same status, it can be the only sender, and can select its values by `Accept`.
 */
export const disjointRepresentations = ({ definition, chain }: Route): ReadonlyArray<string> => {
  if (definition.selectsValue === true) return []
  const others = declaredByFilters(chain)
  const own = definition.responses.filter(
    ({ status }) => !others.some((other) => other.status === status),
  )
  return [
    definition.produces,
    ...[...own, ...others].map(({ representations }) => representations),
  ].flatMap((alternatives) =>
    areDisjoint(alternatives)
      ? [
          `no value has all of the representations ${alternatives.map(({ mediaType }) => mediaType).join(', ')}: replace one by representation({ mediaType, write })`,
        ]
      : [],
  )
}

/** Whether representations have no kind of value in common, or only `null` and `undefined`, although each has others. */
const areDisjoint = (alternatives: ReadonlyArray<AnyRepresentation>): boolean => {
  if (alternatives.length < 2) return false
  const kinds = alternatives.map(({ format }) => bodyFormat(format).kinds())
  return [kinds, kinds.map(presentKinds)].some((lists) => commonKinds(lists)?.size === 0)
}

const presentKinds = (kinds: ValueKinds | undefined): ValueKinds | undefined => {
  const present = [...(kinds ?? [])].filter((kind) => kind !== 'null' && kind !== 'undefined')
  return present.length === 0 ? undefined : new Set(present)
}

/** A limit of multipart forms with files, and a setting that bounds the same bytes or items. */
interface BoundedLimit {
  readonly limit: keyof Limits
  readonly boundedBy: SettingName
  readonly remedy: keyof Limits
}

const hasFiles = ({ parts, bodies }: Plan): boolean =>
  parts.some(({ kind }) => /upload/i.test(kind)) ||
  bodies.some(({ format: { _tag } }) => _tag === 'MultipartInput' || _tag === 'MultipartStream')

const bodySize = 'fw.http.limits.max-body-size'
const boundedLimits: ReadonlyArray<BoundedLimit> = [
  { limit: 'fileSize', boundedBy: bodySize, remedy: 'bodySize' },
  {
    limit: 'files',
    boundedBy: 'fw.http.limits.max-multipart-parts',
    remedy: 'parts',
  },
]

/** Returns the errors for limits declared with `limits` that exceed another limit of the same operation, and so have no effect. */
export const ineffectiveLimits = (
  plan: Plan,
  settings: Settings,
): ReadonlyArray<ConfigurationIssue> => {
  const { limits } = plan.attributes
  if ((limits.fileSize ?? limits.files) === undefined || !hasFiles(plan)) return []
  const own = withOperationLimits(settings, limits)
  return boundedLimits.flatMap(
    ({ limit, boundedBy, remedy }): ReadonlyArray<ConfigurationIssue> => {
      const declared = limits[limit]
      const bound = own[boundedBy]
      if (declared === undefined || typeof bound !== 'number' || declared <= bound) return []
      return [
        {
          code: 'FW-ROUTE-005',
          concerns: [operationTitle(plan)],
          remedy: `limits({ ${limit} }) is ${declared}, but ${limitName(boundedBy, own)} is ${bound}: increase it with limits({ ${remedy} })`,
        },
      ]
    },
  )
}
