/**
 * Parses a URL, relative to `base` if it is given. Returns `undefined` for an invalid one.
 *
 * In Node.js 20, `URL.canParse` rejects some texts with characters beyond ASCII once V8 has optimized it.
 */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
