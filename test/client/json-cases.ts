/** Arbitrary codecs, each with arbitrary values that JSON can represent. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { sample } from '../support/sample.ts'

/** Returns what JSON preserves of a value: members without `undefined`, sets as arrays, and 0 for -0. */
export const withoutUndefined = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (value instanceof Set) return [...value].map(withoutUndefined)
  if (!t.UnknownRecord.is(value)) return Object.is(value, -0) ? 0 : value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key, withoutUndefined(member)]],
    ),
  )
}

/** A codec with values. */
export interface Case {
  readonly codec: t.Type<unknown>
  readonly values: ReadonlyArray<unknown>
}

/** Returns a value as text, with elements that are `undefined`. */
export const toText = (value: unknown): string =>
  JSON.stringify(withoutUndefined(value), (_, member: unknown) =>
    member === undefined ? 'undefined' : member,
  )

/** Whether JSON can represent a value: neither it nor one of its elements is `undefined`. */
export const isJson = (codec: t.Mixed, value: unknown): boolean => {
  const encoded = JSON.stringify(codec.encode(value)) as string | undefined
  if (encoded === undefined) return false
  const decoded = codec.decode(JSON.parse(encoded))
  return E.isRight(decoded) && toText(decoded.right) === toText(value)
}

export const cases: fc.Arbitrary<Case> = sample.chain(({ codec, value }) =>
  fc
    .array(
      value.filter((candidate) => isJson(codec, candidate)),
      { maxLength: 8 },
    )
    .map((values) => ({
      codec: codec as t.Type<unknown>,
      values,
      [fc.toStringMethod]: () => `${codec.name}: ${fc.stringify(values)}`,
    })),
)
