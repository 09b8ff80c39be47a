/** The head of a response while writers and interceptors of the application create its body. */
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import type { EncodedResponse } from '../exchange.ts'
import { encodeFor } from '../../body/text/charset.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import { sanitizeHeaders } from './response-headers.ts'
import type { BodyWriter } from './write-content.ts'

/** A response without its body. */
export interface ResponseDraft {
  readonly status: number
  readonly contentType: string
  /** The headers without `Content-Type`; all headers for a response without a body. */
  readonly headers: Headers.Headers
  /** Writes the body, unless a writer of the application does; `undefined` for a response without a body. */
  readonly writer: Pick<BodyWriter, 'alternative' | 'write'> | undefined
}

/** Creates a draft. `contentType` applies if `headers` do not contain `Content-Type`. */
export const createDraft = (
  status: number,
  headers: Headers.Headers,
  contentType: string,
  writer: ResponseDraft['writer'],
): ResponseDraft =>
  writer === undefined
    ? { status, contentType, headers, writer }
    : {
        status,
        contentType: Headers.first(headers, 'content-type') ?? contentType,
        headers: Headers.without(headers, 'content-type'),
        writer,
      }

const encoder = new TextEncoder()

/** A response head that can be changed until the response is complete. */
export class ResponseHead {
  readonly #draft: ResponseDraft
  #contentType: string
  #added: Headers.Headers = Headers.empty
  #isComplete = false

  constructor(draft: ResponseDraft) {
    this.#draft = draft
    this.#contentType = draft.contentType
  }

  /** Changes the media type. Throws a `TypeError` for an invalid media type and for a media range. */
  setMediaType(text: string): void {
    if (text === this.#contentType) return
    const parsed = MediaType.parse(text)
    if (O.isNone(parsed) || MediaType.isRange(parsed.value))
      throw new TypeError(`invalid media type of a response: ${JSON.stringify(text)}`)
    this.#contentType = contentTypeOf(text, parsed.value)
  }

  get mediaType(): MediaType.MediaType | undefined {
    return O.toUndefined(MediaType.parse(this.#contentType))
  }

  /** Encodes text in the charset of `Content-Type`. */
  encode(text: string): Uint8Array {
    const encoded = encodeFor(this.#sentType, text)
    return typeof encoded === 'string' ? encoder.encode(encoded) : encoded
  }

  get #sentType(): string {
    return Headers.first(sanitizeHeaders(this.#added), 'content-type') ?? this.#contentType
  }

  /** Adds a header; `Content-Type` is replaced. Throws if the response is complete. */
  readonly addHeader = (name: string, value: string): void => {
    if (this.#isComplete)
      throw new Error(`cannot add header ${name}: the response is already complete`)
    if (name.toLowerCase() === 'content-type')
      this.#added = Headers.without(this.#added, 'content-type')
    this.#added = Headers.append(this.#added, name, value)
  }

  /** Returns the complete response. */
  complete(body: Uint8Array): EncodedResponse & { readonly body: Uint8Array } {
    this.#isComplete = true
    const { status, headers } = this.#draft
    const added = sanitizeHeaders(this.#added)
    const addedType = Headers.first(added, 'content-type')
    return {
      status,
      headers: [
        'Content-Type',
        addedType ?? this.#contentType,
        ...sanitizeHeaders([
          ...headers,
          ...(addedType === undefined ? added : Headers.without(added, 'content-type')),
        ]),
      ],
      body,
    }
  }
}
