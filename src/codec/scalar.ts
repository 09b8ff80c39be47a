/**
 * Codecs for single values in JSON and in text. For example, `int` accepts a number in a JSON body and digits in a query
 * parameter.
 *
 * Before the text of a parameter is decoded, it is converted to a JavaScript value (`codec/schema/parameter-shape.ts`).
 */
import * as t from 'io-ts'
import { fromString } from './from-string.ts'
import * as EventStream from '../http/event-stream.ts'
import type { RejectedOptions } from './codec.ts'
import type { OptionalC } from './optional.ts'
import { optional } from './optional.ts'

/**
 * A codec for a string. In a query such as `?q=`, the value is an empty string. With codecs of other types, such a parameter is
 * considered missing.
 */
export const string: t.StringC = t.string

/**
 * A codec for `true` or `false`. A query parameter that consists only of its name is decoded as `true`.
 *
 * ```text
 * ?verbose         true
 * ?verbose=true    true
 * ?verbose=false   false
 * ?verbose=        missing
 * ?verbose=1       rejected, as are yes and TRUE
 * ```
 */
export const boolean: t.BooleanC = t.boolean

/** The type of {@link number}. Unlike `t.number`, it rejects `NaN`, `Infinity` and `-Infinity`. */
export interface NumberC extends t.RefinementType<t.NumberC, number, number> {}

/** The type of {@link int}. */
export interface IntC extends t.RefinementType<t.NumberC, number, number> {}

const numeric = (
  name: string,
  holds: (value: number) => boolean,
): t.RefinementType<t.NumberC, number, number> =>
  new t.RefinementType(
    name,
    (value): value is number => typeof value === 'number' && holds(value),
    (value, context) =>
      typeof value === 'number' && holds(value) ? t.success(value) : t.failure(value, context),
    t.identity,
    t.number,
    holds,
  )

/**
 * A codec for a finite number. A parameter must have the syntax of a JSON number, such as `7`, `-0.5` or `1e+21`. Text such as
 * `+7`, `07` or `7.` is rejected.
 */
export const number: NumberC = numeric('number', Number.isFinite)

/**
 * A codec for an integer from -(2^53 - 1) to 2^53 - 1. Use `bigint` for larger integers.
 *
 * In a parameter, an integer is written as an optional minus sign and digits without leading zeros. Each integer therefore has
 * exactly one text form. The same applies to `t.Int`.
 *
 * ```text
 * ?page=7          7
 * ?page=-7         -7
 * ?page=7.0        rejected, as are 7e0, +7, 07 and -0
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { int, number } from 'espalier'
 *
 * assert.deepEqual([3, -3, 1.5, 2 ** 53].map(int.is), [true, true, false, false])
 * assert.deepEqual([3, 1.5, NaN, Infinity].map(number.is), [true, true, false, false])
 * assert.equal(int.is('3'), false) // digits are converted only in parameters
 * ```
 */
export const int: IntC = numeric('int', Number.isSafeInteger)

/** An alias for {@link int}, named after the JSON Schema type. */
export const integer: IntC = int

/** A codec that accepts a fixed set of values. */
export class EnumType<A extends string | number> extends t.Type<A> {
  readonly _tag = 'EnumType' as const
  readonly values: ReadonlyArray<A>
  constructor(values: ReadonlyArray<A>) {
    const is = (value: unknown): value is A => values.some((member) => member === value)
    super(
      values.map((value) => JSON.stringify(value)).join(' | '),
      is,
      (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
      t.identity,
    )
    this.values = Object.freeze([...values])
  }
}

/**
 * Creates a codec that accepts only the given values. In a parameter, a number must be written as JavaScript formats it: for
 * example, `5` instead of `5.0`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { enumOf } from 'espalier'
 *
 * const direction = enumOf('asc', 'desc')
 *
 * assert.deepEqual(direction.decode('asc'), E.right('asc'))
 * assert.ok(E.isLeft(direction.decode('ASC')))
 * assert.equal(direction.name, '"asc" | "desc"') // validation errors contain: must be "asc" or "desc"
 * ```
 */
export function enumOf<
  const Values extends readonly [string | number, ...ReadonlyArray<string | number>],
>(...values: Values): EnumType<Values[number]>
// the type of an error
export function enumOf(values: RejectedOptions<"pass each value: enumOf('asc', 'desc')">): never
export function enumOf(...values: ReadonlyArray<string | number>): EnumType<string | number> {
  const others: ReadonlyArray<unknown> = values.filter((value) => !enumerable.has(typeof value))
  if (others.length > 0)
    throw new TypeError(
      `enumOf: expected strings or numbers, got ${Array.isArray(others[0]) ? 'an array' : typeof others[0]}: pass each value: enumOf('asc', 'desc')`,
    )
  return new EnumType(values)
}

const enumerable: ReadonlySet<string> = new Set(['string', 'number'])

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

const parseUuid = (text: string): string | undefined => {
  const lower = text.toLowerCase()
  return uuidPattern.test(lower) ? lower : undefined
}

/**
 * A codec for a UUID in text form. Decoding is case-insensitive and converts the UUID to lower case. Equal UUIDs are therefore
 * always decoded to the same string.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { uuid } from 'espalier'
 *
 * const id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
 *
 * assert.deepEqual(uuid.decode(id.toUpperCase()), E.right(id))
 * assert.ok(E.isLeft(uuid.decode(`{${id}}`)))
 * assert.ok(E.isLeft(uuid.decode(id.replaceAll('-', ''))))
 * ```
 */
export const uuid: t.Type<string, string> = fromString(
  'uuid',
  parseUuid,
  (value) => value.toLowerCase(),
  (value): value is string => typeof value === 'string' && parseUuid(value) !== undefined,
)

/**
 * A codec for the `Last-Event-ID` header. Use it as `header({ lastEventId })`. A reconnecting client sends the ID of the last
 * event that it received.
 *
 * The value is `undefined` if the client connects for the first time. Broadcasters read the header themselves and do not need
 * this codec.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { event, get, handle, header, int, lastEventId, path, produces, routes, sse } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const count = pipe(
 *   path('/count'),
 *   get(),
 *   header({ lastEventId }),
 *   produces(sse(int)),
 *   handle(function* ({ header: { lastEventId: last = '0' } }) {
 *     for (let n = Number(last) + 1; n <= 3; n++) yield event(undefined, n, { id: String(n) })
 *   }),
 * )
 * const request = new Request('http://localhost/count', { headers: { 'Last-Event-ID': '2' } })
 *
 * assert.equal(await (await inMemory(routes({ count }))(request)).text(), 'id: 3\ndata: 3\n\n')
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#the-last-event-id-header
 */
export const lastEventId: OptionalC<t.Type<string, string>> = optional(
  fromString(
    'id of an event',
    EventStream.parseLastEventId,
    EventStream.formatLastEventId,
    (value): value is string => typeof value === 'string',
  ),
)
