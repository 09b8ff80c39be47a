/**
 * What one setting is: a codec that also accepts its absence, a default, and a sentence. Which settings exist is
 * said in `settings.ts`.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { textOrValue } from '../../codec/text-or-value.ts'
import * as Grammar from '../../http/grammar.ts'
import * as MediaType from '../../http/media-type.ts'

/** Decodes text, a typed value, or `undefined` to the default. Its `name` says which values it can have. */
export interface Setting<A> extends t.Type<A, string> {
  readonly fallback: A
  /** One sentence, with the unit where there is one. */
  readonly doc: string
  /** The value as a file would say it, so that reading it again gives the same; `none` for a refused value. */
  readonly text: (value: unknown) => O.Option<string>
}

export const setting = <A>(
  codec: t.Type<A, string>,
  fallback: NoInfer<A>,
  doc: string,
): Setting<A> => {
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

/** Only the words `true` and `false` count in text. */
export const booleanSetting: t.Type<boolean, string> = textOrValue(
  'true or false',
  (u) => typeof u === 'boolean',
  (text) => (text === 'true' ? O.some(true) : text === 'false' ? O.some(false) : O.none),
  String,
)

/** An integer from `least` to `most`, both inclusive; decimal digits in text. */
export const wholeNumber = (
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): t.Type<number, string> => {
  const is = (u: unknown): u is number =>
    typeof u === 'number' && Number.isSafeInteger(u) && u >= least && u <= most
  return textOrValue(
    most === Number.MAX_SAFE_INTEGER
      ? `an integer of at least ${least}`
      : `an integer from ${least} to ${most}`,
    is,
    (text) => (/^\d+$/.test(text) ? O.fromPredicate(is)(Number(text)) : O.none),
    String,
  )
}

/** One of a few words, exactly as written. */
export const oneOf = <const Word extends string>(
  ...words: ReadonlyArray<Word>
): t.Type<Word, string> => {
  const is = (u: unknown): u is Word => words.some((word) => word === u)
  return textOrValue(words.join(' or '), is, O.fromPredicate(is), String)
}

/** What `codec` accepts, or `undefined`, which text spells `unbounded`. */
export const orUnlimited = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  textOrValue<A | undefined>(
    `${codec.name}, or unbounded`,
    (u) => u === undefined || codec.is(u),
    (text) => (text === 'unbounded' ? O.some(undefined) : O.fromEither(codec.decode(text))),
    (value) => (value === undefined ? 'unbounded' : codec.encode(value)),
  )

/** What `codec` accepts, or `undefined`, which is an empty text. */
export const orUnset = <A>(codec: t.Type<A, string>): t.Type<A | undefined, string> =>
  textOrValue<A | undefined>(
    codec.name,
    (u) => u === undefined || codec.is(u),
    (text) => (text === '' ? O.some(undefined) : O.fromEither(codec.decode(text))),
    (value) => (value === undefined ? '' : codec.encode(value)),
  )

const readHost = (text: string): O.Option<string> =>
  /^[^\s/]+$/.test(text) ? O.some(text) : O.none

/** A host name, or an address of IP version 4 or 6 without brackets; whether it exists shows when it is used. */
export const host: t.Type<string, string> = textOrValue(
  'a host name or an address, such as localhost or 0.0.0.0',
  (u): u is string => typeof u === 'string' && O.isSome(readHost(u)),
  readHost,
  String,
)

/** The path of a directory; whether it exists shows when it is used. */
export const directory: t.Type<string, string> = textOrValue(
  'a directory path',
  (u): u is string => typeof u === 'string' && O.isSome(readDirectory(u)),
  (text) => readDirectory(text),
  String,
)

const readDirectory = (text: string): O.Option<string> =>
  text === '' || text.includes('\0') ? O.none : O.some(text)

const readCharset = (text: string): O.Option<string> =>
  O.tryCatch(() => new TextDecoder(text).encoding)

/**
 * A charset, by any of its labels.
 *
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
export const charset: t.Type<string, string> = textOrValue(
  'a charset, such as utf-8 or iso-8859-1',
  (u): u is string =>
    typeof u === 'string' && O.exists((name: string) => name === u)(readCharset(u)),
  readCharset,
  String,
)

const readMediaTypes = (text: string): O.Option<ReadonlyArray<string>> => {
  const types = Grammar.splitList(text).map((one) => one.toLowerCase())
  return types.every((one) => O.isSome(MediaType.parse(one))) ? O.some(types) : O.none
}

/** A comma list of media types or ranges, in lower case. */
export const mediaTypes: t.Type<ReadonlyArray<string>, string> = textOrValue(
  'comma-separated media types, such as text/csv, image/*',
  (u): u is ReadonlyArray<string> =>
    Array.isArray(u) && u.every((one) => typeof one === 'string' && O.isSome(MediaType.parse(one))),
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
 * A path without variables, query or percent-encoding. `app`, `/app` and `/app/` all read as `/app`, and nothing
 * reads as `/`.
 */
export const pathPrefix: t.Type<string, string> = textOrValue(
  'a path such as /api, without variables, empty segments and percent signs',
  (u): u is string =>
    typeof u === 'string' && O.exists((path: string) => path === u)(readPathPrefix(u)),
  readPathPrefix,
  String,
)

/** Whether a name, or a value with the names in its expressions, speaks of a secret. */
export const isSecret = (text: string): boolean => /password|secret|token/i.test(text)

/** What stands in the place of a secret. */
export const mask = '***'
