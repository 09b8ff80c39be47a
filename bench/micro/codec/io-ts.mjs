/** io-ts with strict codecs, which strip undeclared members as espalier does. */
import * as t from '../../../node_modules/io-ts/lib/index.js'
import { operationsOf } from './codecs.mjs'

export const operations = operationsOf(t.strict, ({ decode, encode }) => ({
  decode,
  encode,
  write: (value) => JSON.stringify(encode(value)),
}))
