/** What codecs of objects declare, member by member. */
import type { Codec } from '../../codec/codec.ts'
import { children, members } from '../../codec/structure/codec-structure.ts'
import { textOf } from './text-codecs.ts'
import { strip } from './unwrap-codec.ts'

/** A declaration of a member. */
export interface Declared {
  readonly codec: Codec
  /** Whether it may be missing. */
  readonly isPartial: boolean
}

/** Says what is wrong at the place of the object. */
type Wrong = (what: string) => void

/** What is declared of each member; an intersection may say it more than once. */
export const declaredMembers = (
  core: Codec,
  wrong: Wrong,
): ReadonlyMap<string, readonly [Declared, ...Declared[]]> => {
  const byKey = new Map<string, readonly [Declared, ...Declared[]]>()
  for (const object of objects(core, wrong))
    for (const [key, codec] of Object.entries(members(object) ?? {})) {
      const one = { codec, isPartial: object._tag === 'PartialType' }
      const before = byKey.get(key)
      // io-ts writes no such member
      if (key !== '__proto__') byKey.set(key, before === undefined ? [one] : [...before, one])
    }
  return byKey
}

/** The objects whose members are those of a codec. */
const objects = (core: Codec, wrong: Wrong): ReadonlyArray<Codec> => {
  if (members(core) !== undefined) return [core]
  if (core._tag === 'IntersectionType')
    return children(core).flatMap((part) => {
      const { codecs } = strip(part)
      const [only, ...others] = codecs
      if (only !== undefined && others.length === 0) return objects(only, wrong)
      wrong('a union cannot be a part of an intersection')
      return []
    })
  wrong(`${core.name} has no form in XML`)
  return []
}

/** Parts of an intersection that do not agree could show what one of them hides. */
export const disagree = ([{ codec }, ...others]: readonly [Declared, ...Declared[]]): boolean =>
  others.some((one) => one.codec !== codec) &&
  [codec, ...others.map((one) => one.codec)].some((one) => textOf(one) === undefined)
