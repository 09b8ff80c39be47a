/** Variants of a representation that differ in media type, language or content coding, and their selection in handlers. */
import * as O from 'fp-ts/lib/Option.js'
import * as Language from '../http/accept-language.ts'
import * as Grammar from '../http/grammar.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import type { OfferedVariant } from '../http/variant.ts'
import * as Negotiation from '../http/variant.ts'
import type { CommonContext } from './context.ts'
import type { Modify } from './reply.ts'
import { setHeader } from './reply.ts'

/** A variant of a representation. A missing property does not affect the selection. */
export interface Variant {
  /** Media type, such as `text/html`. The `qs` parameter is the weight assigned by the server (see `as`). */
  readonly mediaType?: string | undefined
  /** Language tag, such as `de-CH` (RFC 5646). */
  readonly language?: string | undefined
  /** Content coding, such as `gzip`. A variant without this property is not compressed. */
  readonly encoding?: string | undefined
}

/**
 * Selects the variant that the client prefers, based on the `Accept`, `Accept-Language` and `Accept-Encoding` headers
 * (RFC 9110, 12.1). Returns `none` if the client accepts none of the variants.
 *
 * The variant with the greatest product of the weights for media type and language is selected. Among equals, the
 * weight of the content coding decides, and then the order of the variants. A language range such as `de` matches
 * `de-CH`, and `de-CH` matches `de` if no other range does (RFC 4647). If a header is missing, any value is acceptable,
 * but variants without a content coding are preferred.
 *
 * The headers that distinguish the variants are added to the `Vary` header of the response. {@link variant} sets the
 * headers that describe the variant. If only the representations of the response differ in media type or language,
 * declare them with `produces` and `inLanguage` instead.
 *
 * Throws a `TypeError` if the list is empty, or if a media type, language tag or content coding is malformed.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as O from 'fp-ts/lib/Option.js'
 * import { fails, get, handle, notAcceptable, ok, path, produces, routes, selectVariant, text, variant } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greetings = [
 *   { language: 'en', greeting: 'Hello' },
 *   { language: 'de', greeting: 'Hallo' },
 * ]
 * const greet = pipe(
 *   path('/greeting'),
 *   get(),
 *   produces(text),
 *   fails(406),
 *   handle((_, context) =>
 *     pipe(
 *       selectVariant(context, greetings),
 *       O.matchW(() => notAcceptable(), (selected) => pipe(ok(selected.greeting), variant(selected))),
 *     ),
 *   ),
 * )
 * const request = (language: string) =>
 *   inMemory(routes({ greet }))('http://localhost/greeting', { headers: { 'Accept-Language': language } })
 * const german = await request('de-CH, en;q=0.8')
 *
 * assert.deepEqual([await german.text(), german.headers.get('Content-Language')], ['Hallo', 'de'])
 * assert.equal(german.headers.get('Vary'), 'Accept-Language')
 * assert.equal((await request('fr')).status, 406)
 * ```
 */
export const selectVariant = <V extends Variant>(
  { request, response }: Pick<CommonContext, 'request' | 'response'>,
  variants: ReadonlyArray<V>,
): O.Option<V> => {
  if (variants.length === 0) throw new TypeError('missing variants: expected at least one')
  const offered = variants.map(parseVariant)
  const names = Negotiation.varyingHeaders(offered)
  if (names.length > 0) response.addHeader('Vary', names.join(', '))
  const headers = {
    accept: request.header('Accept'),
    acceptLanguage: request.header('Accept-Language'),
    acceptEncoding: request.header('Accept-Encoding'),
  }
  return O.chainNullableK((index: number) => variants[index])(Negotiation.choose(headers, offered))
}

/**
 * Sets the `Content-Type`, `Content-Language` and `Content-Encoding` headers of a reply to the properties of a variant.
 * Headers of missing properties are not changed. `Content-Encoding` does not compress the body, so the handler must
 * return compressed bytes.
 *
 * Throws a `TypeError` if a media type, language tag or content coding is malformed.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { ok, variant } from 'espalier'
 *
 * assert.deepEqual(variant({ mediaType: 'text/css', language: 'de' })(ok('')).headers, [
 *   'Content-Type',
 *   'text/css',
 *   'Content-Language',
 *   'de',
 * ])
 * ```
 */
export const variant = (selected: Variant): Modify => {
  const { contentType, language, encoding } = parseVariant(selected)
  const headers: ReadonlyArray<readonly [name: string, value: string | undefined]> = [
    ['Content-Type', contentType],
    ['Content-Language', language],
    ['Content-Encoding', encoding],
  ]
  const changes = headers.flatMap(([name, value]) =>
    value === undefined ? [] : [setHeader(name, value)],
  )
  return (original) => changes.reduce((changed, change) => change(changed), original)
}

interface ParsedVariant extends OfferedVariant {
  /** The value of the `Content-Type` header. */
  readonly contentType: string | undefined
}

const parseVariant = ({ mediaType, language, encoding }: Variant): ParsedVariant => {
  if (language !== undefined && !Language.isTag(language))
    throw new TypeError(`invalid language tag ${JSON.stringify(language)}`)
  if (encoding !== undefined && !Grammar.isToken(encoding))
    throw new TypeError(`invalid content coding ${JSON.stringify(encoding)}`)
  return {
    ...(mediaType === undefined ? anyType : parseType(mediaType)),
    language,
    encoding: encoding?.toLowerCase() === 'identity' ? undefined : encoding,
  }
}

type ParsedType = Pick<ParsedVariant, 'mediaType' | 'quality' | 'contentType'>

const anyType: ParsedType = {
  mediaType: undefined,
  quality: Quality.mostPreferred,
  contentType: undefined,
}

/** Parses a media type and its `qs` parameter, which is not sent. */
const parseType = (text: string): ParsedType => {
  const parsed = O.toUndefined(MediaType.parse(text))
  const qs = parsed && O.toUndefined(MediaType.parameter(parsed, 'qs'))
  const quality = O.toUndefined(Quality.parse(qs ?? '1'))
  if (parsed === undefined || MediaType.isRange(parsed) || quality === undefined)
    throw new TypeError(`invalid media type ${JSON.stringify(text)}`)
  const mediaType = {
    ...parsed,
    parameters: parsed.parameters.filter(([name]) => name !== 'qs'),
  }
  return { mediaType, quality, contentType: qs === undefined ? text : MediaType.format(mediaType) }
}
