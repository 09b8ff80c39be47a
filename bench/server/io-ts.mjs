/** Codecs for the servers that validate with io-ts. */
import * as t from 'io-ts'
import { IntFromString } from 'io-ts-types/lib/IntFromString.js'

const Strings = t.array(t.string)

/** Zero, one or several strings, as returned by a query parser; decodes to an array. */
const List = new t.Type(
  'List',
  Strings.is,
  (value, context) =>
    value === undefined
      ? t.success([])
      : typeof value === 'string'
        ? t.success([value])
        : Strings.validate(value, context),
  Strings.encode,
)

const Line = t.strict({ sku: t.string, quantity: t.Int, price: t.number })

export const Order = t.strict({
  id: t.Int,
  customer: t.strict({ name: t.string, email: t.string }),
  lines: t.array(Line),
  notes: t.string,
  tags: t.array(t.string),
})

export const Params = t.strict({ id: IntFromString })

export const Query = t.strict({ page: t.union([IntFromString, t.undefined]), tag: List })

export const Trace = t.union([t.string, t.undefined])

export const Headers = t.partial({ 'x-trace': t.string })

export const Cookies = t.partial({ sid: t.string })
