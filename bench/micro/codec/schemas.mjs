/** The values as JSON schemas, for ajv and fast-json-stringify. */

const string = { type: 'string' }
const integer = { type: 'integer' }
const number = { type: 'number' }
const strings = { type: 'array', items: string }

/** @type {(properties: Readonly<Record<string, object>>) => object} */
const exactly = (properties) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
})

export const small = exactly({
  id: integer,
  page: integer,
  tags: strings,
  trace: string,
  session: string,
})

export const order = exactly({
  id: integer,
  customer: exactly({ name: string, email: string }),
  lines: { type: 'array', items: exactly({ sku: string, quantity: integer, price: number }) },
  notes: string,
  tags: strings,
})

/** @type {object} */
export const list = {
  type: 'array',
  items: exactly({
    id: integer,
    title: string,
    author: string,
    year: integer,
    available: { type: 'boolean' },
    tags: strings,
    price: number,
  }),
}
