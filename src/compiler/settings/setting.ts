/** Defines the type of settings, and codecs for their values. All settings are listed in `settings-table.ts`. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import type { WithUnit } from '../../codec/from-string.ts'
import { textOrValue } from '../../codec/from-string.ts'
import { encodingName } from '../../http/text-decoder.ts'
import * as Grammar from '../../http/grammar.ts'
import * as MediaType from '../../http/media-type.ts'

/**
 * The codec for a setting. It accepts strings and typed values, and decodes `undefined` to the default value. `name` describes the
 * expected values.
 */
export interface Setting<A> extends t.Type<A, string> {
  readonly fallback: A
  /** The description shown in the settings reference. */
  readonly doc: string
  /** Formats a value as a string that decodes to the same value. Returns `none` if the value is invalid. */
  readonly text: (value: unknown) => O.Option<string>
}

/** Creates a setting from a codec, a default value and a description. */
export const setting = <A, U = unknown>(
  codec: t.Type<A, string> & WithUnit<U>,
  fallback: NoInfer<A>,
  doc: string,
): Setting<A> & WithUnit<U> => {
  const type = new t.Type(
    codec.name,
    codec.is,
    (u, context) => codec.validate(u === undefined ? fallback : u, context),
    codec.encode,
  )
  return Object.assign(type, {
    fallback,
    doc,
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

/** Extends a codec to also accept `undefined`, which is represented by the string `unbounded`. */
export const orUnlimited = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  textOrValue<A | undefined>(
    `${codec.name}, or unbounded`,
    (u) => u === undefined || codec.is(u),
    (text) => (text === 'unbounded' ? O.some(undefined) : O.fromEither(codec.decode(text))),
    (value) => (value === undefined ? 'unbounded' : codec.encode(value)),
  )

/** Extends a codec so that it also accepts the word `auto`. */
export const orAuto = <A>(codec: t.Type<A, string>): t.Type<A | 'auto', string> =>
  textOrValue<A | 'auto'>(
    `${codec.name}, or auto`,
    (u): u is A | 'auto' => u === 'auto' || codec.is(u),
    (text) => (text === 'auto' ? O.some(text) : O.fromEither(codec.decode(text))),
    (value) => (codec.is(value) ? codec.encode(value) : 'auto'),
  )

/** Extends a codec so that it also accepts `undefined`, which is represented by an empty string. */
export const orUnset = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  textOrValue<A | undefined>(
    codec.name,
    (u) => u === undefined || codec.is(u),
    (text) => (text === '' ? O.some(undefined) : O.fromEither(codec.decode(text))),
    (value) => (value === undefined ? '' : codec.encode(value)),
  )

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
