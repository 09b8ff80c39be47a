/**
 * Whether a codec is what its tag says. Libraries change codecs by copying them with their tag and putting other functions
 * in (`withValidate`, `withFallback` and `withMessage` of io-ts-types), and such a codec means what its functions do.
 *
 * A function cannot be asked for its meaning, but for its source: a codec counts as genuine when its functions are written
 * as those of a specimen with the same tag, made by io-ts or by us. One that is not is called as it is.
 */
import * as t from 'io-ts'
import { withDefault } from '../optional.ts'
import { intersection, tuple } from './combine.ts'
import { attempt } from '../parameter/attempt.ts'
import type { Codec } from '../codec.ts'
import { list, set } from '../collection.ts'
import { atLeast } from '../constraint.ts'
import { fromString } from '../from-string.ts'
import { recursive } from './recursive.ts'
import { RestrictedType } from '../visibility/restricted-member.ts'
import { enumOf, int } from '../scalar.ts'
import { children } from './codec-structure.ts'

/** Whether the functions of a codec are those that belong to its tag. */
export const isGenuine = (codec: Codec): boolean => {
  const known = sourcesByTag().get(codec._tag ?? '')
  return known !== undefined && sourcesOf(codec).every((text, part) => known[part]?.has(text))
}

/** Whether a codec only passes on what the one inside does. */
export const delegatesTo = (codec: Codec, inner: Codec): boolean =>
  codec.is === inner.is && codec.validate === inner.validate && codec.encode === inner.encode

type FunctionSources = readonly [is: string, validate: string, encode: string]

const sourcesOf = (codec: Codec): FunctionSources => {
  const [inner] = delegating.has(codec._tag ?? '') ? children(codec) : []
  const text = (name: 'is' | 'validate' | 'encode'): string =>
    inner !== undefined && codec[name] === inner[name] ? '' : String(codec[name])
  return [text('is'), text('validate'), text('encode')]
}

/** Kinds that take over functions of the codec inside, whose sources are nobody's business: they count as empty. */
const delegating: ReadonlySet<string> = new Set([
  'RefinementType',
  'WithDefaultType',
  'RestrictedType',
])

let knownSources: ReadonlyMap<string, ReadonlyArray<ReadonlySet<string>>> | undefined

/** The sources of `is`, `validate` and `encode` by tag; gathered when they are first asked for. */
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

/** One of each kind; a kind that encodes by identity where it can is there twice. */
const sampleCodecs = (): ReadonlyArray<Codec> => {
  const other = fromString('', String, String)
  // not by the name that applications use: nothing is restricted in a process where nobody says so
  const restricted = new RestrictedType(t.string, { _tag: 'Roles', roles: [] })
  const [one, two] = [t.type({ tag: t.literal(1) }), t.type({ tag: t.literal(2) })]
  const [three, four] = [t.type({ tag: t.literal(3), other }), t.type({ tag: t.literal(4), other })]
  const kinds: ReadonlyArray<ReadonlyArray<Codec>> = [
    [t.null, t.undefined, t.void, t.unknown, new t.AnyType(), t.Function],
    [t.string, t.number, t.bigint, t.boolean, t.UnknownArray, t.UnknownRecord],
    [t.literal(''), t.keyof({ a: null }), enumOf('')],
    [t.refinement(t.string, () => true), int, atLeast(0)(int)],
    [t.recursion<string>('', () => t.string), recursive('', () => t.string)],
    [withDefault(t.string, ''), restricted],
    [t.array(t.string), t.array(other), list(t.string), list(other), set(t.string)],
    [t.union([t.string, t.number]), t.union([t.string, other])],
    [t.union([one, two]), t.union([three, four])],
    [t.tuple([t.string, t.string]), t.tuple([t.string, other]), tuple('', [])],
    [t.intersection([t.string, t.string]), t.intersection([t.string, other])],
    [intersection('', [])],
    [attempt(t.string)],
  ]
  return kinds.flat()
}
