/**
 * Encodes replies that have no declared representation, such as replies from filters and error mappers. Strings are encoded as
 * `text/plain`, byte arrays as `application/octet-stream`, and all other entities as JSON.
 */
import { unwrapHal } from '../../endpoint/hal.ts'
import * as Headers from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import { encodeFor } from '../../body/charset.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { EncodedResponse } from '../exchange.ts'
import type { DraftResponse, EncodeResponse, ResponseValue } from './encode-response.ts'
import {
  locationResolver,
  removeBodyHeaders,
  sanitizeHeaders,
  createDraft,
} from './response-headers.ts'
import { isBytes } from '../../http/platform-value.ts'

/** Returns an encoder that resolves `Location` according to the settings and then calls {@link encodeUndeclared}. */
export const undeclaredEncoder = (settings: Settings): EncodeResponse => {
  const resolveLocation = locationResolver(settings)
  return (response, { exchange }) =>
    encodeUndeclared({ ...response, headers: resolveLocation(response.headers, exchange) })
}

/** Encodes a reply that has no declared representation. Throws a `RangeError` if the status code is invalid. */
const encodeUndeclared = ({ status, entity, headers }: ResponseValue): EncodedResponse => {
  if (!Status.isStatus(status)) throw new RangeError(`invalid status code: ${status}`)
  const ownHeaders = removeBodyHeaders(status, sanitizeHeaders(headers))
  if (entity === undefined || !Status.allowsBody(status))
    return { status, headers: ownHeaders, body: undefined }
  const [defaultType, body] = encodeEntity(entity)
  const ownType = Headers.first(ownHeaders, 'content-type')
  if (ownType === undefined)
    return { status, headers: ['Content-Type', defaultType, ...ownHeaders], body }
  return {
    status,
    headers: ownHeaders,
    body: typeof body === 'string' ? encodeFor(ownType, body) : body,
  }
}

/**
 * Returns a function that creates response drafts for replies without a declared representation. Writer interceptors can change the
 * bodies of these responses.
 */
export const undeclaredDrafter = (settings: Settings): DraftResponse => {
  const resolveLocation = locationResolver(settings)
  return ({ status, entity, headers }, exchange) => {
    const ownHeaders = resolveLocation(
      removeBodyHeaders(status, sanitizeHeaders(headers)),
      exchange,
    )
    if (entity === undefined || !Status.allowsBody(status))
      return createDraft(status, ownHeaders, '', undefined)
    const [contentType] = encodeEntity(entity)
    const write = (value: unknown): string | Uint8Array => encodeEntity(value)[1]
    return createDraft(status, ownHeaders, contentType, { alternative: undefined, write })
  }
}

/** Returns the default media type for an entity, together with the encoded entity. */
const encodeEntity = (entity: unknown): readonly [contentType: string, body: string | Uint8Array] =>
  typeof entity === 'string'
    ? ['text/plain;charset=UTF-8', entity]
    : isBytes(entity)
      ? ['application/octet-stream', entity]
      : ['application/json', JSON.stringify(unwrapHal(entity))]
