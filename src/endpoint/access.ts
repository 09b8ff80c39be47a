/** Who may call an operation. It is checked behind authentication and before the body is read; 401 or 403 when it refuses. */
import type { AttributeStep } from './internal/set-attributes.ts'
import { setAttributes } from './internal/set-attributes.ts'

/** Anybody. Worth saying only inside something that is restricted. */
export const permitAll: AttributeStep = setAttributes({ access: { _tag: 'PermitAll' } })

/** Nobody: 401 for somebody who is not known, else 403; always 403 where no authentication filter stands around it. */
export const denyAll: AttributeStep = setAttributes({ access: { _tag: 'DenyAll' } })

/** Everybody who is known; others are answered with 401 and the challenges of the authentication filters around. */
export const authenticated: AttributeStep = setAttributes({ access: { _tag: 'Authenticated' } })

/**
 * Everybody with one of the roles: 401 for somebody who is not known, 403 for somebody without such a role. Around it stands
 * an authentication filter; without one, the tree does not start.
 *
 * A role may have expressions: `${role.chief:editor}` is the property `role.chief`, or `editor` where nobody has set it; a
 * list with commas is several roles. They are resolved at the start, which fails for one that comes to nothing.
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
