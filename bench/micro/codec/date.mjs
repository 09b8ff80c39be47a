/** The dates of the orders: the same two functions in every library that transforms. */

/** An invalid date when the text is none. @type {(text: string) => Date} */
export const parse = (text) => new Date(text)

/** @type {(date: Date) => string} */
export const format = (date) => date.toISOString()

/** @type {(date: Date) => boolean} */
export const isValid = (date) => !Number.isNaN(date.getTime())
