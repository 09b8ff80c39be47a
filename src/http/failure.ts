/**
 * Defines the failures for which the framework rejects a request, as values. `http/problem.ts` describes each failure to the
 * client.
 */

/** A validation error for one input. The error never contains the invalid value, so equal errors can share one object. */
export interface ValidationError {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form' | 'body'
  /** The parameter name. Missing for bodies. */
  readonly name?: string
  /** The location of the invalid value in the body: a JSON pointer as a URI fragment (RFC 6901, 6). */
  readonly pointer?: string
  /** The requirement that the input does not meet, such as `must be an integer`. */
  readonly detail: string
}

export type RequestFailure =
  | { readonly _tag: 'MalformedRequest'; readonly detail: string }
  | {
      readonly _tag: 'InvalidInput'
      readonly errors: ReadonlyArray<ValidationError>
      readonly more: boolean
    }
  /** No route matches the path, or a path parameter is invalid. */
  | {
      readonly _tag: 'NotFound'
      readonly errors: ReadonlyArray<ValidationError>
      readonly more: boolean
    }
  | { readonly _tag: 'MethodNotAllowed'; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: 'NotAcceptable'; readonly available: ReadonlyArray<string> }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'ContentTooLarge'; readonly detail: string }
  | { readonly _tag: 'UriTooLong' }
  | {
      readonly _tag: 'UnsupportedMediaType'
      readonly detail: string
      readonly supported: ReadonlyArray<string>
    }
  /** If `supported` is missing, no content coding is supported. */
  | { readonly _tag: 'UnsupportedContentCoding'; readonly supported?: ReadonlyArray<string> }
  | { readonly _tag: 'ExpectationFailed' }
  /** The request host is not in `fw.http.allowed-hosts`. */
  | { readonly _tag: 'MisdirectedRequest' }
  | { readonly _tag: 'HeaderFieldsTooLarge' }
  | { readonly _tag: 'InternalError' }
  /** The method is not a standard method, and no route declares it. */
  | { readonly _tag: 'MethodNotImplemented' }
  | { readonly _tag: 'TransferCodingNotImplemented' }
  | { readonly _tag: 'ServiceUnavailable' }
  /** The response did not start in time. */
  | { readonly _tag: 'HandlerTimeout' }
  /** Load shedding rejected the request. */
  | { readonly _tag: 'Overloaded' }
  /** The buffered bodies of all requests together exceed the limit. */
  | { readonly _tag: 'BodyMemoryExhausted' }
  | { readonly _tag: 'VersionNotSupported' }

const statuses = {
  MalformedRequest: 400,
  InvalidInput: 400,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestTimeout: 408,
  ContentTooLarge: 413,
  UriTooLong: 414,
  UnsupportedMediaType: 415,
  UnsupportedContentCoding: 415,
  ExpectationFailed: 417,
  MisdirectedRequest: 421,
  HeaderFieldsTooLarge: 431,
  InternalError: 500,
  MethodNotImplemented: 501,
  TransferCodingNotImplemented: 501,
  ServiceUnavailable: 503,
  HandlerTimeout: 503,
  Overloaded: 503,
  BodyMemoryExhausted: 503,
  VersionNotSupported: 505,
} as const satisfies Readonly<Record<RequestFailure['_tag'], number>>

/** Returns the status code for a failure. */
export const status = (failure: RequestFailure): number => statuses[failure._tag]

/** The maximum number of validation errors that a response contains. */
export const maxReportedErrors = 20

/** Returns the first {@link maxReportedErrors} errors, and whether there are more. */
export const limitErrors = (
  errors: ReadonlyArray<ValidationError>,
): { readonly errors: ReadonlyArray<ValidationError>; readonly more: boolean } =>
  errors.length > maxReportedErrors
    ? { errors: errors.slice(0, maxReportedErrors), more: true }
    : { errors, more: false }

/** Returns a failure that contains the first {@link maxReportedErrors} validation errors. */
export const ofErrors = (
  tag: 'InvalidInput' | 'NotFound',
  errors: ReadonlyArray<ValidationError>,
): RequestFailure =>
  errors.length > maxReportedErrors
    ? { _tag: tag, errors: errors.slice(0, maxReportedErrors), more: true }
    : { _tag: tag, errors, more: false }

export const notFound: RequestFailure = { _tag: 'NotFound', errors: [], more: false }
