/** Defines the type of settings, and codecs for their values. All settings are listed in `settings-table.ts`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { WithUnit } from '../../codec/from-string.ts'
import { textOrValue } from '../../codec/from-string.ts'
import { parse as parseSize, size } from '../../codec/size.ts'
import { encodingName } from '../../http/text-decoder.ts'
import * as Grammar from '../../http/grammar.ts'
import * as IpAddress from '../../http/ip-address.ts'
import * as MediaType from '../../http/media-type.ts'
import { isObject } from '../../http/platform-value.ts'

/**
 * The codec for a setting. It accepts strings and typed values, and decodes `undefined` to the default value. `name` describes the
 * expected values.
 */
export interface Setting<A> extends t.Type<A, string> {
  readonly fallback: A
  /** Formats a value as a string that decodes to the same value. Returns `none` if the value is invalid. */
  readonly text: (value: unknown) => O.Option<string>
}

/** Creates a setting from a codec and a default value. */
export const setting = <A, U = unknown>(
  codec: t.Type<A, string> & WithUnit<U>,
  fallback: NoInfer<A>,
): Setting<A> & WithUnit<U> => {
  const type = new t.Type(
    codec.name,
    codec.is,
    (u, context) => codec.validate(u === undefined ? fallback : u, context),
    codec.encode,
  )
  return Object.assign(type, {
    fallback,
    text: (value: unknown) => pipe(type.decode(value), O.fromEither, O.map(codec.encode)),
  })
}

/** A codec for booleans. Strings must be `true` or `false`. */
export const booleanSetting: t.Type<boolean, string> = textOrValue(
  'true or false',
  (u) => typeof u === 'boolean',
  (text) => (text === 'true' ? O.some(true) : text === 'false' ? O.some(false) : O.none),
  String,
)

/** Creates a codec for integers from `minimum` to `maximum`, both inclusive. Strings must consist of decimal digits. */
export const wholeNumber = (
  minimum: number,
  maximum: number = Number.MAX_SAFE_INTEGER,
): t.Type<number, string> => {
  const is = (u: unknown): u is number =>
    typeof u === 'number' && Number.isSafeInteger(u) && u >= minimum && u <= maximum
  return textOrValue(
    maximum === Number.MAX_SAFE_INTEGER
      ? `an integer that is at least ${minimum}`
      : `an integer from ${minimum} to ${maximum}`,
    is,
    (text) => (/^\d+$/.test(text) ? O.fromPredicate(is)(Number(text)) : O.none),
    String,
  )
}

/** Creates a codec that accepts one of several words. The comparison is case-sensitive. */
export const oneOf = <const Word extends string>(
  ...words: ReadonlyArray<Word>
): t.Type<Word, string> => {
  const is = (u: unknown): u is Word => words.some((word) => word === u)
  return textOrValue(words.join(' or '), is, O.fromPredicate(is), String)
}

/** Extends a codec so that it also accepts a value that is represented by a word. */
const orWord = <A, B>(
  codec: t.Type<A, string>,
  name: string,
  word: string,
  value: B,
): t.Type<A | B, string> =>
  textOrValue<A | B>(
    name,
    (u): u is A | B => u === value || codec.is(u),
    (text): O.Option<A | B> => (text === word ? O.some(value) : O.fromEither(codec.decode(text))),
    (accepted) => (codec.is(accepted) ? codec.encode(accepted) : word),
  )

/** Extends a codec to also accept `undefined`, which is represented by the string `unbounded`. */
export const orUnlimited = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  orWord(codec, `${codec.name}, or unbounded`, 'unbounded', undefined)

/** Extends a codec so that it also accepts the word `auto`. */
export const orAuto = <A>(codec: t.Type<A, string>): t.Type<A | 'auto', string> =>
  orWord<A, 'auto'>(codec, `${codec.name}, or auto`, 'auto', 'auto')

/** Extends a codec so that it also accepts `undefined`, which is represented by an empty string. */
export const orUnset = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  orWord(codec, codec.name, '', undefined)

/** A codec for texts in a normal form. `read` returns the normal form of a text, or nothing if the text is invalid. */
export const normalizedText = (
  expected: string,
  read: (text: string) => O.Option<string>,
): t.Type<string, string> =>
  textOrValue(
    expected,
    (u): u is string => typeof u === 'string' && O.exists((text) => text === u)(read(u)),
    read,
    String,
  )

