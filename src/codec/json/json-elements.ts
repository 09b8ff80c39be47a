/**
 * Defines how the elements of streamed JSON are delimited: as the elements of an array, or as lines.
 *
 * The splitters only find where elements end. The JSON parser validates each element later.
 */

import { ByteCollector } from '../../http/byte-collector.ts'

/** The reason why JSON cannot be split. Either the JSON is malformed, or an element exceeds the size limit. */
export type JsonElementError =
  | { readonly _tag: 'Malformed'; readonly detail: string }
  | ElementTooLong

export interface ElementTooLong {
  readonly _tag: 'TooLong'
}

/** The delimiters of the elements in a JSON stream. */
export interface JsonFraming {
  /** Whether the stream is a JSON array. `multi` can write it as lines instead. */
  readonly isArray: boolean
  /** The text before each element that is not in an array. */
  readonly prefix: string
  /** The text after each element that is not in an array. */
  readonly suffix: string
  /** Creates a splitter. An element can have at most `maxBytes` bytes. */
  readonly split: (maxBytes: number, toError: MakeError) => ElementSplitter
}

/** Splits JSON that arrives in chunks of bytes. */
export interface ElementSplitter {
  /**
   * Returns the elements that end in the given chunk. Throws an error created by `toError` if the JSON is malformed or an
   * element is too long.
   */
  readonly take: (bytes: Uint8Array) => Iterable<Uint8Array>
  /**
   * Returns the remaining elements at the end of the stream. Throws an error created by `toError` if the JSON is incomplete.
   */
  readonly end: () => Iterable<Uint8Array>
}

/** Creates the error that a splitter throws. */
export type MakeError = (error: JsonElementError) => Error

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

/** Whether a byte is JSON whitespace. */
export const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** A buffer for the bytes of one element. */
class Element {
  readonly #maxBytes: number
  readonly #toError: MakeError
  readonly #bytes = new ByteCollector()

  constructor(maxBytes: number, toError: MakeError) {
    this.#maxBytes = maxBytes
    this.#toError = toError
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0
  }

  /** Appends a copy of `bytes`, because the underlying buffer might be reused for the next chunk. */
  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#check(bytes)
    this.#bytes.addCopy(bytes)
  }

  /** Appends `last` to the element, returns the complete element and clears the buffer. */
  complete(last: Uint8Array): Uint8Array {
    this.#check(last)
    if (this.#bytes.length === 0) return last
    this.#bytes.add(last)
    return this.#bytes.take()
  }

  #check({ length }: Uint8Array): void {
    if (this.#bytes.length + length > this.#maxBytes) throw this.#toError({ _tag: 'TooLong' })
  }
}

const isBlank = (bytes: Uint8Array): boolean => bytes.every(isSpace)

/**
 * Returns the index of the first byte after any blank lines. The function avoids subarrays, because creating one takes 150 ns.
 */
const afterBlankLines = (bytes: Uint8Array, from: number, delimiter: number): number => {
  let start = from
  for (let at = from; isSpace(bytes[at]) || bytes[at] === delimiter; at++)
    if (bytes[at] === delimiter) start = at + 1
  return start
}

/**
 * Returns a function that creates a splitter. It returns what is between two delimiters as an element, unless it is blank.
 */
export const splitAt =
  (delimiter: number): JsonFraming['split'] =>
  (maxBytes, toError) => {
    const element = new Element(maxBytes, toError)
    return {
      *take(bytes) {
        let from = 0
        for (;;) {
          if (element.isEmpty) from = afterBlankLines(bytes, from, delimiter)
          const end = bytes.indexOf(delimiter, from)
          if (end === -1) break
          const line = element.complete(bytes.subarray(from, end))
          if (!isBlank(line)) yield line
          from = end + 1
        }
        element.append(bytes.subarray(from))
      },
      *end() {
        const line = element.complete(new Uint8Array())
        if (!isBlank(line)) yield line
      },
    }
  }

/** Splits JSON into lines. Blank lines are ignored. */
export const splitLines = splitAt(lineFeed)

