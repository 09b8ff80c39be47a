/** Writes the delimiters and headers of multipart bodies, for servers and clients. */
import * as ContentDisposition from '../../http/content-disposition.ts'
import * as Headers from '../../http/headers.ts'

/** A part that is ready to be sent. */
export interface WrittenPart<B> {
  readonly headers: Headers.Headers
  readonly body: B
}

/** Returns the segments of a multipart body: the bodies of the parts, and the text before, between and after them. */
export const joinParts = <B>(
  parts: ReadonlyArray<WrittenPart<B>>,
  boundary: string,
): ReadonlyArray<string | B> => [
  ...parts.flatMap(({ headers, body }, index) => [
    `${index === 0 ? '' : '\r\n'}--${boundary}\r\n${formatHeaders(headers)}\r\n`,
    body,
  ]),
  `${parts.length === 0 ? '' : '\r\n'}--${boundary}--\r\n`,
]

const formatHeaders = (headers: Headers.Headers): string =>
  headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

/** Returns the headers of a form part. Headers set by the application take precedence. */
export const formPartHeaders = (
  name: string,
  fileName: string | undefined,
  contentType: string | undefined,
  ownHeaders: Headers.Headers = Headers.empty,
): Headers.Headers => {
  const isUnset = (header: string): boolean => Headers.first(ownHeaders, header) === undefined
  return [
    ...(isUnset('content-disposition')
      ? ['Content-Disposition', ContentDisposition.formData(name, fileName)]
      : []),
    ...ownHeaders,
    ...(contentType !== undefined && isUnset('content-type') ? ['Content-Type', contentType] : []),
  ]
}
