/** The names of headers that are declared by keys. */

/**
 * Returns the name of the header for a parameter. For example, the `userAgent` parameter reads the
 * `user-agent` header. Names that are not in camel case are only converted to lower case.
 */
export const headerName = (key: string): string =>
  (/^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/.test(key)
    ? key.replaceAll(/[A-Z]/g, '-$&')
    : key
  ).toLowerCase()
