/**
 * Defines how a stream of values is read and written. Server and client use the same functions in both directions.
 *
 * The elements of a stream are bodies themselves: a stream of JSON values consists of JSON bodies between delimiters.
 */
import * as E from 'fp-ts/lib/Either.js'
import type { JsonFraming } from '../../codec/json/json-elements.ts'
import type { RequestFailure } from '../../http/failure.ts'
import type * as MediaType from '../../http/media-type.ts'
import { isBytes } from '../../http/platform-value.ts'
import { textDecoder } from '../../http/text-decoder.ts'
import type { EventStreamReader } from '../../http/event-stream.ts'
import type { BodyOptions, BodyPlan, BuiltInFormat } from '../body-plan.ts'
import type { Encode } from '../charset.ts'
import type { DecodedBody, ReadBody } from '../decode-body.ts'
import {
  charsetOf,
  malformedBody,
  unsupportedCharset,
  whenRead,
  withinPart,
} from '../decode-body.ts'
import { isMulti } from './open-source.ts'

/** Reads and writes streams of one format. */
export interface StreamFormat {
  /** Returns the plan for an element. `undefined` if the elements are text or bytes, which are read and written unchanged. */
  readonly element: (plan: BodyPlan) => BodyPlan | undefined
  /** What an element is called in error messages. */
  readonly elementName: 'stream element' | 'event data'
  /** How a stream is sent whose elements can be rare. `undefined` if the head is sent together with the first element. */
  readonly live: LiveStream | undefined
  /** Returns the framing for a stream. Streams cannot share a framing, because it may have a state. */
  readonly framing: (options: FramingOptions) => Framing
  /** Returns the elements of a stream, or the failure if its charset is not supported. */
  readonly read: (
    chunks: AsyncIterable<Uint8Array>,
    options: StreamReadOptions,
  ) => E.Either<RequestFailure, AsyncIterable<unknown>>
}

/** Properties of a stream whose head is sent at once, and whose connection is kept open by comments. */
export interface LiveStream {
  /** The text that is sent if no element is available for some time. */
  readonly keepAlive: string
  /** Headers of the response, unless the reply sets them. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
}

/** The elements that have been written, shared by all receivers to which the same members are visible. */
export interface SharedElements {
  readonly written: WeakMap<object, string>
  /** Whether all members are visible to the receivers, and JSON is not customized. */
  readonly isUnrestricted: boolean
}

export interface FramingOptions extends Pick<BodyOptions, 'json'> {
  /** The source whose elements are written. */
  readonly source: unknown
  /** Writes an element. */
  readonly write: (element: unknown) => string
  /** Encodes text. `undefined` for UTF-8. */
  readonly encode: Encode | undefined
  /** Used for live streams only. Default: elements are not shared. */
  readonly shared?: SharedElements | undefined
}

/** The text written before, between and after the elements of a stream, and a function that writes one element. */
export interface Framing {
  /** The text before the first element. It is also written if the stream is empty. */
  readonly begin: string
  /** The text between two elements. */
  readonly between: string
  readonly end: string
  readonly write: (element: unknown) => string | Uint8Array
}

export interface StreamReadOptions {
  readonly contentType: MediaType.MediaType | undefined
  /** Reads an element. Not called for text and bytes. */
  readonly readElement: ReadBody
  /** Maximum size of an element in bytes. */
  readonly maxBytes: number
  /** Creates the error that is thrown for an invalid element. */
  readonly invalid: (failure: RequestFailure) => Error
  /** Creates the error that is thrown for an element that exceeds the size limit. */
  readonly tooLarge: () => Error
  /** The state of an event stream that continues an earlier one. Default: a new stream. */
  readonly events?: EventStreamReader
}

/** The properties of streams whose elements are text or bytes. */
const plainChunks = {
  element: () => undefined,
  elementName: 'stream element',
  live: undefined,
} as const

/** A stream whose elements are the chunks of the body. */
export const byteChunks: StreamFormat = {
  ...plainChunks,
  framing: () => bytesOnly,
  read: E.right,
}

/** A framing that writes bytes unchanged. */
const bytesOnly: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (value) => {
    if (isBytes(value)) return value
    throw new TypeError('invalid chunk of a byte stream: expected a Uint8Array')
  },
}