/** A codec for a host name, or for an IPv4 or IPv6 address without brackets. Host names are not resolved. */
export const host: t.Type<string, string> = normalizedText(
  'a host name or an address (such as localhost or 0.0.0.0)',
  O.fromPredicate((text) => /^[^\s/]+$/.test(text)),
)

const readPath = O.fromPredicate((text: string) => text !== '' && !text.includes('\0'))

/** A codec for a directory path. The directory need not exist. */
export const directory: t.Type<string, string> = normalizedText('a directory path', readPath)

/** A codec for a file path. The file need not exist. */
export const filePath: t.Type<string, string> = normalizedText('a file path', readPath)

/** A codec for a password. */
export const secretText: t.Type<string, string> = normalizedText(
  'a password',
  O.fromPredicate((text) => text !== ''),
)

/**
 * A codec for a charset. Decodes any label of a charset, such as `latin1`, to the standard name of the charset.
 *
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export const charset: t.Type<string, string> = normalizedText(
  'a charset (such as utf-8 or iso-8859-1)',
  (text) => O.fromNullable(encodingName(text)),
)

const readMediaTypes = (text: string): O.Option<ReadonlyArray<string>> => {
  const types = Grammar.splitList(text).map((type) => type.toLowerCase())
  return types.every((type) => O.isSome(MediaType.parse(type))) ? O.some(types) : O.none
}

/** A codec for a comma-separated list of media types or media ranges. Decoding converts a string to lower case. */
export const mediaTypes: t.Type<ReadonlyArray<string>, string> = textOrValue(
  'comma-separated media types (such as text/csv, image/*)',
  (u): u is ReadonlyArray<string> =>
    Array.isArray(u) &&
    u.every((type) => typeof type === 'string' && O.isSome(MediaType.parse(type))),
  readMediaTypes,
  (types) => types.join(', '),
)

const isPrefixSegment = (segment: string): boolean =>
  /^[^\s{}?#;%\\]+$/.test(segment) && segment !== '.' && segment !== '..'

const readPathPrefix = (text: string): O.Option<string> => {
  const inner = text.replace(/^\//, '').replace(/\/$/, '')
  return pipe(
    inner === '' ? [] : inner.split('/'),
    O.fromPredicate((segments: ReadonlyArray<string>) => segments.every(isPrefixSegment)),
    O.map((segments) => `/${segments.join('/')}`),
  )
}

/**
 * A codec for a path without variables, a query or percent-encoding. `app`, `/app` and `/app/` are all decoded to `/app`. An
 * empty string is decoded to `/`.
 */
export const pathPrefix: t.Type<string, string> = normalizedText(
  'a path such as /api, without variables, empty segments or percent signs',
  readPathPrefix,
)

/** Whether a property name or value contains a word that indicates a secret, such as `password`. */
export const isSecret = (text: string): boolean => /password|secret|token/i.test(text)

/** The text that replaces secrets in output. */
export const mask = '***'

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

/** Maximum length of a string in a configuration error. */
const maxTextLength = 100

/**
 * Formats a value for a configuration error as JavaScript source text, such as `'8080'`, `8080` or `{ percent: 80 }`. Long strings are truncated. Values that
 * source text cannot express are formatted as their type.
 */
export const formatValue = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return formatString(value)
    case 'bigint':
      return `${value}n`
    case 'function':
    case 'symbol':
      return `[${typeof value}]`
    case 'object':
      return value === null ? 'null' : formatObject(value)
    default:
      return String(value)
  }
}

const formatString = (text: string): string => {
  const rest = text.length - maxTextLength
  const quote = !text.includes("'") ? "'" : text.includes('"') ? '`' : '"'
  const escaped = text
    .slice(0, maxTextLength)
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
  return `${quote}${escaped}${quote}${rest > 0 ? `... ${rest} more characters` : ''}`
}

const formatObject = (value: object): string => {
  if (Array.isArray(value))
    return value.length === 0 ? '[]' : `[ ${value.map(formatValue).join(', ')} ]`
  const members = Object.entries(value).map(([name, member]) => `${name}: ${formatValue(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