/** One JSON text per line. */
export const jsonLines: JsonFraming = {
  isArray: false,
  prefix: '',
  suffix: '\n',
  split: splitLines,
}

/**
 * The position of the splitter in an array. `first` is before the first element. `scalar`, `string` and `nested` are inside an
 * element. `between` is after an element, and `comma` is after a comma.
 */
type ArrayState =
  | 'before'
  | 'first'
  | 'scalar'
  | 'string'
  | 'nested'
  | 'between'
  | 'comma'
  | 'after'

/**
 * Creates a splitter for the elements of one array. Objects, arrays and strings are complete after their last byte. Numbers and
 * literals are complete when the next byte arrives. An element can have at most `maxBytes` bytes.
 */
export const splitArray = (maxBytes: number, toError: MakeError): ElementSplitter => {
  const element = new Element(maxBytes, toError)
  const malformed = (detail: string): Error => toError({ _tag: 'Malformed', detail })
  let state: ArrayState = 'before'
  /** Number of arrays and objects in the current element that are still open. */
  let depth = 0
  let isString = false
  let isEscaped = false
  /** Updates `isString` and `isEscaped` for a byte inside a string. */
  const readString = (byte: number | undefined): void => {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) isString = false
  }
  /** Updates the state for a byte inside the current element. Returns whether the byte is the last one of the element. */
  const isLastByte = (byte: number | undefined): boolean => {
    if (isString) {
      readString(byte)
      return !isString && state === 'string'
    }
    if (byte === quote) isString = true
    else if (byte === openObject || byte === openArray) depth++
    else if (byte === closeObject || byte === closeArray) return --depth === 0
    return false
  }
  const startElement = (byte: number | undefined): ArrayState => {
    isString = byte === quote
    if (isString) return 'string'
    if (byte !== openObject && byte !== openArray) return 'scalar'
    depth = 1
    return 'nested'
  }
  /** Returns the state that results from a byte outside an element. The byte must not be whitespace. */
  const nextState = (byte: number | undefined): ArrayState => {
    switch (state) {
      case 'before':
        if (byte === openArray) return 'first'
        throw malformed('expected an array')
      case 'first':
        if (byte === closeArray) return 'after'
        break
      case 'between':
        if (byte === comma) return 'comma'
        if (byte === closeArray) return 'after'
        throw malformed('expected a comma or the end of the array')
      case 'after':
        throw malformed('unexpected data after the array')
      default:
        break
    }
    if (byte === comma || byte === closeArray || byte === closeObject)
      throw malformed('missing element')
    return startElement(byte)
  }
  return {
    *take(bytes) {
      let from = 0
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at]
        if (state === 'nested' || state === 'string') {
          if (!isLastByte(byte)) continue
          yield element.complete(bytes.subarray(from, at + 1))
          state = 'between'
        } else if (state === 'scalar') {
          if (byte !== comma && byte !== closeArray && !isSpace(byte)) continue
          yield element.complete(bytes.subarray(from, at))
          state = 'between'
          if (!isSpace(byte)) state = nextState(byte)
        } else if (!isSpace(byte)) {
          state = nextState(byte)
          from = at
        }
      }
      if (state === 'nested' || state === 'string' || state === 'scalar')
        element.append(bytes.subarray(from))
    },
    end: () => {
      if (state !== 'after') throw malformed('unexpected end of the array')
      return []
    },
  }
}

/** Creates a splitter for an array. If the JSON does not start with `[`, it is split into lines instead. */
export const splitArrayOrLines = (maxBytes: number, toError: MakeError): ElementSplitter => {
  let splitter: ElementSplitter | undefined
  return {
    *take(bytes) {
      const first = splitter === undefined ? bytes.findIndex((byte) => !isSpace(byte)) : 0
      if (first === -1) return
      splitter ??=
        bytes[first] === openArray ? splitArray(maxBytes, toError) : splitLines(maxBytes, toError)
      yield* splitter.take(bytes)
    },
    end: () => (splitter ?? splitArray(maxBytes, toError)).end(),
  }
}

/** A JSON array. Lines are accepted too. */
export const jsonArray: JsonFraming = { ...jsonLines, isArray: true, split: splitArrayOrLines }
