/** Types of schemas of zod, valibot and arktype in declarations. */
import { type } from 'arktype'
import { Schema } from 'effect'
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as v from 'valibot'
import { z } from 'zod'
import type { CallInput } from '../../src/client/client-types.ts'
import type { HalSchemaRepresentation } from '../../src/hal.ts'
import { hal } from '../../src/hal.ts'
import type { Client } from '../../src/client.ts'
import type { Event, InputOf, Representation, StandardSchema } from '../../src/index.ts'
import {
  as,
  body,
  broadcaster,
  described,
  fails,
  form,
  formDataPart,
  fromStandardSchema,
  get,
  handle,
  int,
  json,
  jsonStream,
  list,
  maxLength,
  multipartOutput,
  optional,
  optionalPart,
  part,
  path,
  post,
  produces,
  query,
  reply,
  secureField,
  segments,
  separated,
  slot,
  sse,
  strict,
  text,
  withDefault,
} from '../../src/index.ts'
import { linkId } from '../../src/links.ts'
import { xmlAttribute, xmlElement } from '../../src/xml.ts'

type CallOf<E> = E extends { readonly _S: infer S } ? CallInput<S> : never

const Book = z.object({ title: z.string(), copies: z.number().default(1) })
const Dated = z.object({ day: z.iso.date().transform((day) => new Date(day)) })

// the handler receives outputs, and a client sends inputs
const search = pipe(
  path('/books/{id}/{rest:.+}', { id: z.coerce.number<string>(), rest: segments(z.string()) }),
  get(),
  query({
    page: z.coerce.number<number | string>().default(1),
    tags: v.optional(v.array(v.string())),
    mode: type("'full'|'short'"),
    states: list(z.enum(['new', 'old'])),
    size: withDefault(z.coerce.number(), 20),
    text: optional(v.string()),
    count: Schema.toStandardSchemaV1(Schema.NumberFromString),
  }),
  produces(text),
  handle(() => ''),
)
expectTypeOf<InputOf<typeof search>>().toEqualTypeOf<{
  readonly path: { readonly id: number; readonly rest: ReadonlyArray<string> }
  readonly query: {
    readonly page: number
    readonly tags: string[] | undefined
    readonly mode: 'full' | 'short'
    readonly states: ReadonlyArray<'new' | 'old'>
    readonly size: number
    readonly text: string | undefined
    readonly count: number
  }
}>()
expectTypeOf<CallOf<typeof search>>().toEqualTypeOf<{
  readonly path: { readonly id: string; readonly rest: ReadonlyArray<string> }
  readonly query: {
    readonly page?: number | string | undefined
    readonly tags?: string[] | undefined
    readonly mode: 'full' | 'short'
    readonly states?: ReadonlyArray<'new' | 'old'> | undefined
    readonly size?: number | undefined
    readonly text?: string | undefined
    readonly count: string
  }
}>()

// bodies in several representations, and their parts
const add = pipe(
  path('/books'),
  post(),
  body(json(Book), as('application/vnd.day+json')(json(Dated))),
  produces(json(Book)),
  fails(409, json(v.object({ why: v.string() }))),
  handle(({ body: sent }) =>
    'day' in sent ? reply(409, { why: sent.day.toISOString() }) : { ...sent, copies: 2 },
  ),
)
expectTypeOf<InputOf<typeof add>['body']>().toEqualTypeOf<
  { title: string; copies: number } | { day: Date }
>()
expectTypeOf<CallOf<typeof add>['body']>().toEqualTypeOf<
  { title: string; copies?: number | undefined } | { day: string }
>()
declare const client: Client<{ readonly add: typeof add }>
const call = async () => {
  const result = await client.add({ body: { title: 'Emma' } })()
  return result._tag === 'Right' ? result.right.body : undefined
}
expectTypeOf<Awaited<ReturnType<typeof call>>>().toEqualTypeOf<
  { title: string; copies: number } | undefined
>()
const upload = pipe(
  path('/forms'),
  post(),
  form({ name: z.string(), dated: part(json(Dated)), other: optionalPart(part(json(Book))) }),
  produces(text),
  handle(({ form: { dated } }) => dated.day.toISOString()),
)
expectTypeOf<InputOf<typeof upload>['form']>().toEqualTypeOf<{
  readonly name: string
  readonly dated: { day: Date }
  readonly other: { title: string; copies: number } | undefined
}>()
expectTypeOf<CallOf<typeof upload>['form']>().toEqualTypeOf<{
  readonly name: string
  readonly dated: { day: string }
  readonly other?: { title: string; copies?: number | undefined } | undefined
}>()

