/** The head of a response while writers and interceptors are at its content. */
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../../http/headers.ts'
import * as MediaType from '../../http/media-type.ts'
import type { EncodedResponse } from '../exchange.ts'
import { encodeFor } from '../../body/text/charset.ts'
import { contentTypeOf } from '../../body/declared-type.ts'
import { sanitizeHeaders } from './response-headers.ts'
import type { ResponseDraft } from './encode-response.ts'

const encoder = new TextEncoder()

/** What the head will be. Until it is sent, fields can be added and the media type can be changed. */
export class ResponseHead {
  readonly #draft: ResponseDraft
  #contentType: string
  #added: Headers.Headers = Headers.empty
  #isSent = false

  constructor(draft: ResponseDraft) {
    this.#draft = draft
    this.#contentType = draft.contentType
  }

  /** Takes a media type; throws a `TypeError` for what is none that can be sent. */
  become(text: string): void {
    if (text === this.#contentType) return
    const parsed = MediaType.parse(text)
    if (O.isNone(parsed) || MediaType.isRange(parsed.value))
      throw new TypeError(`not a media type to send: ${JSON.stringify(text)}`)
    this.#contentType = contentTypeOf(text, parsed.value)
  }

  get mediaType(): MediaType.MediaType | undefined {
    return O.toUndefined(MediaType.parse(this.#contentType))
  }

  /** Encodes text in the charset that the head announces. */
  encode(text: string): Uint8Array {
    const encoded = encodeFor(this.#announced, text)
    return typeof encoded === 'string' ? encoder.encode(encoded) : encoded
  }

  get #announced(): string {
    return Headers.first(sanitizeHeaders(this.#added), 'content-type') ?? this.#contentType
  }

  readonly add = (name: string, value: string): void => {
    if (this.#isSent) throw new Error(`the head has been sent, so ${name} cannot be added`)
    if (name.toLowerCase() === 'content-type')
      this.#added = Headers.without(this.#added, 'content-type')
    this.#added = Headers.append(this.#added, name, value)
  }

  answer(content: Uint8Array): EncodedResponse & { readonly body: Uint8Array } {
    this.#isSent = true
    const { status, headers } = this.#draft
    const added = sanitizeHeaders(this.#added)
    const said = Headers.first(added, 'content-type')
    return {
      status,
      headers: [
        'Content-Type',
        said ?? this.#contentType,
        ...sanitizeHeaders([
          ...headers,
          ...(said === undefined ? added : Headers.without(added, 'content-type')),
        ]),
      ],
      body: content,
    }
  }
}
