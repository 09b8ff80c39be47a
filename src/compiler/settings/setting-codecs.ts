/** Codecs for settings that are percentages or comma-separated lists. */
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import { textOrValue } from '../../codec/from-string.ts'
import { parse as parseSize, size } from '../../codec/size.ts'
import * as IpAddress from '../../http/ip-address.ts'
import * as Grammar from '../../http/grammar.ts'
import * as MediaType from '../../http/media-type.ts'
import { isObject } from '../../http/platform-value.ts'

/** A percentage from 1 to 100. */
export interface Percentage {
  readonly percent: number
}

/** Extends a codec for numbers so that it also accepts percentages from `1%` to `100%`. */
export const orPercentage = (codec: t.Type<number, string>): t.Type<number | Percentage, string> =>
  textOrValue<number | Percentage>(
    `${codec.name}, or a percentage such as 80%`,
    (u): u is number | Percentage => codec.is(u) || isPercentage(u),
    (text): O.Option<number | Percentage> => {
      const [, digits] = /^(\d+)%$/.exec(text) ?? []
      return digits === undefined
        ? O.fromEither(codec.decode(text))
        : O.fromPredicate(isPercentage)({ percent: Number(digits) })
    },
    (value) => (typeof value === 'object' ? `${value.percent}%` : codec.encode(value)),
  )

const isPercentage = (u: unknown): u is Percentage =>
  isObject(u) &&
  'percent' in u &&
  typeof u.percent === 'number' &&
  Number.isInteger(u.percent) &&
  u.percent >= 1 &&
  u.percent <= 100

/** Creates a codec for sizes from `minimum` to `maximum` bytes, both inclusive. */
export const sizeBetween = (minimum: number, maximum: number): t.Type<number, string> => {
  const is = (u: unknown): u is number => size.is(u) && u >= minimum && u <= maximum
  return textOrValue(
    `a number of bytes from ${minimum} to ${maximum}`,
    is,
    (text) => O.filter(is)(parseSize(text)),
    size.encode,
  )
}

/** Creates a codec for a comma-separated list. An empty string is decoded to an empty list. */
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

/** Whether a word is a codec name, or a prefix of codec names followed by `.*`, such as `library.*`. */
export const isCodecPattern = (word: unknown): word is string =>
  typeof word === 'string' && /^[^\s,*]+?(?:\.\*)?$/.test(word)

/** Whether a word is a media type without parameters. `false` for media ranges such as `text/*`. */
export const isBareMediaType = (word: unknown): word is string => {
  const parsed = typeof word === 'string' ? MediaType.parse(word) : O.none
  return (
    O.isSome(parsed) && !MediaType.isRange(parsed.value) && parsed.value.parameters.length === 0
  )
}

/** The peer of connections over a Unix domain socket, in lists of trusted proxies. */
export const unixPeer = 'unix:'

const isBlock = (text: unknown): text is string =>
  typeof text === 'string' && (text === unixPeer || IpAddress.parseCidr(text) !== undefined)

/** A codec for a comma-separated list of IP addresses and CIDR blocks. `unix:` means peers on a Unix domain socket. An empty string is decoded to an empty list. */
export const cidrList: t.Type<ReadonlyArray<string>, string> = commaList(
  'comma-separated IP addresses or CIDR blocks (such as "10.0.0.0/8, fd00::/8")',
  isBlock,
)
