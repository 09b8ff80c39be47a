/**
 * What a codec declares of the members of its values, read off its structure, whatever the value. Of a union it is what
 * any of its codecs declares.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { isKnown } from './known-codec.ts'
import { children, members } from './codec-structure.ts'

/**
 * The codecs that a codec has for a member of its values, or for all when it is not said which; none when it declares no
 * such member. Elements of a sequence have no names. A codec whose structure says nothing, as `t.unknown` and opaque
 * ones, may take any member and stands for each of them itself.
 */
export const declaredCodecs =
  (name?: string) =>
  (codec: Codec): ReadonlyArray<Codec> => {
    const props = members(codec)
    if (props !== undefined)
      return Object.keys(props)
        .filter((key) => name === undefined || (key === name && isMemberOf(props)(key)))
        .flatMap((key) => props[key] ?? [])
    if (isKnown(codec) && codec._tag === 'DictionaryType')
      return name === undefined || isRecordKey(codec.domain)(name) ? [codec.codomain] : []
    const inner = children(codec)
    if (inner.length === 0) return scalars.has(codec._tag ?? '') ? [] : [codec]
    return sequences.has(codec._tag ?? '') ? inner : inner.flatMap(declaredCodecs(name))
  }

/** Whether members of an object codec include one. `__proto__` is never one: io-ts writes members by assignment. */
export const isMemberOf =
  (props: Readonly<Record<string, Codec>>) =>
  (name: string): boolean =>
    name !== '__proto__' && Object.hasOwn(props, name)

/** Whether a record has room for a key, as it is read or as it is written. `__proto__` is never one. */
export const isRecordKey =
  (domain: Codec) =>
  (name: string): boolean =>
    name !== '__proto__' && (domain.is(name) || isRight(domain.decode(name)))

const sequences = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType', 'TupleType'])

/** The codecs that accept nothing with members. */
const scalars = new Set([
  'NullType',
  'UndefinedType',
  'VoidType',
  'StringType',
  'NumberType',
  'BigIntType',
  'BooleanType',
  'LiteralType',
  'KeyofType',
  'EnumType',
  'NeverType',
])
