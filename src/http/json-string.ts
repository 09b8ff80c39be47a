/** Writes JSON strings. */

/** Characters that might need to be escaped. All surrogates match, although `JSON.stringify` escapes only lone surrogates. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/**
 * Writes a JSON string exactly as `JSON.stringify` does.
 *
 * The function first searches the string for characters that need an escape. If there are no such characters, the function takes
 * one third to two thirds of the time of `JSON.stringify` on Node.js 20. This was measured for lengths from 5 to 4000. Since
 * Node.js 24, `JSON.stringify` is faster for lengths above about 100. The difference is 0.1 µs for a length of 400.
 *
 * ```text
 * déjà vu     "déjà vu"
 * say "hi"    "say \"hi\""
 * U+D800      "\ud800"
 * ```
 */
export const quote = (text: string): string =>
  special.test(text) ? JSON.stringify(text) : `"${text}"`
