/** The inputs of calls: members with a default and optional members can be omitted, at any depth. */
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as v from 'valibot'
import { z } from 'zod'
import type { CallInput } from '../../src/client.ts'
import {
  as,
  body,
  constrained,
  strict,
  form,
  int,
  json,
  list,
  optional,
  optionalPart,
  part,
  path,
  post,
  withDefault,
} from '../../src/index.ts'
import { hal } from '../../src/hal.ts'
import { xml } from '../../src/xml.ts'

type InputOf<E> = E extends { readonly _S: infer S } ? CallInput<S> : never

const Inner = t.type({ size: withDefault(int, 1), name: t.string })
interface SentInner {
  size?: number | undefined
  name: string
}
type Sent = { name: string; size?: number | undefined }

// a member with a default is optional in the input of a call, and required for the handler
const one = pipe(path('/'), post(), body(json(Inner)))
expectTypeOf<InputOf<typeof one>>().toEqualTypeOf<{ readonly body: Sent }>()
expectTypeOf<InputOf<typeof one>['body']>().toEqualTypeOf<SentInner>()

// all members have a default, but the body itself is required
const all = pipe(path('/'), post(), body(json(t.type({ size: withDefault(int, 1) }))))
expectTypeOf<InputOf<typeof all>>().toEqualTypeOf<{
  readonly body: { size?: number | undefined }
}>()

// a body with a default can be omitted
const whole = pipe(path('/'), post(), body(json(withDefault(Inner, { size: 1, name: '' }))))
expectTypeOf<InputOf<typeof whole>>().toEqualTypeOf<{ readonly body?: Sent | undefined }>()

// in other codecs
const nested = pipe(
  path('/'),
  post(),
  body(
    json(
      t.type({
        array: t.array(Inner),
        list: list(Inner),
        few: constrained(
          'a few',
          ({ length }: ReadonlyArray<t.TypeOf<typeof Inner>>) => length < 3,
        )(list(Inner)),
        record: t.record(t.string, Inner),
        tuple: t.tuple([Inner, t.string]),
        union: t.union([Inner, t.string]),
        both: t.intersection([Inner, t.partial({ more: Inner })]),
        readonly: t.readonly(Inner),
        exact: t.exact(Inner),
        optional: optional(t.string),
        schema: withDefault(z.object({ size: z.number().default(1) }), { size: 1 }),
        valibot: list(v.object({ size: v.optional(v.number(), 1) })),
      }),
    ),
  ),
)
expectTypeOf<InputOf<typeof nested>['body']>().toEqualTypeOf<{
  array: Sent[]
  list: readonly Sent[]
  few: readonly Sent[]
  record: { [x: string]: Sent }
  tuple: [Sent, string]
  union: Sent | string
  both: Sent & { more?: Sent }
  readonly: Readonly<Sent>
  exact: Sent
  optional?: string | undefined
  schema?: { size?: number | undefined } | undefined
  valibot: readonly { size?: number | undefined }[]
}>()

// other media types, alternatives and parts of forms
const changed = pipe(path('/'), post(), body(as('application/vnd.a+json')(json(Inner)), xml(Inner)))
expectTypeOf<InputOf<typeof changed>['body']>().toEqualTypeOf<Sent>()
const resource = pipe(path('/'), post(), body(hal(Inner)))
expectTypeOf<InputOf<typeof resource>['body']>().toEqualTypeOf<Sent>()
const parts = pipe(
  path('/'),
  post(),
  form({ a: part(json(Inner)), b: optionalPart(part(json(Inner))) }),
)
expectTypeOf<InputOf<typeof parts>['form']>().toEqualTypeOf<{
  readonly a: Sent
  readonly b?: Sent | undefined
}>()

// codecs without such members, and codecs whose structure is unknown, have the type of decoded values
interface Price {
  readonly price: number
}
const price: t.Type<Price> = t.type({ price: t.number })
const plain = pipe(path('/'), post(), body(json(t.type({ price, at: strict(price) }))))
expectTypeOf<InputOf<typeof plain>['body']>().toEqualTypeOf<{ price: Price; at: Price }>()

// @ts-expect-error the member without a default is required
export const missing: InputOf<typeof one> = { body: { size: 1 } }
// @ts-expect-error the member has another type
export const other: InputOf<typeof one> = { body: { size: '1', name: '' } }
