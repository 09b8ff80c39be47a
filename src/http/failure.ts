/**
 * Every way in which the framework refuses a request, as a value: its status stands beside its tag, and `http/problem.ts`
 * is the one place that puts it into words.
 */

/** What is wrong with one input of an operation. The value that was refused is never repeated, so equal errors can be shared. */
export interface ValidationError {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'matrix' | 'form' | 'body'
  /** The name of the parameter; bodies have none. */
  readonly name?: string
  /** Where in a body, as a JSON pointer in a URI fragment (RFC 6901, 6). */
  readonly pointer?: string
  /** What was expected, in words. */
  readonly detail: string
}

export type RequestFailure =
  | { readonly _tag: 'MalformedRequest'; readonly detail: string }
  | {
      readonly _tag: 'InvalidInput'
      readonly errors: ReadonlyArray<ValidationError>
      readonly more: boolean
    }
  /** There is no such path, or a path variable was refused: the URI names nothing. */
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
  /** Without codings, none is supported. */
  | { readonly _tag: 'UnsupportedContentCoding'; readonly supported?: ReadonlyArray<string> }
  | { readonly _tag: 'ExpectationFailed' }
  /** The host of the request is not one of `fw.http.allowed-hosts`. */
  | { readonly _tag: 'MisdirectedRequest' }
  | { readonly _tag: 'HeaderFieldsTooLarge' }
  | { readonly _tag: 'InternalError' }
  /** The method is neither a standard one nor declared anywhere in the tree. */
  | { readonly _tag: 'MethodNotImplemented' }
  | { readonly _tag: 'TransferCodingNotImplemented' }
  | { readonly _tag: 'ServiceUnavailable' }
  /** The operation has not begun its response in time. */
  | { readonly _tag: 'HandlerTimeout' }
  /** The server has more to do than it can. */
  | { readonly _tag: 'Overloaded' }
  /** Too many bytes of bodies are in memory. */
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

/** The status of a failure. */
export const status = (failure: RequestFailure): number => statuses[failure._tag]

/** No more errors than this are reported; a body can have any number of them. */
export const maxReportedErrors = 20

/** The errors that are reported, and whether there were more. */
export const limitErrors = (
  errors: ReadonlyArray<ValidationError>,
): { readonly errors: ReadonlyArray<ValidationError>; readonly more: boolean } =>
  errors.length > maxReportedErrors
    ? { errors: errors.slice(0, maxReportedErrors), more: true }
    : { errors, more: false }

/** The failure of a request with errors, of which the first are reported. */
export const ofErrors = (
  tag: 'InvalidInput' | 'NotFound',
  errors: ReadonlyArray<ValidationError>,
): RequestFailure =>
  errors.length > maxReportedErrors
    ? { _tag: tag, errors: errors.slice(0, maxReportedErrors), more: true }
    : { _tag: tag, errors, more: false }

export const notFound: RequestFailure = { _tag: 'NotFound', errors: [], more: false }
