/**
 * Which values are not to be printed: those that say so in the name of what holds them.
 */

/** Whether a name, or a value with the names in its expressions, speaks of a secret. */
export const isSecret = (text: string): boolean => /password|secret|token/i.test(text)

/** What stands in the place of a secret. */
export const mask = '***'
