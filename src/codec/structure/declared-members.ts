/** The members that a codec declares. A union declares the members of all its codecs. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { isKnown } from './known-codec.ts'
import { children, members } from './codec-structure.ts'

/**
 * Returns the codecs that are declared for a member, or for all members if no name is given. Elements of arrays have no name.
 * A codec without structure, such as `t.unknown` or an opaque codec, accepts any member and is returned itself.
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

/** Whether an object codec declares a member. `__proto__` never counts, because io-ts writes members by assignment. */
export const isMemberOf =
  (props: Readonly<Record<string, Codec>>) =>
  (name: string): boolean =>
    name !== '__proto__' && Object.hasOwn(props, name)

/** Whether a record accepts a key, in decoded or encoded form. `__proto__` is never accepted. */
export const isRecordKey =
  (domain: Codec) =>
  (name: string): boolean =>
    name !== '__proto__' && (domain.is(name) || isRight(domain.decode(name)))

const sequences = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType', 'TupleType'])

/** Codecs whose values have no members. */
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
