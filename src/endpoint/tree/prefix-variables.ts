/**
 * The variables in the prefixes of trees: their slots, their codecs, and the configuration errors in their
 * declarations. Servers and clients use these functions.
 */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import type { ParameterMap } from '../endpoint.ts'
import { toCodec } from '../representation.ts'
import type { Wrapper } from '../routes.ts'
import { parse, variables } from '../definition/path-template.ts'
import type { AnySlot, PathSlot } from '../definition/slot-types.ts'
import { isObject } from '../../http/platform-value.ts'

/** A variable in the prefix of a tree, and the slot that it fills. */
export interface PrefixVariable {
  readonly name: string
  readonly slot: AnySlot
}

type Prefix = Extract<Wrapper, { readonly _tag: 'Prefix' }>

/** Returns the variables of a prefix that have a slot. */
export const prefixVariables = ({ slots }: Prefix): ReadonlyArray<PrefixVariable> =>
  slots === undefined
    ? none
    : Array.from(slots, ([name, slot]) => ({ name, slot })).filter(({ slot }) => isSlot(slot))

const none: ReadonlyArray<never> = []

/** Returns the codec of a slot. A slot without a codec accepts every string. */
export const codecOfSlot = (slot: AnySlot): Codec =>
  hasCodec(slot) ? toCodec(slot.codec) : t.string

const hasCodec = (slot: AnySlot): slot is PathSlot<string, unknown> => 'codec' in slot

/** Adds the codecs of prefix variables to the codecs of the variables in the template of an operation. */
export const withPrefixCodecs = (
  inherited: ReadonlyArray<PrefixVariable>,
  own: ParameterMap,
): ParameterMap =>
  inherited.length === 0
    ? own
    : new Map([...inherited.map(({ name, slot }) => [name, codecOfSlot(slot)] as const), ...own])

/**
 * Returns a description of each configuration error in the variables of a prefix. Invalid templates are reported for
 * the operations of the tree instead, with their complete templates.
 */
export const prefixErrors = ({ path, slots = new Map() }: Prefix): ReadonlyArray<string> => {
  const parsed = parse(path)
  if (isLeft(parsed)) return none
  const names = variables(parsed.right).map(({ name }) => name)
  return [
    ...[...new Set(names)].flatMap((name) => {
      const slot: unknown = slots.get(name)
      if (slot === undefined)
        return [`no slot for {${name}}: declare it with prefix('${path}', { ${name}: … })`]
      return isSlot(slot) ? [] : [`the value for {${name}} is not a slot: create it with slot(…)`]
    }),
    ...[...new Set(names.filter((name, index) => names.indexOf(name) !== index))].map(
      (name) => `{${name}} occurs twice in ${path}: rename one of the variables`,
    ),
    ...[...slots.keys()]
      .filter((name) => !names.includes(name))
      .map((name) => `${path} has no variable {${name}}: remove its slot`),
  ]
}

/** Whether a value is a slot. The types guarantee this, but applications in JavaScript can pass any value. */
const isSlot = (value: unknown): boolean =>
  isObject(value) && 'key' in value && typeof value.key === 'string' && value.key !== '__proto__'

/** Returns the names of the variables that occur in two prefixes, or in a prefix and in the template of an operation. */
export const repeatedVariables = (
  inherited: ReadonlyArray<PrefixVariable>,
  own: ParameterMap,
): ReadonlySet<string> => {
  const names = inherited.map(({ name }) => name)
  return new Set(names.filter((name, index) => own.has(name) || names.indexOf(name) !== index))
}

/** Returns the instructions for fixing a repeated variable. */
export const repeatedVariable = (name: string): string =>
  `the variable {${name}} of a prefix is declared again below it: rename one of them`
