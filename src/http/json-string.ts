/** Writes JSON strings. */

/** Characters that may need an escape. All surrogates match, although `JSON.stringify` escapes only lone surrogates. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/**
 * Writes a JSON string exactly as `JSON.stringify` does.
 *
 * The string is first searched for characters that need an escape. If there are none, the search takes a third to two thirds of
 * the time of `JSON.stringify` on Node.js 20, for lengths from 5 to 4000. From Node.js 24 on, the search is slower than
 * `JSON.stringify` for lengths above about 100, by 0.1 µs for a length of 400.
 *
 * ```text
 * déjà vu     "déjà vu"
 * say "hi"    "say \"hi\""
 * U+D800      "\ud800"
 * ```
 */
export const quote = (text: string): string =>
  special.test(text) ? JSON.stringify(text) : `"${text}"`