/** A stream whose elements are strings. An unknown charset is a failure. Malformed bytes cause an error while the stream is read. */
export const textChunks: StreamFormat = {
  ...plainChunks,
  framing: ({ encode }) => (encode === undefined ? utf8Text() : encodedText(encode)),
  read: (chunks, { contentType, invalid }) => {
    const decoder = textDecoder(charsetOf(contentType))
    return decoder === undefined
      ? unsupportedCharset
      : E.right(
          decodeChunks(chunks, (chunk) => {
            try {
              return decoder.decode(chunk, { stream: chunk !== undefined })
            } catch {
              throw invalid(malformedText)
            }
          }),
        )
  },
}

const malformedText = malformedBody('malformed text: invalid bytes for its charset')

async function* decodeChunks(
  chunks: AsyncIterable<Uint8Array>,
  decode: (chunk?: Uint8Array) => string,
): AsyncGenerator<string, undefined> {
  for await (const chunk of chunks) {
    const text = decode(chunk)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

/**
 * Creates a framing that writes UTF-8 text.
 *
 * A high surrogate at the end of a chunk is kept and written with the next chunk, because an unpaired surrogate is not a
 * character.
 */
export const utf8Text = (): Framing => {
  let pendingSurrogate = ''
  return {
    begin: '',
    between: '',
    get end() {
      return pendingSurrogate
    },
    write: (element) => {
      const text = pendingSurrogate + checkText(element)
      const length = endsInHighSurrogate(text) ? text.length - 1 : text.length
      pendingSurrogate = text.slice(length)
      return text.slice(0, length)
    },
  }
}

/** Creates a framing that writes text in a charset other than UTF-8. */
const encodedText = (encode: Encode): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: (element) => encode(checkText(element)),
})

const checkText = (element: unknown): string => {
  if (typeof element === 'string') return element
  throw new TypeError('invalid chunk of a text stream: expected a string')
}

const endsInHighSurrogate = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/**
 * Creates a stream whose elements are JSON values. An element without a JSON representation, such as `undefined`, is written as `null`,
 * as `JSON.stringify` does in arrays.
 */
export const jsonElements = (format: BuiltInFormat, framing: JsonFraming): StreamFormat => ({
  ...plainChunks,
  element: (plan) => ({ ...plan, format }),
  framing: ({ write, source, json }) => {
    const { prefix, suffix } = framing
    const isArray = framing.isArray && !(isMulti(source) && !source.encodeAsArray)
    const writeValue = (value: unknown): string => write(value) || 'null'
    const writeElement = isArray || json === undefined ? writeValue : onOneLine(writeValue)
    return isArray
      ? { begin: '[', between: ',', end: ']', write: writeElement }
      : {
          begin: '',
          between: '',
          end: '',
          write: (value) => `${prefix}${writeElement(value)}${suffix}`,
        }
  },
  read: (chunks, options) => E.right(readJsonElements(chunks, framing, options)),
})

/**
 * Removes line breaks and the indentation after them, which a custom JSON library may insert. JSON contains line breaks only between
 * tokens, where whitespace is insignificant.
 */
const onOneLine =
  (write: (element: unknown) => string) =>
  (element: unknown): string =>
    write(element).replaceAll(/[\r\n]\s*/g, '')

/** Decodes each element as soon as it is complete. */
async function* readJsonElements(
  chunks: AsyncIterable<Uint8Array>,
  { split }: JsonFraming,
  { maxBytes, readElement, invalid, tooLarge }: StreamReadOptions,
): AsyncGenerator<unknown, undefined> {
  const splitter = split(maxBytes, (failure) =>
    failure._tag === 'TooLong' ? tooLarge() : invalid(malformedBody(failure.detail)),
  )
  let index = 0
  const valueOf = (value: DecodedBody): unknown => {
    if (E.isLeft(value)) throw invalid(withinPart(String(index), value.left))
    index++
    return value.right
  }
  const decode = (element: Uint8Array): unknown =>
    whenRead(readElement(element, undefined), valueOf)
  for await (const chunk of chunks)
    for (const element of splitter.take(chunk)) yield decode(element)
  for (const element of splitter.end()) yield decode(element)
}
