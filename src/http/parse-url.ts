/**
 * Parses a URL, relative to `base` if it is given. Returns `undefined` for an invalid one.
 *
 * `URL.canParse` is not used: in Node.js 20, once V8 has optimized it, it rejects some valid URLs with non-ASCII characters.
 */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
