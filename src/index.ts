/** The entry point `espalier`: declarations of endpoints. Runtimes are in `espalier/node`, `espalier/client` and `espalier/testing`. */
export { path, get, post, put, del, patch, head, options, method } from './endpoint/path.ts'
export { query, header, cookie, matrix, queryMap } from './endpoint/parameters.ts'
export { body } from './endpoint/body.ts'
export { form } from './endpoint/form.ts'
export { upload, uploads, allUploads, part, optionalPart } from './endpoint/form.ts'
export { multipartInput, multipartStream } from './endpoint/multipart.ts'
export { UnreadablePart } from './endpoint/http-error.ts'
export {
  produces,
  responds,
  fails,
  status,
  responseHeader,
  cache,
  noCache,
} from './endpoint/responses.ts'
export { as, representation } from './endpoint/representation.ts'
export { bytes, byteStream } from './endpoint/bytes.ts'
export { text, html } from './endpoint/text.ts'
export { json, rawJson } from './endpoint/json.ts'
export { formMap } from './endpoint/form.ts'
export { fileBody } from './endpoint/file.ts'
export { textStream } from './endpoint/text.ts'
export { jsonStream, ndjson } from './endpoint/json.ts'
export { multi, multiFrom } from './endpoint/multi.ts'
export { file, filePart } from './endpoint/file.ts'
export { multipartOutput, formDataPart, repeated } from './endpoint/multipart-output.ts'
export { attachment } from './endpoint/reply-header.ts'
export { withEtag } from './endpoint/representation.ts'
export { entity } from './endpoint/entity.ts'
export { sse } from './endpoint/sse.ts'
export { event, comment } from './endpoint/sse.ts'
export { reader } from './endpoint/reader.ts'
export { writer } from './endpoint/writer.ts'
export { readerInterceptor, writerInterceptor } from './endpoint/interceptor.ts'
export { onlyOn } from './endpoint/entity.ts'
export { withReader, withWriter, withInterceptor } from './endpoint/with-filter.ts'
export { handle, implement } from './endpoint/handle.ts'
export { implementAll } from './endpoint/handle.ts'
export { slot } from './endpoint/slot.ts'
export { needs } from './endpoint/slot.ts'
export { routes, prefix, provide } from './endpoint/routes.ts'
export { withFilter, withMapper } from './endpoint/with-filter.ts'
export { requestFilter } from './endpoint/request-filter.ts'
export { next } from './endpoint/request-filter.ts'
export { preMatching } from './endpoint/pre-matching.ts'
export { rewrite } from './endpoint/pre-matching.ts'
export { responseFilter } from './endpoint/response-filter.ts'
export { filters } from './endpoint/filter.ts'
export { cors } from './filter/cors.ts'
export { securityHeaders } from './filter/security-headers.ts'
export { requestId } from './filter/request-id.ts'
export { accessLog } from './filter/access-log.ts'
export { timing } from './filter/timing.ts'
export { priority, onlyFor, onlyWhere } from './endpoint/filter-order.ts'
export { bind } from './endpoint/filter-order.ts'
export { when, disabledWhen } from './endpoint/when.ts'
export { profile, property, not, allOf, anyOf } from './endpoint/condition.ts'
export { limits } from './endpoint/limits.ts'
export { vital } from './endpoint/execution.ts'
export { compressed, uncompressed } from './endpoint/responses.ts'
export { evaluatePreconditions } from './endpoint/preconditions.ts'
export { blocking, nonBlocking, transactional } from './endpoint/execution.ts'
export { permitAll, denyAll, authenticated, rolesAllowed } from './endpoint/access.ts'
export { jsonView, secureSerialization } from './endpoint/visibility.ts'
export { authentication } from './endpoint/authentication.ts'
export { identified } from './endpoint/authentication.ts'
export { basic } from './filter/basic.ts'
export { bearer } from './filter/bearer.ts'
export { jwt } from './filter/jwt.ts'
export { apiKey } from './filter/api-key.ts'
export { mapError, unwrap } from './endpoint/mapper.ts'
export { mapTagged } from './endpoint/tagged-errors.ts'
export { raises } from './endpoint/tagged-errors.ts'
export {
  reply,
  ok,
  created,
  accepted,
  noContent,
  notModified,
  seeOther,
  temporaryRedirect,
  permanentRedirect,
  notFound,
  notAcceptable,
  serverError,
  withHeader,
  withoutHeader,
  withCookie,
} from './endpoint/reply.ts'
export {
  expires,
  lastModified,
  etag,
  cacheControl,
  vary,
  variants,
  link,
  language,
  contentLocation,
  allow,
  mediaType,
} from './endpoint/reply-header.ts'
export {
  HttpError,
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  MethodNotAllowed,
  NotAcceptable,
  RequestTimeout,
  Conflict,
  Gone,
  ContentTooLarge,
  UnsupportedMediaType,
  UnprocessableContent,
  TooManyRequests,
  InternalServerError,
  ServiceUnavailable,
  Redirection,
} from './endpoint/http-error.ts'

export { health } from './health/health.ts'
export { broadcaster } from './broadcast/broadcaster.ts'
export { inProcess } from './broadcast/relay.ts'

export { uri } from './http/uri-reference.ts'
export { string, int, integer, number, boolean, enumOf } from './codec/scalar.ts'
export { optional, withDefault } from './codec/optional.ts'
export { list, set, sortedSet, separated } from './codec/collection.ts'
export { between, atLeast, atMost, lengthBetween, matching } from './codec/constraint.ts'
export { segments } from './codec/parameter/segments.ts'
export { encoded } from './codec/parameter/encoded.ts'
export { attempt } from './codec/parameter/attempt.ts'
export { standard } from './codec/standard-schema/standard-schema.ts'
export { fromString } from './codec/from-string.ts'
export {
  instant,
  plainDate,
  plainTime,
  plainDateTime,
  zonedDateTime,
  offsetDateTime,
  offsetTime,
  year,
  yearMonth,
} from './codec/temporal/date-time.ts'
export type { OffsetTime } from './codec/temporal/date-time.ts'
export { duration } from './codec/temporal/duration.ts'
export { dateFormat } from './codec/temporal/date-format.ts'
export { bigint, decimal } from './codec/decimal.ts'
export type { Decimal } from './codec/decimal.ts'
export { uuid } from './codec/uuid.ts'
export { lastEventId } from './codec/last-event-id.ts'
export { exact } from './codec/strict.ts'
export { view, inView, secureField } from './codec/visibility/restricted-member.ts'
export { unrestricted } from './codec/visibility/unrestricted.ts'

export type * from './inferred.ts'
