/** Collects the header section of a part from the chunks of a body, and parses it within its limits. */
import * as O from 'fp-ts/lib/Option.js'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Headers } from '../../http/headers.ts'
import * as PartHeaders from '../../http/part-headers.ts'
import type { PartErrors, PartLimits } from './raw-part.ts'

const LF = 10
const CR = 13

/** A header section, from the line break before its first header up to the empty line that ends it. */
export class HeaderSection {
  readonly #limits: PartLimits
  readonly #errors: PartErrors
  readonly #bytes = new ByteCollector()
  /** Number of bytes of the sequence `CR LF CR LF` at the end of the collected bytes. */
  #matched = 0

  constructor(limits: PartLimits, errors: PartErrors) {
    this.#limits = limits
    this.#errors = errors
  }

  /** Adds bytes up to the end of the section. Returns how many were added. Throws an error if the section is too large. */
  add(bytes: Uint8Array): number {
    const { headerSize, headerSizeName } = this.#limits
    let count = 0
    while (count < bytes.length && this.#matched < 4)
      this.#matched = nextMatch(this.#matched, bytes[count++])
    // neither the first line break nor the empty line is part of the limited size
    const size = this.#bytes.length + count - 2 - Math.max(0, this.#matched - 2)
    if (size > headerSize)
      throw this.#errors.tooLarge(
        `The header section of a part is larger than ${headerSize} bytes (${headerSizeName}).`,
      )
    // the bytes are copied, because the memory of the chunk is reused before the section is complete
    this.#bytes.addCopy(bytes.subarray(0, count))
    return count
  }

  /** Whether the empty line has been added. */
  get isComplete(): boolean {
    return this.#matched === 4
  }

  /** Parses the section. Throws an error if it is malformed or has too many headers. */
  parse(): Headers {
    const { headerCount, headerCountName, headerCharset } = this.#limits
    const section = this.#bytes.take()
    const headers = PartHeaders.parse(
      section.subarray(2, Math.max(2, section.length - 4)),
      headerCharset,
    )
    if (O.isNone(headers)) throw this.#errors.malformed('malformed header section of a part')
    if (headers.value.length > 2 * headerCount)
      throw this.#errors.tooLarge(
        `A part has more than ${headerCount} headers (${headerCountName}).`,
      )
    return headers.value
  }
}

const nextMatch = (matched: number, byte: number | undefined): number => {
  if (byte === CR) return matched === 2 ? 3 : 1
  return byte === LF && (matched === 1 || matched === 3) ? matched + 1 : 0
}
