/**
 * The failures that cause the framework to reject a request. `http/problem.ts` converts each failure to the problem that is sent
 * to the client.
 */

/** A validation error for a single input. It never contains the invalid value, so equal errors can share one object. */
export interface ValidationError {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form' | 'body'
  /** The parameter name. Not set for bodies. */
  readonly name?: string
  /** Location of the invalid value in the body: a JSON Pointer as a URI fragment (RFC 6901, 6). */
  readonly pointer?: string
  /** The violated requirement, such as `must be an integer`. */
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
  | {
      readonly _tag: 'MethodNotAllowed'
      readonly allow: ReadonlyArray<string>
      /** The media types that QUERY supports, if the resource supports QUERY. */
      readonly queryTypes?: ReadonlyArray<string>
    }
  | { readonly _tag: 'NotAcceptable'; readonly available: ReadonlyArray<string> }
  /** The request has no `Content-Type`, although its method requires one. */
  | { readonly _tag: 'MissingContentType'; readonly supported: ReadonlyArray<string> }
  | { readonly _tag: 'RequestTimeout' }
  | { readonly _tag: 'ContentTooLarge'; readonly detail: string }
  | { readonly _tag: 'UriTooLong' }
  | {
      readonly _tag: 'UnsupportedMediaType'
      readonly detail: string
      readonly supported: ReadonlyArray<string>
    }
  /**
   * The content coding of the request body is not supported. If `supported` is not set, the server does not support any content
   * coding.
   */
  | { readonly _tag: 'UnsupportedContentCoding'; readonly supported?: ReadonlyArray<string> }
  | { readonly _tag: 'ExpectationFailed' }
  /** The host in the request is not listed in `fw.http.allowed-hosts`. */
  | { readonly _tag: 'MisdirectedRequest' }
  | { readonly _tag: 'HeaderFieldsTooLarge' }
  | { readonly _tag: 'InternalError' }
  /** The method is neither standardized nor declared by a route. */
  | { readonly _tag: 'MethodNotImplemented' }
  | { readonly _tag: 'TransferCodingNotImplemented' }
  | { readonly _tag: 'ServiceUnavailable' }
  /** The handler timeout expired before the response started. */
  | { readonly _tag: 'HandlerTimeout' }
  /** The request was rejected by load shedding. */
  | { readonly _tag: 'Overloaded' }
  /** The buffered bodies of all requests together exceed the limit. */
  | { readonly _tag: 'BodyMemoryExhausted' }
  | { readonly _tag: 'VersionNotSupported' }

const statuses = {
  MalformedRequest: 400,
  MissingContentType: 400,
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

/** Maximum number of validation errors in a response. */
export const maxReportedErrors = 20

/** Returns the first {@link maxReportedErrors} errors, and whether there are more errors. */
export const limitErrors = (
  errors: ReadonlyArray<ValidationError>,
): { readonly errors: ReadonlyArray<ValidationError>; readonly more: boolean } =>
  errors.length > maxReportedErrors
    ? { errors: errors.slice(0, maxReportedErrors), more: true }
    : { errors, more: false }

/** Creates a failure with the first {@link maxReportedErrors} validation errors. */
export const ofErrors = (
  tag: 'InvalidInput' | 'NotFound',
  errors: ReadonlyArray<ValidationError>,
): RequestFailure =>
  errors.length > maxReportedErrors
    ? { _tag: tag, errors: errors.slice(0, maxReportedErrors), more: true }
    : { _tag: tag, errors, more: false }

export const notFound: RequestFailure = { _tag: 'NotFound', errors: [], more: false }
