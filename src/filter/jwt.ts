/**
 * Authentication by JSON Web Tokens (JWT). The package `jose` checks signatures and claims.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519
 * @see https://www.rfc-editor.org/rfc/rfc8725
 */
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Principal } from '../endpoint/context.ts'
import type { PlainFilter, Requirement } from '../endpoint/filter.ts'
import { withRequirement } from '../endpoint/filter.ts'
import { bearer } from './bearer.ts'
import type { Jose, Key } from './jose.ts'
import * as Package from './jose.ts'
import type { Verdict, Verified } from './verification.ts'

/** The claims of a token. */
export type Claims = Readonly<Record<string, unknown>>

export interface JwtOptions {
  /**
   * The keys that check signatures: the URL of a key set, which is fetched on first use and cached; a key set or a public key as
   * JSON (RFC 7517); a `CryptoKey`; or a shared secret of at least 32 bytes (RFC 7518, 3.2).
   */
  readonly keys: Key
  /** The accepted values of the claim `iss`. */
  readonly issuer: string | ReadonlyArray<string>
  /** The accepted values of the claim `aud`, so that tokens for other services are rejected (RFC 8725, 3.9). */
  readonly audience: string | ReadonlyArray<string>
  /** The accepted signature algorithms, such as `ES256` (RFC 8725, 3.1). `none` is not allowed. */
  readonly algorithms: readonly [string, ...string[]]
  /** The required type of the token, such as `at+jwt` for access tokens (RFC 9068). Default: any. */
  readonly type?: string
  /** Tolerated difference between the clocks of issuer and service, in seconds. Default: 0. */
  readonly clockTolerance?: number
  /** Returns the principal of valid claims. Default: `sub`, with the roles in the lists `roles` and `groups`. */
  readonly verify?: (claims: Claims, context: Context) => Verified
  /** The realm of the challenge, see {@link bearer}. */
  readonly realm?: string
  /** Whether invalid tokens are rejected for operations without authentication, too. Default: true. */
  readonly proactive?: boolean
}

/**
 * Authenticates requests by signed tokens (JWT) in the `Authorization` header.
 *
 * Tokens must have the claims `iss`, `aud` and `exp`. A token that is expired, has an invalid signature, or is for another service
 * results in 401 and `error="invalid_token"`.
 *
 * Requires the package `jose`, version 6. If it is not installed, or does not support `keys`, the server does not start
 * (`FW-FILTER-003`). If the keys cannot be fetched, the response is 500.
 *
 * Throws a `TypeError` for a shared secret that is too short; for an empty issuer, audience or list of algorithms; for the
 * algorithm `none`; and for an invalid clock tolerance.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { jwt } from 'espalier'
 *
 * const users = jwt({
 *   keys: new URL('https://id.example/.well-known/jwks.json'),
 *   issuer: 'https://id.example',
 *   audience: 'library',
 *   algorithms: ['ES256'],
 * })
 *
 * assert.equal(users._tag, 'RequestFilter')
 * ```
 */
export const jwt = (options: JwtOptions): PlainFilter =>
  jwtBy(Package.load, Package.missing)(options)

/** Creates the filter with another implementation of the package, for tests. */
export const jwtBy =
  (loadPackage: () => Promise<Jose>, missing: Requirement['missing'] = () => undefined) =>
  ({ keys, realm, proactive, verify = defaultPrincipal, ...rules }: JwtOptions): PlainFilter => {
    if (keys instanceof Uint8Array && keys.length < 32)
      throw new TypeError('jwt: a shared secret must have at least 32 bytes')
    const createVerifier = verifierFactory(validateRules(rules))
    let verifier: Promise<(token: string) => Promise<E.Either<unknown, Claims>>> | undefined
    const load = () =>
      (verifier ??= loadPackage().then((jose) => createVerifier(jose, keyOf(jose, keys))))
    const filter = bearer({
      ...(realm === undefined ? {} : { realm }),
      ...(proactive === undefined ? {} : { proactive }),
      verify: async (token, context): Promise<Verdict> => {
        const verifyToken = await load()
        const claims = await verifyToken(token)
        if (E.isLeft(claims)) return claims
        const verified = verify(claims.right, context)
        return typeof verified === 'function' ? verified() : verified
      },
    })
    return withRequirement({ missing, load })(filter)
  }

type Rules = Pick<JwtOptions, 'issuer' | 'audience' | 'algorithms' | 'type' | 'clockTolerance'>

/** Rejects empty rules, for example from an environment variable that is not set: every token would satisfy them. */
const validateRules = (rules: Rules): Rules => {
  const { issuer, audience, algorithms, clockTolerance = 0 } = rules
  for (const [name, rule] of Object.entries({ issuer, audience, algorithms })) {
    const values: ReadonlyArray<unknown> = Array.isArray(rule) ? rule : [rule]
    if (values.length === 0 || values.some((value) => typeof value !== 'string' || value === ''))
      throw new TypeError(`jwt: ${name} must not be empty`)
  }
  if (algorithms.includes('none')) throw new TypeError('jwt: algorithm "none" is not allowed')
  if (!(Number.isFinite(clockTolerance) && clockTolerance >= 0))
    throw new TypeError(
      `jwt: clockTolerance must be a non-negative number of seconds, got ${clockTolerance}`,
    )
  return rules
}

const verifierFactory = ({ issuer, audience, algorithms, type, clockTolerance }: Rules) => {
  const options = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ['exp'],
    ...(type === undefined ? {} : { typ: type }),
    ...(clockTolerance === undefined ? {} : { clockTolerance }),
  }
  return ({ jwtVerify }: Jose, key: Key) =>
    (token: string): Promise<E.Either<unknown, Claims>> =>
      jwtVerify(token, key, options).then(
        ({ payload }) => E.right(payload),
        (error: unknown) => {
          if (Package.isTokenError(error)) return E.left(error)
          throw error
        },
      )
}

const keyOf = (jose: Jose, keys: JwtOptions['keys']): Key =>
  keys instanceof URL
    ? jose.createRemoteJWKSet(keys)
    : 'keys' in keys && Array.isArray(keys.keys)
      ? jose.createLocalJWKSet(keys)
      : keys

const defaultPrincipal = (claims: Claims): Principal | undefined =>
  typeof claims['sub'] === 'string' && claims['sub'] !== ''
    ? {
        name: claims['sub'],
        roles: [...strings(claims['roles']), ...strings(claims['groups'])],
        claims,
      }
    : undefined

const strings = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list) ? list.filter((element) => typeof element === 'string') : []
