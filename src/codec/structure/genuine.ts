/**
 * Detects codecs whose functions were replaced.
 *
 * Some libraries customize codecs by copying them, including the tag, and replacing functions. Examples are `withValidate`,
 * `withFallback` and `withMessage` from io-ts-types. The tag of such a copy does not describe its behavior.
 *
 * A codec is genuine if its functions have the same source text as those of a sample codec with the same tag. If a codec is not
 * genuine, its functions are called, and its behavior is not derived from its tag.
 */
import * as t from 'io-ts'
import { withDefault } from '../optional.ts'
import { attempt, segments } from './parameter-codecs.ts'
import type { Codec } from '../codec.ts'
import { atLeast } from '../constraint.ts'
import { fromString } from '../from-string.ts'
import { RestrictedType } from './restricted-member.ts'
import { enumOf, int } from '../scalar.ts'
import { children } from '../codec-structure.ts'
import { SetType, RestTupleType } from './collection-types.ts'
import { XmlType } from './known-codec.ts'

/** Whether a codec has a known tag and none of its functions have been replaced. */
export const isGenuine = (codec: Codec): boolean => {
  const known = sourcesByTag().get(codec._tag ?? '')
  return known !== undefined && sourcesOf(codec).every((text, part) => known[part]?.has(text))
}

type FunctionSources = readonly [is: string, validate: string, encode: string]

const sourcesOf = (codec: Codec): FunctionSources => {
  const [inner] = delegating.has(codec._tag ?? '') ? children(codec) : []
  const text = (name: 'is' | 'validate' | 'encode'): string =>
    inner !== undefined && codec[name] === inner[name] ? '' : String(codec[name])
  return [text('is'), text('validate'), text('encode')]
}

/**
 * The tags of codecs that can share functions with their inner codec. Shared functions are not compared with those of the sample
 * codecs.
 */
const delegating: ReadonlySet<string> = new Set([
  'RefinementType',
  'WithDefaultType',
  'RestrictedType',
  'XmlType',
])

let knownSources: ReadonlyMap<string, ReadonlyArray<ReadonlySet<string>>> | undefined

/** Returns the source text of `is`, `validate` and `encode` for each tag. The texts are collected on the first call. */
const sourcesByTag = (): ReadonlyMap<string, ReadonlyArray<ReadonlySet<string>>> => {
  if (knownSources !== undefined) return knownSources
  const byTag = new Map<string, ReadonlyArray<Set<string>>>()
  for (const codec of sampleCodecs()) {
    const tag = codec._tag ?? ''
    const sets = byTag.get(tag) ?? [new Set(), new Set(), new Set()]
    byTag.set(tag, sets)
    for (const [part, text] of sourcesOf(codec).entries()) sets[part]?.add(text)
  }
  knownSources = byTag
  return byTag
}

/**
 * Creates sample codecs for each tag. Some tags need two samples, because io-ts uses a different `encode` function if encoding
 * does not change the values.
 */
const sampleCodecs = (): ReadonlyArray<Codec> => {
  const other = fromString('', String, String)
  const restricted = new RestrictedType(t.string, { _tag: 'Roles', roles: [] })
  const [one, two] = [t.type({ tag: t.literal(1) }), t.type({ tag: t.literal(2) })]
  const [three, four] = [t.type({ tag: t.literal(3), other }), t.type({ tag: t.literal(4), other })]
  const kinds: ReadonlyArray<ReadonlyArray<Codec>> = [
    [t.null, t.undefined, t.void, t.unknown, new t.AnyType(), t.Function],
    [t.string, t.number, t.bigint, t.boolean, t.UnknownArray, t.UnknownRecord],
    [t.literal(''), t.keyof({ a: null }), enumOf('')],
    [t.refinement(t.string, () => true), int, atLeast(0)(int)],
    [t.recursion<string>('', () => t.string)],
    [withDefault(t.string, ''), restricted],
    [new XmlType(t.string, { _tag: 'Value' })],
    [t.array(t.string), t.array(other), t.readonlyArray(t.string), t.readonlyArray(other)],
    [new SetType('', t.string, (values) => values), segments(t.string), segments(other)],
    [t.union([t.string, t.number]), t.union([t.string, other])],
    [t.union([one, two]), t.union([three, four])],
    [t.tuple([t.string, t.string]), t.tuple([t.string, other])],
    [t.intersection([t.string, t.string]), t.intersection([t.string, other])],
    [attempt(t.string), new RestTupleType([t.string], t.string)],
  ]
  return kinds.flat()
}
