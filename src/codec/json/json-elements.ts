/**
 * Finds the elements of JSON that comes in pieces: those of one array, or one value a line. It looks for their ends only; whether
 * an element is JSON shows where it is parsed.
 */

import { ByteCollector } from '../../http/byte-collector.ts'

/** Where what came is no such JSON, in words; or an element of more octets than are wanted. */
export type ElementError = { readonly _tag: 'Malformed'; readonly detail: string } | ElementTooLong

export interface ElementTooLong {
  readonly _tag: 'TooLong'
}

/** Octets of JSON, cut at other places. */
export interface ElementSplitter {
  /** The elements that end in these octets. Throws what `fail` makes. */
  readonly take: (octets: Uint8Array) => Iterable<Uint8Array>
  /** What is left when there are no more octets. Throws what `fail` makes of JSON that is not at its end. */
  readonly end: () => Iterable<Uint8Array>
}

type MakeError = (unfound: ElementError) => Error

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a]
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d]

const isSpace = (octet: number | undefined): boolean =>
  octet === 0x20 || octet === 0x0a || octet === 0x0d || octet === 0x09

/** The octets of one element, as far as they have come. */
class Element {
  readonly #most: number
  readonly #fail: MakeError
  readonly #octets = new ByteCollector()

  constructor(most: number, fail: MakeError) {
    this.#most = most
    this.#fail = fail
  }

  get isEmpty(): boolean {
    return this.#octets.length === 0
  }

  /** Keeps what may be gone with the next piece. */
  keep(octets: Uint8Array): void {
    if (octets.length === 0) return
    this.#check(octets)
    this.#octets.addCopy(octets)
  }

  /** All of it, with its last octets. */
  whole(last: Uint8Array): Uint8Array {
    this.#check(last)
    if (this.#octets.length === 0) return last
    this.#octets.add(last)
    return this.#octets.take()
  }

  #check({ length }: Uint8Array): void {
    if (this.#octets.length + length > this.#most) throw this.#fail({ _tag: 'TooLong' })
  }
}

const isBlank = (octets: Uint8Array): boolean => octets.every(isSpace)

/** Skips blank lines in a loop: to cut each one out took 150 ns. */
const afterBlankLines = (octets: Uint8Array, from: number): number => {
  let start = from
  for (let at = from; at < octets.length && isSpace(octets[at]); at++)
    if (octets[at] === lineFeed) start = at + 1
  return start
}

/** A value a line; lines without one are left out. An element has at most `most` octets. */
export const splitLines = (most: number, fail: MakeError): ElementSplitter => {
  const element = new Element(most, fail)
  return {
    *take(octets) {
      let from = 0
      for (;;) {
        if (element.isEmpty) from = afterBlankLines(octets, from)
        const end = octets.indexOf(lineFeed, from)
        if (end === -1) break
        const line = element.whole(octets.subarray(from, end))
        if (!isBlank(line)) yield line
        from = end + 1
      }
      element.keep(octets.subarray(from))
    },
    *end() {
      const line = element.whole(new Uint8Array())
      if (!isBlank(line)) yield line
    },
  }
}

/** Where an array is: before it, at its first element or its end, in one, behind one, behind a comma, behind it. */
type ArrayState =
  | 'before'
  | 'first'
  | 'scalar'
  | 'string'
  | 'nested'
  | 'between'
  | 'comma'
  | 'behind'

/**
 * The elements of one array, each as soon as its last octet is there; of numbers and names, only what follows shows that. An element
 * has at most `most` octets.
 */
export const splitArray = (most: number, fail: MakeError): ElementSplitter => {
  const element = new Element(most, fail)
  const malformed = (detail: string): Error => fail({ _tag: 'Malformed', detail })
  let place: ArrayState = 'before'
  /** Arrays and objects that are open in the element. */
  let depth = 0
  let isString = false
  let isEscaped = false
  /** Goes over an octet of a string. */
  const inString = (octet: number | undefined): void => {
    if (isEscaped) isEscaped = false
    else if (octet === backslash) isEscaped = true
    else if (octet === quote) isString = false
  }
  /** Goes over an octet of the element; gives whether it is its last. */
  const ends = (octet: number | undefined): boolean => {
    if (isString) {
      inString(octet)
      return !isString && place === 'string'
    }
    if (octet === quote) isString = true
    else if (octet === openObject || octet === openArray) depth++
    else if (octet === closeObject || octet === closeArray) return --depth === 0
    return false
  }
  const begins = (octet: number | undefined): ArrayState => {
    isString = octet === quote
    if (isString) return 'string'
    if (octet !== openObject && octet !== openArray) return 'scalar'
    depth = 1
    return 'nested'
  }
  /** The place behind an octet that is in no element and no space. */
  const behind = (octet: number | undefined): ArrayState => {
    switch (place) {
      case 'before':
        if (octet === openArray) return 'first'
        throw malformed('it is no array')
      case 'first':
        if (octet === closeArray) return 'behind'
        break
      case 'between':
        if (octet === comma) return 'comma'
        if (octet === closeArray) return 'behind'
        throw malformed('something stands behind an element')
      case 'behind':
        throw malformed('something stands behind the end of the array')
      default:
        break
    }
    if (octet === comma || octet === closeArray || octet === closeObject)
      throw malformed('an element is missing')
    return begins(octet)
  }
  return {
    *take(octets) {
      let from = 0
      for (let at = 0; at < octets.length; at++) {
        const octet = octets[at]
        if (place === 'nested' || place === 'string') {
          if (!ends(octet)) continue
          yield element.whole(octets.subarray(from, at + 1))
          place = 'between'
        } else if (place === 'scalar') {
          if (octet !== comma && octet !== closeArray && !isSpace(octet)) continue
          yield element.whole(octets.subarray(from, at))
          place = 'between'
          if (!isSpace(octet)) place = behind(octet)
        } else if (!isSpace(octet)) {
          place = behind(octet)
          from = at
        }
      }
      if (place === 'nested' || place === 'string' || place === 'scalar')
        element.keep(octets.subarray(from))
    },
    end: () => {
      if (place !== 'behind') throw malformed('it ends before the array does')
      return []
    },
  }
}

/** One array; or, where the first value does not begin as one, a value a line. */
export const splitArrayOrLines = (most: number, fail: MakeError): ElementSplitter => {
  let found: ElementSplitter | undefined
  return {
    *take(octets) {
      const first = found === undefined ? octets.findIndex((octet) => !isSpace(octet)) : 0
      if (first === -1) return
      found ??= octets[first] === openArray ? splitArray(most, fail) : splitLines(most, fail)
      yield* found.take(octets)
    },
    end: () => (found ?? splitArray(most, fail)).end(),
  }
}
