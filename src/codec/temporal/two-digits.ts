/** Two-digit numbers, without the substrings and the padding of `Number(text.slice(…))` and `padStart`. */

/** Formats a number from 0 to 99. */
export const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

/** Parses the two digits at `index`, which must be there. */
export const twoDigitsAt = (text: string, index: number): number =>
  (text.charCodeAt(index) - zero) * 10 + text.charCodeAt(index + 1) - zero

const zero = '0'.charCodeAt(0)
