/** Types of schemas in parameters: a schema whose input is no text rejects each request. */
import { type } from 'arktype'
import { Schema } from 'effect'
import { expectTypeOf } from 'expect-type'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as v from 'valibot'
import { z } from 'zod'
import type { InputOf, StandardSchema } from '../../src/index.ts'
import {
  cookie,
  form,
  fromStandardSchema,
  get,
  header,
  int,
  json,
  list,
  matrix,
  optional,
  part,
  path,
  post,
  query,
  segments,
  upload,
} from '../../src/index.ts'

const { toStandardSchemaV1: standard } = Schema

// inputs that are text, include text, or are not known
query({ a: z.string(), b: z.enum(['a', 'b']), c: z.literal('a'), d: z.email().optional() })
query({ a: z.coerce.number(), b: z.coerce.boolean(), c: z.stringbool(), d: z.coerce.date() })
query({ a: z.coerce.number<string>(), b: z.coerce.number<string | number>().default(1) })
query({ a: z.string().transform(Number), b: z.string().pipe(z.transform(Number)), c: z.any() })
query({ a: z.unknown(), b: z.preprocess(Number, z.number()), c: z.union([z.number(), z.string()]) })
query({ a: z.codec(z.string(), z.number(), { decode: Number, encode: String }) })
query({ a: z.array(z.string()), b: z.array(z.coerce.number()), c: z.string().brand<'Id'>() })
query({ a: z.array(z.string()).readonly().optional(), b: z.string().nullable(), c: int })
query({ a: v.string(), b: v.pipe(v.string(), v.toNumber()), c: v.optional(v.array(v.string())) })
query({ a: type('string.numeric.parse'), b: type("number|'all'"), c: type("'a'|'b'") })
query({ a: standard(Schema.String), b: standard(Schema.NumberFromString), c: t.number })
query({ a: fromStandardSchema(z.string()), b: optional(z.coerce.number()), c: list(z.string()) })
header({ a: z.coerce.number() })
cookie({ a: z.coerce.number(), b: t.boolean })
matrix({ a: v.string() })
form({ a: z.coerce.number(), b: upload, c: part(json(z.object({ a: z.number() }))), d: int })
path('/{a}/{b}/{c}', { a: z.coerce.number(), b: int, c: segments(z.string()) })
pipe(path('/'), get('/{a}', { a: z.coerce.number() }))
pipe(path('/'), post('/{a}', { a: type('string.numeric.parse') }))

// generic code, with the inputs that the constraint allows
const paging = <S extends StandardSchema<string, number>>(page: S) => query({ page })
const paged = pipe(path('/'), get(), paging(z.string().transform(Number)))
expectTypeOf<InputOf<typeof paged>['query']['page']>().toEqualTypeOf<number>()
declare const anySchema: StandardSchema<unknown, Date>
query({ a: anySchema })

// @ts-expect-error a number of zod
query({ a: z.number() })
// @ts-expect-error an integer of zod and other parameters
query({ a: z.string(), b: int, c: z.int() })
// @ts-expect-error an optional number of zod
query({ a: z.number().optional() })
// @ts-expect-error a default does not convert text
query({ a: z.number().default(1) })
// @ts-expect-error a boolean of zod
query({ a: z.boolean() })
// @ts-expect-error a bigint of zod
query({ a: z.bigint() })
// @ts-expect-error a date of zod
query({ a: z.date() })
// @ts-expect-error a list of numbers of zod
query({ a: z.array(z.number()) })
// @ts-expect-error a literal of zod
query({ a: z.literal(1) })
// @ts-expect-error a union without text
query({ a: z.union([z.number(), z.boolean()]) })
// @ts-expect-error a number of valibot
query({ a: v.number() })
// @ts-expect-error an optional boolean of valibot
query({ a: v.optional(v.boolean()) })
// @ts-expect-error a number of arktype
query({ a: type('number') })
// @ts-expect-error a number of effect
query({ a: standard(Schema.Number) })
// @ts-expect-error a schema that is converted to a codec
query({ a: fromStandardSchema(z.number()) })
// @ts-expect-error a header
header({ a: z.number() })
// @ts-expect-error a cookie
cookie({ a: z.number() })
// @ts-expect-error a matrix parameter
matrix({ a: z.number() })
// @ts-expect-error a field of a form
form({ a: z.number(), b: upload })
// @ts-expect-error a variable of a path
path('/{a}', { a: z.number() })
// @ts-expect-error a variable of an operation without a body
get('/{a}', { a: z.number() })
// @ts-expect-error a variable of an operation
post('/{a}', { a: v.number() })
