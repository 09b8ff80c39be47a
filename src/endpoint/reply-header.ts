/** Header fields of a reply, each written by the grammar of its own. */
import * as CacheControl from '../http/cache-control.ts'
import * as EntityTag from '../http/entity-tag.ts'
import * as HttpDate from '../http/http-date.ts'
import * as Link from '../http/link.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { Modify } from './reply.ts'
import { settingHeader, withHeader } from './reply.ts'

/** When the response becomes stale (RFC 9111, 5.3). Milliseconds are dropped. */
export const expires = (date: Date): Modify => settingHeader('Expires', HttpDate.format(date))

/** When the representation last changed (RFC 9110, 8.8.2). Milliseconds are dropped. */
export const lastModified = (date: Date): Modify =>
  settingHeader('Last-Modified', HttpDate.format(date))

/** The validator of the representation (RFC 9110, 8.8.3): the opaque part of a strong tag, or a tag. */
export const etag = (tag: string | EntityTag.EntityTag): Modify =>
  settingHeader(
    'ETag',
    EntityTag.format(typeof tag === 'string' ? { weak: false, opaque: tag } : tag),
  )

/** `Cache-Control` of this reply, in place of what the endpoint says. Durations are in seconds. */
export const cacheControl = (directives: CacheControl.CacheControl): Modify =>
  settingHeader('Cache-Control', CacheControl.format(directives))

/** Names request fields that the answer depends on (RFC 9110, 12.5.5), beside those that the engine adds. */
export const vary = (...names: ReadonlyArray<string>): Modify =>
  withHeader('Vary', names.join(', '))

/** Which properties the choice among several variants depended on. */
export interface Variants {
  readonly mediaType?: boolean
  readonly language?: boolean
  readonly encoding?: boolean
}

/** `Vary` for a response that was chosen among variants: `variants({ language: true })` is `Vary: Accept-Language`. */
export const variants = ({
  mediaType = false,
  language: byLanguage = false,
  encoding = false,
}: Variants): Modify => {
  const names = [
    ...(mediaType ? ['Accept'] : []),
    ...(byLanguage ? ['Accept-Language'] : []),
    ...(encoding ? ['Accept-Encoding'] : []),
  ]
  return names.length === 0 ? (answer) => answer : vary(...names)
}

/** Adds a web link (RFC 8288). */
export const link = (one: Link.Link): Modify => withHeader('Link', Link.format(one))

/** The language of the content, as a tag of RFC 5646 (RFC 9110, 8.5). */
export const language = (...tags: ReadonlyArray<string>): Modify =>
  settingHeader('Content-Language', tags.join(', '))

/** The URI of what is sent, where it is not that of the request (RFC 9110, 8.7). */
export const contentLocation = (uri: string): Modify =>
  settingHeader('Content-Location', UriReference.escape(uri))

/** The methods that the resource has (RFC 9110, 10.2.1). */
export const allow = (...methods: ReadonlyArray<string>): Modify =>
  settingHeader('Allow', methods.join(', '))

/** The media type of the content, word for word, in place of the negotiated one. */
export const mediaType = (type: string): Modify => settingHeader('Content-Type', type)
