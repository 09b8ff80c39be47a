/**
 * zod, whose objects strip undeclared members.
 *
 * @import { Operation, Operations } from '../types.mjs'
 */
import { z } from 'zod'
import { format, parse } from './date.mjs'
import { returning, writing } from './operation.mjs'

const date = z.codec(z.string(), z.date(), { decode: parse, encode: format })

const strings = z.array(z.string())

const Small = z.object({
  id: z.int(),
  page: z.int(),
  tags: strings,
  trace: z.string(),
  session: z.string(),
})

const Order = z.object({
  id: z.int(),
  customer: z.object({ name: z.string(), email: z.string() }),
  lines: z.array(z.object({ sku: z.string(), quantity: z.int(), price: z.number() })),
  notes: z.string(),
  tags: strings,
})

const Dated = Order.extend({ placed: date, due: date })

const List = z.array(
  z.object({
    id: z.int(),
    title: z.string(),
    author: z.string(),
    year: z.int(),
    available: z.boolean(),
    tags: strings,
    price: z.number(),
  }),
)

/** @type {(schema: z.ZodType) => Operation} */
const decoding = (schema) => ({
  run: (value) => schema.safeParse(value),
  normalize: (/** @type {z.ZodSafeParseResult<unknown>} */ { data, error }) =>
    error?.issues.map(({ path }) => ['', ...path].join('/')).toSorted() ?? data,
})

/** @type {(schema: z.ZodType) => Operation} */
const encoding = (schema) => returning((value) => z.encode(schema, value))

/** @type {(schema: z.ZodType) => Operation} */
const encodingAsText = (schema) => writing((value) => JSON.stringify(z.encode(schema, value)))

/** @type {Operations} */
export const operations = {
  'decode-small': decoding(Small),
  'decode-order': decoding(Order),
  'decode-dated': decoding(Dated),
  'decode-invalid': decoding(Order),
  'decode-list': decoding(List),
  'encode-small': encoding(Small),
  'encode-order': encoding(Order),
  'encode-dated': encoding(Dated),
  'encode-list': encoding(List),
  'write-small': encodingAsText(Small),
  'write-order': encodingAsText(Order),
  'write-list': encodingAsText(List),
}
