/** The codec of settings that name peers by their addresses. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'
import * as Grammar from '../../http/grammar.ts'
import * as IpAddress from '../../http/ip-address.ts'

const isBlock = (text: unknown): boolean =>
  typeof text === 'string' && IpAddress.parseCidr(text) !== undefined

const read = (text: string): O.Option<ReadonlyArray<string>> => {
  const blocks = Grammar.splitList(text)
  return blocks.every(isBlock) ? O.some(blocks) : O.none
}

/** Addresses and blocks of them, of both versions, in a comma list; an empty text has none. */
export const cidrList: t.Type<ReadonlyArray<string>, string> = textOrValue<ReadonlyArray<string>>(
  'comma-separated IP addresses or CIDR blocks, such as 10.0.0.0/8, fd00::/8',
  (u): u is ReadonlyArray<string> => Array.isArray(u) && u.every(isBlock),
  read,
  (blocks) => blocks.join(', '),
)
