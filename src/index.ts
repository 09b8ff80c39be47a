/**
 * The entry point `espalier`: functions that declare endpoints. The functions that serve, call and test endpoints are in
 * `espalier/node`, `espalier/client` and `espalier/testing`.
 */

export { path, get, post, put, del, patch, head, options, method } from './endpoint/path.ts'
export { query, header, cookie, matrix, queryMap } from './endpoint/parameters.ts'
export {
  body,
  form,
  upload,
  uploads,
  allFields,
  allUploads,
  part,
  optionalPart,
  formMap,
} from './endpoint/body.ts'
export {
  multipartInput,
  multipartStream,
  multipartOutput,
  formDataPart,
  repeated,
} from './endpoint/multipart.ts'
export {
  UnreadablePart,
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
export {
  produces,
  responds,
  fails,
  status,
  responseHeader,
  responseHeaders,
  cache,
  noCache,
  compressed,
  uncompressed,
} from './endpoint/responses.ts'
export { as, inLanguage, representation, withEtag } from './endpoint/representation.ts'
export { problem, problemWith } from './endpoint/problem.ts'
export {
  bytes,
  byteStream,
  text,
  html,
  textStream,
  json,
  rawJson,
  jsonStream,
  ndjson,
} from './endpoint/built-in-formats.ts'
export { fileBody, file, filePart } from './endpoint/file.ts'
export { multi, multiFrom } from './endpoint/multi.ts'
export {
  attachment,
  expires,
  lastModified,
  etag,
  cacheControl,
  vary,
  variants,
  link,
  withHeaders,
  language,
  contentLocation,
  allow,
  mediaType,
} from './endpoint/reply-header.ts'
export { entity, onlyOn } from './endpoint/entity.ts'
export { sse, event, comment } from './endpoint/sse.ts'
export { reader } from './endpoint/reader.ts'
export { writer } from './endpoint/writer.ts'
export { readerInterceptor, writerInterceptor } from './endpoint/interceptor.ts'
export {
  withReader,
  withWriter,
  withInterceptor,
  withFilter,
  withMapper,
} from './endpoint/with-filter.ts'
export { handle, implement, implementAll } from './endpoint/handle.ts'
export { slot, needs } from './endpoint/slot.ts'
export { routes, provide } from './endpoint/routes.ts'
export { prefix } from './endpoint/prefix.ts'
export { requestFilter, next, preMatching, rewrite } from './endpoint/request-filter.ts'
export { responseFilter, filters } from './endpoint/filter.ts'
export { cors } from './filter/cors.ts'
export { csrf } from './filter/csrf.ts'
export { signedCookie } from './filter/signed-cookie.ts'
export { securityHeaders } from './filter/security-headers.ts'
export { requestId, timing } from './filter/reply-headers.ts'
export { accessLog } from './filter/access-log.ts'
export { priority, onlyFor, onlyWhere, bind } from './endpoint/filter-order.ts'
export { when, disabledWhen } from './endpoint/when.ts'
export { profile, property, not, allOf, anyOf } from './endpoint/condition.ts'
export { limits } from './endpoint/limits.ts'
export {
  critical,
  blocking,
  nonBlocking,
  transactional,
  permitAll,
  denyAll,
  authenticated,
  rolesAllowed,
  jsonView,
  secureSerialization,
} from './endpoint/operation-attributes.ts'
export {
  operationId,
  summary,
  description,
  tags,
  deprecated,
  hidden,
  externalDocs,
  example,
} from './endpoint/documentation.ts'
export { securityScheme, oauth2, openIdConnect } from './endpoint/security-scheme.ts'
export { described, named, withSchema } from './codec/annotated.ts'
export { selectVariant, variant } from './endpoint/variant.ts'
export { conditional } from './endpoint/conditional.ts'
export { call } from './endpoint/call.ts'
export { providersOf } from './endpoint/providers.ts'
export { evaluatePreconditions } from './endpoint/preconditions.ts'
export { authentication, authenticateAs } from './endpoint/authentication.ts'
export { basic, bearer, apiKey } from './filter/authentication.ts'
export { jwt } from './filter/jwt.ts'
export { mutualTls } from './filter/mutual-tls.ts'
export { mapError, unwrap } from './endpoint/mapper.ts'
export { mapTagged, raises } from './endpoint/tagged-errors.ts'
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
  internalServerError,
  withHeader,
  withoutHeader,
  withCookie,
} from './endpoint/reply.ts'

export { health } from './health/health.ts'
export { broadcaster } from './broadcast/broadcaster.ts'
export { inMemoryRelay } from './broadcast/relay.ts'
export { inMemoryStore } from './store/in-memory-store.ts'
export { withStore } from './store/with-store.ts'
export { rateLimit } from './store/rate-limit.ts'
export { idempotent } from './store/idempotent.ts'
export type { IdempotencyOptions } from './store/idempotent.ts'
export type { InMemoryStore, InMemoryStoreOptions } from './store/in-memory-store.ts'
export type { Acquired, Rate, Store, Stored, Taken } from './endpoint/definition/store.ts'

export { uri } from './http/uri-reference.ts'
export { string, int, integer, number, boolean, enumOf, uuid, lastEventId } from './codec/scalar.ts'
export { nullable, nullish, optional, withDefault } from './codec/optional.ts'
export { list, set, sortedSet, separated, tupleWithRest } from './codec/collection.ts'
export {
  between,
  atLeast,
  atMost,
  constrained,
  length,
  minLength,
  maxLength,
  pattern,
} from './codec/constraint.ts'
export { segments, encoded, combined, attempt } from './codec/structure/parameter-codecs.ts'
export { fromStandardSchema } from './codec/standard-schema/standard-schema.ts'
export { fromString } from './codec/from-string.ts'
export {
  date,
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
export type { RequestSteps, RequestTrace } from './diagnostics/request-trace.ts'
export type { OffsetTime } from './codec/temporal/date-time.ts'
export { duration } from './codec/temporal/duration.ts'
export { dateFormat } from './codec/temporal/date-format.ts'
export { bigint, decimal, parseDecimal, formatDecimal, compareDecimals } from './codec/decimal.ts'
export type { Decimal } from './codec/decimal.ts'
export { strict } from './codec/strict.ts'
export { view, inView, secureField } from './codec/structure/restricted-member.ts'
export { unrestricted } from './codec/unrestricted.ts'

export type * from './inferred.ts'
