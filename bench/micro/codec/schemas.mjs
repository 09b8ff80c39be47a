/** JSON schemas of the values, for ajv and fast-json-stringify. */

const string = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const strings = { type: 'array', items: string }

/** @type {(properties: Readonly<Record<string, object>>) => object} */
const strict = (properties) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

export const small = strict({
  id: integer,
  page: integer,
  tags: strings,
  trace: string,
  session: string,
})

export const order = strict({
  id: integer,
  customer: strict({ name: string, email: string }),
  lines: { type: 'array', items: strict({ sku: string, quantity: integer, price: number }) },
  notes: string,
  tags: strings,
})

/** @type {object} */
export const list = {
  type: 'array',
  items: strict({
    id: integer,
    title: string,
    author: string,
    year: integer,
    available: { type: 'boolean' },
    tags: strings,
    price: number,
  }),
}
