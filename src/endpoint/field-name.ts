/** The names of header parameters. */

/** `userAgent` is `user-agent`; a name that is written with hyphens or capitals throughout stays what it is. */
export const fieldName = (key: string): string =>
  (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(key)
    ? key.replaceAll(/[A-Z]/g, '-$&')
    : key
  ).toLowerCase()
