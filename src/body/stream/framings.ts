/** Framings: how the elements of a stream are written as bytes. */

export interface Framing {
  /** Written before the first element, or before the end of an empty stream. */
  readonly begin: string
  /** Between two elements. */
  readonly between: string
  readonly end: string
  readonly write: (element: unknown) => string | Uint8Array
}

/** A JSON array. */
export const jsonArray = (write: (element: unknown) => string): Framing => ({
  begin: '[',
  between: ',',
  end: ']',
  write,
})

/** One JSON text per line, each followed by a line feed. */
export const jsonLines = (write: (element: unknown) => string): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: (element) => `${write(element)}\n`,
})

/**
 * UTF-8 text, for one stream. A high surrogate at the end of a chunk is written with the next chunk, because an unpaired
 * surrogate is not a character.
 */
export const utf8Text = (): Framing => {
  let half = ''
  return {
    begin: '',
    between: '',
    get end() {
      return half
    },
    write: (element) => {
      if (typeof element !== 'string')
        throw new TypeError('invalid chunk of a text stream: expected a string')
      const text = half + element
      const whole = endsInHalf(text) ? text.length - 1 : text.length
      half = text.slice(whole)
      return text.slice(0, whole)
    },
  }
}

/** Text in a charset other than UTF-8. */
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

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Bytes, unchanged. */
export const bytesOnly: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (value) => {
    if (value instanceof Uint8Array) return value
    throw new TypeError('invalid chunk of a byte stream: expected a Uint8Array')
  },
}
