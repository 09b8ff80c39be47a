/** Converts sources to byte chunks on demand. */
import * as O from 'fp-ts/lib/Option.js'
import { encodingOf } from '../../body/text/charset.ts'
import { encodedText, utf8Text } from '../../body/stream/framings.ts'
import * as MediaType from '../../http/media-type.ts'
import type { PullIterator } from '../../body/stream/pull-iterator.ts'
import type { Framing } from '../../body/stream/framings.ts'
import { openSource } from '../../body/stream/open-source.ts'

/** Returns the chunks of a source, which is opened when iteration starts. Closing the iteration closes the source, also during a read. */
export const sourceChunks = (
  source: unknown,
  framing: () => Framing,
): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => new SourceChunks(openSource(source), framing()),
})

type Result = IteratorResult<Uint8Array, undefined>

const encoder = new TextEncoder()
const finished: Result = { done: true, value: undefined }

class SourceChunks implements AsyncIterator<Uint8Array, undefined> {
  readonly #source: PullIterator
  readonly #framing: Framing
  #isDone = false

  constructor(source: PullIterator, framing: Framing) {
    this.#source = source
    this.#framing = framing
  }

  async next(): Promise<Result> {
    while (!this.#isDone) {
      const { done, value } = await this.#source.next()
      if (this.#isDone) break
      if (done === true) this.#isDone = true
      const bytes = toBytes(done === true ? this.#framing.end : this.#framing.write(value))
      // an empty chunk would end a body with chunked transfer coding
      if (bytes.length > 0) return { done: false, value: bytes }
    }
    return finished
  }

  async return(): Promise<Result> {
    if (!this.#isDone) {
      this.#isDone = true
      await this.#source.return?.()
    }
    return finished
  }
}

const toBytes = (written: string | Uint8Array): Uint8Array =>
  typeof written === 'string' ? encoder.encode(written) : written

/** Returns the framing that encodes text in the charset of a media type. Default: UTF-8. */
export const textFraming = (type: string | undefined): Framing => {
  const mediaType = type === undefined ? undefined : O.toUndefined(MediaType.parse(type))
  const encode = mediaType && encodingOf({ mediaType, format: { _tag: 'TextStream' } })
  return encode === undefined ? utf8Text() : encodedText(encode)
}
