/**
 * Finds declarations that have no effect: representations that are never selected, representations of a response without a common
 * value, and limits above another limit.
 */
import { isHal } from '../../endpoint/representation.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { parseDeclaredType } from '../../body/charset.ts'
import type { ValueKind } from '../../codec/structure/uninhabited.ts'
import { commonKinds, valueKinds } from '../../codec/structure/uninhabited.ts'
import type { Limits } from '../../endpoint/definition/attributes.ts'
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import type { Definition } from '../../endpoint/endpoint.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import * as MediaType from '../../http/media-type.ts'
import type { Route } from '../flatten.ts'
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
 * A handler with a second parameter can return a value for the selected representation, and so can a response filter. Errors are also
 * sent by request filters and mappers.
 */
export const disjointRepresentations = ({ definition, chain }: Route): ReadonlyArray<string> => {
  const { handler, treeHandler, produces, responses } = definition
  if (typeof handler !== 'function' || handler.length > 1 || treeHandler !== undefined) return []
  if (chain.response.length > 0) return []
  const isAlone = chain.mappers.length + chain.early.length + chain.request.length === 0
  const own = responses.filter(({ failure }) => isAlone || !failure)
  return [produces, ...own.map(({ representations }) => representations)].flatMap((alternatives) =>
    alternatives.length > 1 && commonKinds(alternatives.map(acceptedKinds))?.size === 0
      ? [
          `no value has all of the representations ${alternatives.map(({ mediaType }) => mediaType).join(', ')}: replace one by representation({ mediaType, write })`,
        ]
      : [],
  )
}

/** Returns the kinds of the values that a representation accepts, or `undefined` if they are not known. */
const acceptedKinds = ({ format }: AnyRepresentation): ReadonlySet<ValueKind> | undefined => {
  if (isHal(format)) return valueKinds(format.codec)
  switch (format._tag) {
    case 'Json':
    case 'Problem':
    case 'Xml':
    case 'Data':
      return valueKinds(format.codec)
    case 'Text':
      return format.codec === undefined ? strings : valueKinds(format.codec)
    case 'RawJson':
      return strings
    case 'Bytes':
      return bytes
    default:
      return undefined
  }
}

const strings: ReadonlySet<ValueKind> = new Set(['string'])
const bytes: ReadonlySet<ValueKind> = new Set(['bytes'])

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
