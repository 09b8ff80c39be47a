/** Members that not everybody sees, in contents that are written for nobody in particular. */
import type { Codec } from '../codec/codec.ts'
import { isKnown } from '../codec/known-codec.ts'
import { children, members } from '../codec/structure.ts'

/** Whether a restriction stands in the codec of a member, and no other object between: nobody is shown it then. */
export const isRestricted = (member: Codec): boolean => {
  const seen = new Set<Codec>()
  const reaches = (one: Codec): boolean => {
    if (seen.has(one)) return false
    seen.add(one)
    if (one._tag === 'RestrictedType') return true
    const inside = isKnown(one) && one._tag === 'DictionaryType' ? [one.codomain] : children(one)
    return members(one) === undefined && inside.some(reaches)
  }
  return reaches(member)
}
