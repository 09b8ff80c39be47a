/** Conversion of the dates of an order, used by all libraries that transform values. */

/** Returns an invalid date for malformed text. @type {(text: string) => Date} */
export const parse = (text) => new Date(text)

/** @type {(date: Date) => string} */
export const format = (date) => date.toISOString()

/** @type {(date: Date) => boolean} */
export const isValid = (date) => !Number.isNaN(date.getTime())
