/**
 * Authentication by signed tokens. Signatures and times are checked by the package `jose`.
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

/** What a token says of whom it was issued to. */
export type Claims = Readonly<Record<string, unknown>>

export interface JwtOptions {
  /**
   * What signatures are checked with: the URL of a key set, which is fetched when it is needed and kept; a key set or a
   * public key as JSON (RFC 7517); a `CryptoKey`; or the octets of a shared secret, 32 of them at least (RFC 7518, 3.2).
   */
  readonly keys: Key
  /** What `iss` has to be, or one of these. */
  readonly issuer: string | ReadonlyArray<string>
  /** What `aud` has to name, or one of these: so that a token for another service is none for this one (RFC 8725, 3.9). */
  readonly audience: string | ReadonlyArray<string>
  /** The algorithms that may have signed, such as `ES256`: those that the keys are for (RFC 8725, 3.1). `none` never is one. */
  readonly algorithms: readonly [string, ...string[]]
  /** The type that the token says to have: `at+jwt` for the access tokens of RFC 9068. Not looked at unless it is said. */
  readonly type?: string
  /** Seconds by which the clocks of issuer and service may differ; 0 unless it is said. */
  readonly clockTolerance?: number
  /** Says who bears these claims, which are checked. Unless it is said: `sub`, with what the lists `roles` and `groups` name. */
  readonly verify?: (claims: Claims, context: Context) => Verified
  /** See {@link bearer}. */
  readonly realm?: string
  /** Whether a bad token is refused where anybody may call, too; `true` unless it is said. */
  readonly proactive?: boolean
}

/**
 * Knows people by signed tokens (JWT) in `Authorization`. A token has to have the claims `iss`, `aud` and `exp`; one that is
 * expired, not signed by a key, or meant for another service is answered with 401 and `error="invalid_token"`.
 *
 * Requires the package `jose`, version 6. If it is not installed, or cannot use `keys`, the start fails with `FW-FILTER-003`.
 * Requests whose keys cannot be fetched get 500.
 *
 * Throws a `TypeError` for a shared secret that is too short, for an issuer, an audience or algorithms that are empty, for the
 * algorithm `none`, and for a tolerance that is no number of seconds.
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

/** The same filter with another implementation of the package. */
export const jwtBy =
  (loadPackage: () => Promise<Jose>, missing: Requirement['missing'] = () => undefined) =>
  ({ keys, realm, proactive, verify = bearerOf, ...rules }: JwtOptions): PlainFilter => {
    if (keys instanceof Uint8Array && keys.length < 32)
      throw new TypeError('a shared secret has 32 octets at least')
    const checking = checkingWith(meant(rules))
    let loaded: Promise<(token: string) => Promise<E.Either<unknown, Claims>>> | undefined
    const load = () => (loaded ??= loadPackage().then((jose) => checking(jose, keyOf(jose, keys))))
    const filter = bearer({
      ...(realm === undefined ? {} : { realm }),
      ...(proactive === undefined ? {} : { proactive }),
      verify: async (token, context): Promise<Verdict> => {
        const check = await load()
        const claims = await check(token)
        if (E.isLeft(claims)) return claims
        const verified = verify(claims.right, context)
        return typeof verified === 'function' ? verified() : verified
      },
    })
    return withRequirement({ missing, load })(filter)
  }

type Rules = Pick<JwtOptions, 'issuer' | 'audience' | 'algorithms' | 'type' | 'clockTolerance'>

/** A rule that comes to nothing, as from a variable that nobody has set, must not be one that every token keeps. */
const meant = (rules: Rules): Rules => {
  const { issuer, audience, algorithms, clockTolerance = 0 } = rules
  for (const [name, said] of Object.entries({ issuer, audience, algorithms })) {
    const texts: ReadonlyArray<unknown> = Array.isArray(said) ? said : [said]
    if (texts.length === 0 || texts.some((text) => typeof text !== 'string' || text === ''))
      throw new TypeError(`jwt: ${name} is empty`)
  }
  if (algorithms.includes('none')) throw new TypeError('jwt: "none" signs nothing')
  if (!(Number.isFinite(clockTolerance) && clockTolerance >= 0))
    throw new TypeError(`jwt: clockTolerance is a number of seconds, not ${clockTolerance}`)
  return rules
}

const checkingWith = ({ issuer, audience, algorithms, type, clockTolerance }: Rules) => {
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

/** Whom claims name, without any rule of the application's own. */
const bearerOf = (claims: Claims): Principal | undefined =>
  typeof claims['sub'] === 'string' && claims['sub'] !== ''
    ? {
        name: claims['sub'],
        roles: [...texts(claims['roles']), ...texts(claims['groups'])],
        claims,
      }
    : undefined

const texts = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
