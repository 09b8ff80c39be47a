/**
 * Encodes replies from filters and error mappers. A reply without a declared representation is encoded by its type: a string as
 * `text/plain`, a byte array as `application/octet-stream`, and any other entity as JSON.
 */
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import * as Headers from '../../http/headers.ts'
import { isBytes } from '../../http/platform-value.ts'
import * as Status from '../../http/status.ts'
import { encodeFor } from '../../body/charset.ts'
import { responsesByStatus } from '../../body/create-body-plans.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import { noProviders } from '../../body/entity/entity-providers.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { EncodeResponse } from './encode-response.ts'
import { responseEncoder } from './encode-response.ts'
import { bodyInterception } from './intercept-body.ts'
import { locationResolver, removeBodyHeaders, sanitizeHeaders } from './response-headers.ts'

/** Returns the encoder for replies that have no declared representation. It throws a `RangeError` if the status code is invalid. */
export const undeclaredEncoder = (
  settings: Settings,
  entities: EntityProviders = noProviders,
): EncodeResponse => {
  const resolveLocation = locationResolver(settings)
  const write = bodyInterception([], entities, settings)(undefined, encodeEntity)
  return ({ status, entity, headers }, context) => {
    if (!Status.isStatus(status)) throw new RangeError(`invalid status code: ${status}`)
    const { exchange } = context
    const ownHeaders = removeBodyHeaders(
      status,
      sanitizeHeaders(resolveLocation(headers, exchange)),
    )
    if (entity === undefined || !Status.allowsBody(status))
      return { status, headers: ownHeaders, body: undefined }
    const ownType = Headers.first(ownHeaders, 'content-type')
    const allHeaders =
      ownType === undefined ? ['Content-Type', defaultType(entity), ...ownHeaders] : ownHeaders
    const body = write(entity, context)
    if (typeof body === 'function') return body({ status, headers: allHeaders }, exchange)
    return {
      status,
      headers: allHeaders,
      body: typeof body === 'string' && ownType !== undefined ? encodeFor(ownType, body) : body,
    }
  }
}

/** Returns the encoder for replies from a filter or mapper. `responses` are the responses declared by the filter or mapper. */
export const declaredEncoder = (
  responses: ReadonlyArray<DeclaredResponse>,
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse => {
  const encodeUndeclared = undeclaredEncoder(settings, entities)
  if (responses.length === 0) return encodeUndeclared
  const declared = responsesByStatus(responses, entities)
  const plan = {
    name: 'a filter or mapper',
    headers: [],
    cacheControl: undefined,
    responses: declared,
  }
  const encodeDeclared = responseEncoder(plan, settings, [], entities)
  const encode: EncodeResponse = (response, context) =>
    (declared.has(response.declaredStatus ?? response.status) ? encodeDeclared : encodeUndeclared)(
      response,
      context,
    )
  return Object.assign(encode, { responses: declared })
}

const defaultType = (entity: unknown): string =>
  typeof entity === 'string'
    ? 'text/plain;charset=UTF-8'
    : isBytes(entity)
      ? 'application/octet-stream'
      : 'application/json'

const encodeEntity = (entity: unknown): string | Uint8Array =>
  typeof entity === 'string' || isBytes(entity) ? entity : JSON.stringify(unwrapHal(entity))
