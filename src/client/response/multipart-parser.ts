/** Parses multipart bodies as a stream. Only the header section of each part is buffered. */
import { createPartParser } from '../../body/multipart/part-parser.ts'
import type { PartErrors } from '../../body/multipart/raw-part.ts'
import { partHead } from '../../body/multipart/raw-part.ts'
import { readParts } from '../../body/multipart/read-parts.ts'
import type { PartHead } from '../../http/part-headers.ts'

/** A part of a multipart body. */
export interface ResponsePart extends PartHead {
  /** Body of the part. Requesting the next part skips any unread bytes. */
  readonly content: AsyncIterable<Uint8Array>
}

const limits = {
  headerSize: 16 * 1024,
  headerSizeName: 'maximum of the client',
  headerCount: Infinity,
  headerCountName: '',
}

/**
 * Parses the parts in order. If the body is malformed, throws the error created by `malformed`. Data after the closing
 * delimiter is ignored.
 */
export async function* parseMultipart(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
  malformed: (detail: string) => Error,
): AsyncGenerator<ResponsePart, undefined> {
  const errors: PartErrors = { malformed, tooLarge: malformed }
  const parts = readParts({
    chunks,
    boundary,
    loadParser: () => createPartParser,
    limits,
    errors,
    allowsSharedLineBreak: true,
  })
  for await (const { headers, body } of parts) yield { ...partHead(headers, errors), content: body }
}
