/**
 * TypeBox's compiled validators. They only check values, unless the schema contains codecs: then they walk the schema, create
 * a new value and strip undeclared members. Schemas without codecs therefore reject undeclared members here.
 *
 * @import { Operation, Operations } from '../types.mjs'
 */
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { format, isValid, parse } from './date.mjs'
import { returning, testing, writing } from './operation.mjs'

const date = Type.Refine(
  Type.Codec(Type.String())
    .Decode(parse)
    .Encode((/** @type {Date} */ value) => format(value)),
  (text) => isValid(parse(String(text))),
)

const strict = { additionalProperties: false }
const strings = Type.Array(Type.String())

const small = Type.Object(
  {
    id: Type.Integer(),
    page: Type.Integer(),
    tags: strings,
    trace: Type.String(),
    session: Type.String(),
  },
  strict,
)

const line = Type.Object(
  { sku: Type.String(), quantity: Type.Integer(), price: Type.Number() },
  strict,
)

const members = {
  id: Type.Integer(),
  customer: Type.Object({ name: Type.String(), email: Type.String() }, strict),
  lines: Type.Array(line),
  notes: Type.String(),
  tags: strings,
}

const list = Type.Array(
  Type.Object(
    {
      id: Type.Integer(),
      title: Type.String(),
      author: Type.String(),
      year: Type.Integer(),
      available: Type.Boolean(),
      tags: strings,
      price: Type.Number(),
    },
    strict,
  ),
)

const Small = Compile(small)
const Order = Compile(Type.Object(members, strict))
const Dated = Compile(Type.Object({ ...members, placed: date, due: date }, strict))
const List = Compile(list)

/** @typedef {{ readonly Check: (value: unknown) => boolean, readonly Encode: (value: unknown) => unknown }} Validator */

/** @type {(validator: Validator) => Operation} */
const checking = (validator) => testing((value) => validator.Check(value))

/** @type {(validator: Validator) => Operation} */
const encoding = (validator) => returning((value) => validator.Encode(value))

/** @type {(validator: Validator) => Operation} */
const encodingAsText = (validator) => writing((value) => JSON.stringify(validator.Encode(value)))

/** @type {Operations} */
export const operations = {
  'decode-small': checking(Small),
  'decode-order': checking(Order),
  'decode-dated': returning((value) => Dated.Decode(value)),
  'decode-invalid': {
    run: (value) => Order.Errors(value),
    normalize: (/** @type {ReturnType<typeof Order.Errors>} */ errors) =>
      errors
        .flatMap((error) =>
          error.keyword === 'required'
            ? error.params.requiredProperties.map((name) => `${error.instancePath}/${name}`)
            : [error.instancePath],
        )
        .toSorted(),
  },
  'decode-list': checking(List),
  'encode-small': encoding(Small),
  'encode-order': encoding(Order),
  'encode-dated': encoding(Dated),
  'encode-list': encoding(List),
  'write-small': encodingAsText(Small),
  'write-order': encodingAsText(Order),
  'write-list': encodingAsText(List),
}
