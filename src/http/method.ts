/**
 * Properties of request methods.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2
 * @see https://www.rfc-editor.org/rfc/rfc10008#section-2
 */

/** The safe methods, which change nothing. */
export const safeMethods: ReadonlyArray<string> = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']

/** The idempotent methods: several equal requests have the same effect as one. */
export const idempotentMethods: ReadonlyArray<string> = [...safeMethods, 'PUT', 'DELETE']
