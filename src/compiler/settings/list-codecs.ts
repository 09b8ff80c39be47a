/** The codec of settings that are comma lists of words. */
import { textOrValue } from '../../codec/text-or-value.ts'
import * as IpAddress from '../../http/ip-address.ts'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import * as Grammar from '../../http/grammar.ts'
import * as MediaType from '../../http/media-type.ts'

/** Words of one kind, in their order; an empty text has none. */
export const commaList = <Word extends string>(
  expected: string,
  isWord: (word: unknown) => word is Word,
): t.Type<ReadonlyArray<Word>, string> => {
  const is = (u: unknown): u is ReadonlyArray<Word> => Array.isArray(u) && u.every(isWord)
  return textOrValue(
    expected,
    is,
    (text) => O.fromPredicate(is)(Grammar.splitList(text)),
    (words) => words.join(', '),
  )
}

/** Whether a word is the name of a codec, or a part of such names with `.*` behind it. */
export const isCodecPattern = (word: unknown): word is string =>
  typeof word === 'string' && /^[^\s,*]+?(?:\.\*)?$/.test(word)

/** Whether a word is a media type by itself: without parameters, and no range. */
export const isBareMediaType = (word: unknown): word is string => {
  const parsed = typeof word === 'string' ? MediaType.parse(word) : O.none
  return (
    O.isSome(parsed) && !MediaType.isRange(parsed.value) && parsed.value.parameters.length === 0
  )
}

const isBlock = (text: unknown): text is string =>
  typeof text === 'string' && IpAddress.parseCidr(text) !== undefined

/** A comma-separated list of IP addresses and CIDR blocks. An empty text is an empty list. */
export const cidrList: t.Type<ReadonlyArray<string>, string> = commaList(
  'comma-separated IP addresses or CIDR blocks, such as 10.0.0.0/8, fd00::/8',
  isBlock,
)
