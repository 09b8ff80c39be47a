/** Lists, tuples and sets: a copy is made from the first element on of which something became. */
import * as t from 'io-ts'
import { holdsObjects } from '../../known-codec.ts'
import type { Functions, Of } from '../runtime.ts'
import { decodeBy, refused } from '../runtime.ts'
import type { ListSchema, SetSchema, TupleSchema } from '../schema.ts'
import { isWrittenAsIs } from '../schema.ts'

export const ofList = (schema: ListSchema, of: Of): Functions => {
  const { element, codec } = schema
  const { decode, encode, is } = of(element)
  return {
    decode: (value) => (t.UnknownArray.is(value) ? mapped(value, () => decode) : refused),
    encode: isWrittenAsIs(schema)
      ? t.identity
      : (value) =>
          t.UnknownArray.is(value) ? mapped(value, () => encode, true) : codec.encode(value),
    is: (value) => t.UnknownArray.is(value) && value.every(is),
  }
}

export const ofTuple = (schema: TupleSchema, of: Of): Functions => {
  const { elements, codec } = schema
  const functions = elements.map(of)
  const isWhole = (value: unknown): value is ReadonlyArray<unknown> =>
    t.UnknownArray.is(value) && value.length === elements.length
  const decodes = functions.map(({ decode }) => decode)
  // a tuple with objects inside is ours (`codec/assemble.ts`), and always made anew
  const anew = holdsObjects(codec)
  const decode = (value: ReadonlyArray<unknown>): unknown =>
    mapped(anew ? Array.from(value) : value, (position) => decodes[position])
  return {
    decode: (value) => (isWhole(value) ? decode(value) : decodeBy(codec, value)),
    encode: isWrittenAsIs(schema)
      ? t.identity
      : (value) =>
          isWhole(value)
            ? functions.map(({ encode }, position) => encode(value[position]))
            : codec.encode(value),
    is: (value) => isWhole(value) && functions.every(({ is }, position) => is(value[position])),
  }
}

export const ofSet = ({ element, arrange, codec }: SetSchema, of: Of): Functions => {
  const { decode, encode, is } = of(element)
  return {
    decode: (value) => {
      if (!t.UnknownArray.is(value)) return refused
      const values = mapped(value, () => decode)
      return values === refused ? refused : new Set(arrange(values))
    },
    encode: (value) =>
      value instanceof Set ? Array.from(value, (one) => encode(one)) : codec.encode(value),
    is: (value) => value instanceof Set && [...value].every(is),
  }
}

type Change = (value: unknown) => unknown

/**
 * The values changed one by one, or the same array when nothing became of any; refused when one is. A position without an
 * element has the value `undefined`, unless it is skipped.
 */
const mapped = (
  values: ReadonlyArray<unknown>,
  changeAt: (position: number) => Change | undefined,
  skipsHoles = false,
): ReadonlyArray<unknown> | typeof refused => {
  let result: unknown[] | undefined
  for (let position = 0; position < values.length; position++) {
    const from = values[position]
    if (skipsHoles && from === undefined && !(position in values)) continue
    const to = changeAt(position)?.(from)
    if (to === refused) return refused
    if (to === from) continue
    result ??= values.slice()
    result[position] = to
  }
  return result ?? values
}
