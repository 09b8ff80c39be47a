/** Defines framings, which determine how the elements of a stream are written to the body. */
import { isBytes } from '../../http/platform-value.ts'

/** The text written before, between and after the elements of a stream, and a function that writes one element. */
export interface Framing {
  /** The text before the first element. It is also written if the stream is empty. */
  readonly begin: string
  /** The text between two elements. */
  readonly between: string
  readonly end: string
  readonly write: (element: unknown) => string | Uint8Array
}

/** Creates a framing that writes a JSON array. */
export const jsonArray = (write: (element: unknown) => string): Framing => ({
  begin: '[',
  between: ',',
  end: ']',
  write,
})

/** Creates a framing that writes one JSON text per line. Each text is followed by a line feed. */
export const jsonLines = (write: (element: unknown) => string): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: (element) => `${write(element)}\n`,
})

/**
 * Creates a framing that writes UTF-8 text.
 *
 * A high surrogate at the end of a chunk is kept and written with the next chunk, because an unpaired surrogate is not a
 * character. Streams cannot share a framing, because the surrogate is stored in the framing.
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
      if (typeof element !== 'string')
        throw new TypeError('invalid chunk of a text stream: expected a string')
      const text = pendingSurrogate + element
      const length = endsInHighSurrogate(text) ? text.length - 1 : text.length
      pendingSurrogate = text.slice(length)
      return text.slice(0, length)
    },
  }
}

/** Creates a framing that writes text in a charset other than UTF-8. */
export const encodedText = (encode: (text: string) => Uint8Array): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: (element) => {
    if (typeof element !== 'string')
      throw new TypeError('invalid chunk of a text stream: expected a string')
    return encode(element)
  },
})

const endsInHighSurrogate = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** A framing that writes bytes unchanged. */
export const bytesOnly: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (value) => {
    if (isBytes(value)) return value
    throw new TypeError('invalid chunk of a byte stream: expected a Uint8Array')
  },
}
