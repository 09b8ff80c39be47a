/** Arbitrary codecs with arbitrary values of them that JSON can say, and what it says of a value. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { sample } from './sample.ts'

/** A value without members that are `undefined`, which JSON leaves out. */
export const said = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(said)
  if (value instanceof Set) return [...value].map(said)
  if (!t.UnknownRecord.is(value)) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, said(one)]])),
  )
}

export interface Case {
  readonly codec: t.Type<unknown>
  readonly values: ReadonlyArray<unknown>
}

/** A value as text, in which an element that is `undefined` shows. */
export const shown = (value: unknown): string =>
  JSON.stringify(said(value), (_, one: unknown) => (one === undefined ? 'undefined' : one))

/** Whether JSON can say a value as one that is there: not `undefined`, nor one with an element that is. */
export const isJson = (codec: t.Mixed, value: unknown): boolean => {
  const written = JSON.stringify(codec.encode(value)) as string | undefined
  if (written === undefined) return false
  const read = codec.decode(JSON.parse(written))
  return E.isRight(read) && shown(read.right) === shown(value)
}

export const cases: fc.Arbitrary<Case> = sample.chain(({ codec, value }) =>
  fc
    .array(
      value.filter((one) => isJson(codec, one)),
      { maxLength: 8 },
    )
    .map((values) => ({
      codec: codec as t.Type<unknown>,
      values,
      [fc.toStringMethod]: () => `${codec.name}: ${fc.stringify(values)}`,
    })),
)
