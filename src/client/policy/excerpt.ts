/** The first characters of a content that comes in pieces. */

export interface Excerpt {
  /** Takes a piece; whether no more is wanted. */
  readonly add: (octets: Uint8Array) => boolean
  /** The characters so far, at most the limit, with `…` behind them where there are more. */
  readonly text: () => string
}

/** At most `limit` UTF-16 code units of text in UTF-8. Octets that are none are shown as U+FFFD. */
export const excerpt = (limit: number): Excerpt => {
  const decoder = new TextDecoder()
  let text = ''
  return {
    add: (octets) => {
      // no character is more than four octets long, so that much of a long piece is enough
      if (text.length <= limit)
        text += decoder.decode(octets.subarray(0, 4 * (limit + 1)), { stream: true })
      return text.length > limit
    },
    text: () => cut(text, limit),
  }
}

/** The first characters of a text. */
export const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text
