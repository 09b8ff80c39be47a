/** Restrictions, opaque codecs and schemas in a codec, at any depth. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { StandardType } from '../standard-schema/standard-schema.ts'
import { children, members } from '../structure/codec-structure.ts'
import { isGenuine, delegatesTo } from '../structure/genuine.ts'
import { isKnown } from '../structure/known-codec.ts'
import type { Restriction } from './restricted-member.ts'
import { RestrictedEncodingError, isRestricted } from './restricted-member.ts'

/** The direct parts of a codec: its members, or the codecs that it wraps or combines. */
export const innerCodecs = (codec: Codec): ReadonlyArray<Codec> =>
  isKnown(codec) && codec._tag === 'DictionaryType'
    ? [codec.domain, codec.codomain]
    : Object.values(members(codec) ?? children(codec))

/** Maximum number of recursive codecs to follow. A definition that returns a new codec on each call would never end. */
const maxDefinitions = 1000

/** Returns all codecs that can be reached from a codec, in breadth-first order, starting with the codec itself. */
export const reachableCodecs = (
  codec: Codec,
  next: (one: Codec) => ReadonlyArray<Codec>,
): ReadonlyArray<Codec> => {
  const seen = new Set([codec])
  let definitions = 0
  // iteration over a set includes the elements that are added meanwhile
  for (const one of seen) {
    if (one._tag === 'RecursiveType' && ++definitions > maxDefinitions) continue
    for (const part of next(one)) seen.add(part)
  }
  return [...seen]
}

/** The contents of a codec, at any depth. */
interface CodecContents {
  readonly restrictions: ReadonlyArray<Restriction>
  readonly opaque: ReadonlyArray<Codec>
  readonly schemas: ReadonlyArray<StandardType<unknown, unknown>>
}

const contentsOf = (codec: Codec): CodecContents => {
  const known = knownContents.get(codec)
  if (known !== undefined) return known
  const within = reachableCodecs(codec, innerCodecs)
  const found: CodecContents = {
    restrictions: within.filter(isRestricted).map(({ restriction }) => restriction),
    opaque: within.filter(isOpaque),
    schemas: within.filter(isStandard),
  }
  knownContents.set(codec, found)
  return found
}

const knownContents = new WeakMap<Codec, CodecContents>()

const isStandard = (codec: Codec): codec is Codec & StandardType<unknown, unknown> =>
  codec._tag === 'StandardType' && 'keepsUndeclared' in codec

/** Returns all Standard Schemas in a codec, at any depth. */
export const schemasIn = (codec: Codec): ReadonlyArray<StandardType<unknown, unknown>> =>
  contentsOf(codec).schemas

/** Returns all restrictions in a codec, at any depth. */
export const restrictionsIn = (codec: Codec): ReadonlyArray<Restriction> =>
  contentsOf(codec).restrictions

/**
 * Returns the opaque codecs that encode restricted members, as far as this can be detected. A codec counts if its structure
 * contains a restriction, or if encoding an empty object or list reaches one. Otherwise, encoding a value throws a {@link
 * RestrictedEncodingError}.
 */
export const opaqueRestrictionsIn = (codec: Codec): ReadonlyArray<Codec> =>
  contentsOf(codec).opaque.filter((one) =>
    restrictionsIn(one).length > 0 ? !isKnown(one) : encodesRestricted(one),
  )

const encodesRestricted = (codec: Codec): boolean =>
  codec.encode !== t.identity &&
  [{}, [{}]].some((value) => {
    try {
      codec.encode(value)
      return false
    } catch (error) {
      return error instanceof Error && error.name === restrictedEncodingName
    }
  })

const restrictedEncodingName = new RestrictedEncodingError().name

/** Whether a codec has its own functions, which may call any other codec. Object codecs are rebuilt from their members. */
const isOpaque = (codec: Codec): boolean => {
  if (members(codec) !== undefined || transparent.has(codec._tag ?? '')) return false
  const [inner] = children(codec)
  return !(isGenuine(codec) || (inner !== undefined && delegatesTo(codec, inner)))
}

const transparent = new Set(['DictionaryType', 'ExactlyType', 'AttemptType', 'ExactType'])

/** Maximum depth of listed members, because recursive codecs have no end. */
const maxDepth = 8

/** Lists the restricted members of a codec with their paths, such as `author.salary`. */
export const restrictedMembers = (
  codec: Codec,
): ReadonlyArray<readonly [path: string, restriction: Restriction]> => {
  const seen = new Set<Codec>()
  const below = (
    one: Codec,
    path: ReadonlyArray<string>,
  ): ReadonlyArray<readonly [string, Restriction]> => {
    if (seen.has(one) || path.length > maxDepth || restrictionsIn(one).length === 0) return []
    seen.add(one)
    const own = members(one)
    const inside =
      own === undefined
        ? innerCodecs(one).flatMap((part) => below(part, path))
        : Object.entries(own).flatMap(([name, member]) => below(member, [...path, name]))
    seen.delete(one)
    return isRestricted(one) ? [[path.join('.'), one.restriction], ...inside] : inside
  }
  return below(codec, [])
}
