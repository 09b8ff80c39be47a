/** How the elements of streams become octets. */

export interface Framing {
  /** In front of the first element, or of the end. */
  readonly begin: string
  /** Between two elements. */
  readonly between: string
  readonly end: string
  readonly write: (element: unknown) => string | Uint8Array
}

/** One JSON text: an array of JSON texts. */
export const jsonArray = (write: (element: unknown) => string): Framing => ({
  begin: '[',
  between: ',',
  end: ']',
  write,
})

/** A JSON text a line, the last line too. */
export const jsonLines = (write: (element: unknown) => string): Framing => ({
  begin: '',
  between: '',
  end: '',
  write: (element) => `${write(element)}\n`,
})

/**
 * Text as it is, for one stream. Half of a surrogate pair at the end of one piece waits for the other at the start of the next:
 * alone, neither is a character.
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
        throw new TypeError('a stream of text gave what is no string')
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
    if (typeof element !== 'string') throw new TypeError('a stream of text gave what is no string')
    return encode(element)
  },
})

const endsInHalf = (text: string): boolean => {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Octets as they are. */
export const bytesOnly: Framing = {
  begin: '',
  between: '',
  end: '',
  write: (value) => {
    if (value instanceof Uint8Array) return value
    throw new TypeError('a stream of bytes gave what is no Uint8Array')
  },
}
