/** The declared members of object codecs. */
import type { Codec } from '../../codec/codec.ts'
import { children, members } from '../../codec/structure/codec-structure.ts'
import { lexicalOf } from './text-codecs.ts'
import { unwrap } from './unwrap-codec.ts'

/** A declaration of a member. */
export interface Declared {
  readonly codec: Codec
  /** Whether it may be missing. */
  readonly isPartial: boolean
}

/** Reports a configuration error of the object. */
type Report = (error: string) => void

/** Returns the declarations of each member. An intersection may declare a member several times. */
export const declaredMembers = (
  core: Codec,
  report: Report,
): ReadonlyMap<string, readonly [Declared, ...Declared[]]> => {
  const byKey = new Map<string, readonly [Declared, ...Declared[]]>()
  for (const object of objects(core, report))
    for (const [key, codec] of Object.entries(members(object) ?? {})) {
      const one = { codec, isPartial: object._tag === 'PartialType' }
      const before = byKey.get(key)
      // io-ts does not write this member
      if (key !== '__proto__') byKey.set(key, before === undefined ? [one] : [...before, one])
    }
  return byKey
}

/** Returns the object codecs that a codec consists of. */
const objects = (core: Codec, report: Report): ReadonlyArray<Codec> => {
  if (members(core) !== undefined) return [core]
  if (core._tag === 'IntersectionType')
    return children(core).flatMap((part) => {
      const { codecs } = unwrap(part)
      const [only, ...others] = codecs
      if (only !== undefined && others.length === 0) return objects(only, report)
      report('unsupported union in an intersection')
      return []
    })
  report(`${core.name} cannot be represented in XML`)
  return []
}

/** Whether parts of an intersection declare a member differently, so that one part could reveal what another hides. */
export const hasConflict = ([{ codec }, ...others]: readonly [Declared, ...Declared[]]): boolean =>
  others.some((one) => one.codec !== codec) &&
  [codec, ...others.map((one) => one.codec)].some((one) => lexicalOf(one) === undefined)
