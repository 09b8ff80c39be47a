/** Compares secrets without telling, by the time it takes, how far they agree. */
/**
 * Whether two secrets are the same. Their digests are compared, which have one length and are compared whole; so the time
 * tells of the length of each at most. For passwords, keep what a slow hash makes of them (`scrypt`), and compare that.
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
  // loaded by who needs it: a start is 2 ms shorter
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const digest = (secret: string | Uint8Array): Buffer =>
    createHash('sha256').update(secret).digest()
  return timingSafeEqual(digest(a), digest(b))
}
