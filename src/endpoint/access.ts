/**
 * Access to operations. It is checked after authentication and before the body is read, and results in 401 or 403 if
 * it is denied.
 */
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/** Allows all requests. Needed only inside a resource or tree with restricted access. */
export const permitAll: AttributeStep = setAttributes({ access: { _tag: 'PermitAll' } })

/** Denies all requests: 401 for anonymous ones, 403 for others. Without an authentication filter it is always 403. */
export const denyAll: AttributeStep = setAttributes({ access: { _tag: 'DenyAll' } })

/**
 * Allows authenticated requests. Anonymous ones result in 401 with the challenges of the authentication filters in
 * scope.
 */
export const authenticated: AttributeStep = setAttributes({ access: { _tag: 'Authenticated' } })

/**
 * Allows principals with at least one of the roles. Anonymous requests result in 401, others in 403.
 *
 * Without an authentication filter in scope it is a configuration error (`FW-ACCESS-002`). Roles may contain
 * expressions: `${role.chief:editor}` is the value of the property `role.chief`, by default `editor`. A value with
 * commas stands for several roles. An expression without a value is a configuration error (`FW-ACCESS-001`).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { basic, del, get, handle, path, permitAll, rolesAllowed, routes, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const book = path('/books/1')
 * const anyone = basic({ realm: 'library', verify: ({ user }) => ({ name: user, roles: [user] }) })
 * const api = pipe(
 *   routes({
 *     read: pipe(book, get(), permitAll, handle(() => {})),
 *     remove: pipe(book, del(), rolesAllowed('${role.chief:editor}'), handle(() => {})),
 *   }),
 *   rolesAllowed('reader'),
 *   withFilter(anyone),
 * )
 * const send = inMemory(api)
 * const statusOf = async (method: string, headers = {}) =>
 *   (await send('http://localhost/books/1', { method, headers })).status
 *
 * assert.equal(await statusOf('GET'), 204)
 * assert.equal(await statusOf('DELETE'), 401)
 * assert.equal(await statusOf('DELETE', { Authorization: `Basic ${btoa('reader:')}` }), 403)
 * assert.equal(await statusOf('DELETE', { Authorization: `Basic ${btoa('editor:')}` }), 204)
 * ```
 */
export const rolesAllowed = (...roles: readonly [string, ...string[]]): AttributeStep =>
  setAttributes({ access: { _tag: 'Roles', roles: Object.freeze(roles) } })
