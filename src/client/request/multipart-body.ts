/**
 * Parts as the body of a request. It is written here and not by `FormData`, which changes line breaks in texts and makes a file of
 * whatever states a media type; names are escaped as browsers do.
 *
 * @see https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data
 */
import * as Boundary from '../../http/boundary.ts'
import * as Headers from '../../http/headers.ts'
import type { BodyContent, OpenStream } from './written-body.ts'
import type { RequestBody } from './written-body.ts'

/** A part as it is sent. */
export interface WrittenPart {
  readonly headers: Headers.Headers
  readonly content: BodyContent
}

/** One whole that can be sent again, unless a part comes in pieces. Files are read when they are sent. */
export const formBody = (
  parts: ReadonlyArray<WrittenPart>,
  type: string = 'multipart/form-data',
): RequestBody => {
  const boundary = Boundary.generate()
  const segments: ReadonlyArray<BodyContent> = [
    ...parts.flatMap(({ headers, content }) => [
      `--${boundary}\r\n${fieldsOf(headers)}\r\n`,
      content,
      '\r\n',
    ]),
    `--${boundary}--\r\n`,
  ]
  return {
    // a boundary that a caller asks for is none of these parts
    contentType: `${type.replace(/;\s*boundary=(?:"[^"]*"|[^;]*)/gi, '')}; boundary=${boundary}`,
    content: segments.every(isWhole) ? new Blob([...segments]) : () => joined(segments),
    headers: Headers.empty,
  }
}

const isWhole = (segment: BodyContent): segment is Exclude<BodyContent, OpenStream> =>
  typeof segment !== 'function'

const fieldsOf = (headers: Headers.Headers): string =>
  headers.map((text, index) => (index % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('')

const encoder = new TextEncoder()

async function* joined(
  segments: ReadonlyArray<BodyContent>,
): AsyncGenerator<Uint8Array, undefined> {
  for (const segment of segments)
    if (typeof segment === 'string') yield encoder.encode(segment)
    else if (segment instanceof Uint8Array) yield segment
    else if (segment instanceof Blob) yield* segment.stream()
    else yield* segment()
}