// an output of effect that is not an input requires an encode function
const Loan = Schema.Struct({ due: Schema.DateFromString })
const loan = pipe(
  path('/'),
  post(),
  body(json(Schema.toStandardSchemaV1(Loan))),
  produces(json(fromStandardSchema(Schema.toStandardSchemaV1(Loan), Schema.encodeSync(Loan)))),
)
pipe(
  loan,
  handle(({ body: { due } }) => ({ due: new Date(due) })),
)
pipe(
  path('/'),
  get(),
  produces(json(Schema.toStandardSchemaV1(Loan))),
  // @ts-expect-error the output is not an input
  handle(() => ({ due: new Date() })),
)

// a handler returns outputs with all their members
const incomplete = pipe(path('/'), get(), produces(json(Book)))
pipe(
  incomplete,
  // @ts-expect-error the member copies is missing
  handle(() => ({ title: 'Emma' })),
)
// with an encode function, it returns outputs of another type
const encoded = fromStandardSchema(Dated, ({ day }) => ({ day: day.toISOString() }))
pipe(
  path('/'),
  get(),
  produces(json(encoded)),
  handle(() => ({ day: new Date() })),
)
// streams and events
pipe(
  path('/'),
  get(),
  produces(jsonStream(Book), sse(Book)),
  handle(() => [{ title: 'Emma', copies: 1 }]),
)

expectTypeOf(hal(Book)).toEqualTypeOf<
  HalSchemaRepresentation<z.input<typeof Book>, z.output<typeof Book>>
>()
// a HAL body is received as output, and sent as input
const halBody = pipe(
  path('/hal'),
  post(),
  body(hal(Dated)),
  produces(hal(Book)),
  handle(({ body: { day } }) => ({ title: day.toISOString(), copies: 1 })),
)
expectTypeOf<InputOf<typeof halBody>['body']>().toEqualTypeOf<{ day: Date }>()
expectTypeOf<CallOf<typeof halBody>['body']>().toEqualTypeOf<{ day: string }>()

// schemas in functions that annotate and wrap codecs
const Member = t.type({
  id: linkId(z.string()),
  name: described('The name.')(z.string()),
  count: xmlAttribute()(z.coerce.number<number>()),
  salary: secureField('chief')(v.number()),
  states: separated(',')(z.enum(['new', 'old'])),
  years: separated(',')(z.array(z.number())),
})
expectTypeOf<t.TypeOf<typeof Member>>().toEqualTypeOf<{
  id: string
  name: string
  count: number
  salary: number
  states: ReadonlyArray<'new' | 'old'>
  years: number[]
}>()
// codecs keep their types, also in pipes
expectTypeOf(described('A number.')(int)).toEqualTypeOf<typeof int>()
expectTypeOf(pipe(int, described('A number.'))).toEqualTypeOf<typeof int>()
expectTypeOf(linkId(t.string)).toEqualTypeOf<t.StringC>()
expectTypeOf(pipe(t.string, xmlElement('name'))._A).toEqualTypeOf<string>()
expectTypeOf(broadcaster(Book).publish)
  .parameter(0)
  .toEqualTypeOf<{ title: string; copies: number } | Event<{ title: string; copies: number }>>()
// fields and parts of a form in a response
multipartOutput({ title: z.string(), tags: z.array(z.string()), book: json(Book) })
formDataPart('title', 'Emma', z.string())
// @ts-expect-error the value is not a string
formDataPart('title', 1, z.string())

// schemas in other functions are type errors
// @ts-expect-error use fromStandardSchema
t.type({ title: z.string() })
// @ts-expect-error use fromStandardSchema
t.array(z.string())
// @ts-expect-error declare the constraint in the schema
maxLength(5)(z.string())
// @ts-expect-error use z.strictObject
strict(Book)
t.type({ title: fromStandardSchema(z.string()), authors: t.array(fromStandardSchema(v.string())) })
expectTypeOf(json(fromStandardSchema(z.string()))).toEqualTypeOf<
  Representation<string, 'application/json'>
>()
expectTypeOf(slot(z.coerce.number())('id')._A).toEqualTypeOf<number>()

// schemas with type parameters
const defaulted = <A>(schema: StandardSchema<A, A>, value: A) => withDefault(schema, value)
export const defaultedOutput = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  withDefault(schema, value)
expectTypeOf(defaulted(z.string(), '')._A).toEqualTypeOf<string>()
