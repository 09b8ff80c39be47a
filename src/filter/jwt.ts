/**
 * A filter that authenticates requests with JSON Web Tokens (JWT). The `jose` package verifies signatures and claims.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7519
 * @see https://www.rfc-editor.org/rfc/rfc8725
 */
import { describeValue } from '../endpoint/definition/describe-value.ts'
import { checkList, checkOptions } from '../endpoint/internal/combinator.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { Context, Principal } from '../endpoint/context.ts'
import type { PlainFilter, Requirement } from '../endpoint/filter.ts'
import { withRequirement } from '../endpoint/filter.ts'
import type { NamedSecurityScheme } from '../endpoint/security-scheme.ts'
import { securityScheme } from '../endpoint/security-scheme.ts'
import { importUnbundled, resolveUnbundled } from '../packages/load-package.ts'
import { bearer } from './authentication.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import type { Verdict, Verified } from './authentication.ts'
import { codeOf, isBytes, isUrl, isObject } from '../http/platform-value.ts'

/** A key, a key set, or a function that returns the key for a token. */
export type Key = object

/** An alternative to a key that no value has. For a string, the error message of TypeScript ends in `Remedy`. */
export interface EncodedKey<Remedy extends string> {
  readonly encoded: Remedy
}

/** The functions of the `jose` package that the filter uses. */
export interface Jose {
  readonly jwtVerify: (
    token: string,
    key: Key,
    options: Readonly<Record<string, unknown>>,
  ) => Promise<{ readonly payload: Readonly<Record<string, unknown>> }>
  readonly createLocalJWKSet: (keys: object) => Key
  readonly createRemoteJWKSet: (url: URL, options: Readonly<Record<symbol, unknown>>) => Key
  /** Name of the option with the function that fetches the keys. */
  readonly customFetch: symbol
}

const remedy =
  "jwt() requires the jose package: run npm install jose, and in a bundle, pass jose: () => import('jose')"

/**
 * Returns an error message if the `jose` package is not installed. Returns `undefined` otherwise. If the
 * runtime cannot resolve modules, only {@link loadJose} detects a missing package.
 */
const missingJose = (): string | undefined => {
  try {
    resolveUnbundled('jose')
    return undefined
  } catch {
    return remedy
  }
}

/** Loads the `jose` package. The promise is rejected if the package is not installed or has an unsupported version. */
const loadJose = async (importJose: ImportJose = () => importUnbundled('jose')): Promise<Jose> => {
  const module: unknown = await importJose().catch((cause: unknown) => {
    throw new Error(remedy, { cause })
  })
  if (isJose(module)) return module
  throw new Error('jwt() requires version 6 of the jose package: run npm install jose@6')
}

const isJose = (module: unknown): module is Jose =>
  isObject(module) &&
  'jwtVerify' in module &&
  'createLocalJWKSet' in module &&
  'createRemoteJWKSet' in module &&
  'customFetch' in module

/** Whether an error indicates an invalid token, as opposed to unavailable keys. */
const isTokenError = (error: unknown): boolean => tokenErrors.test(String(codeOf(error)))

const tokenErrors =
  /^ERR_(?:JW[TSE]_|JWKS_NO_MATCHING_KEY$|JWKS_MULTIPLE_MATCHING_KEYS$|JOSE_ALG_NOT_ALLOWED$|JOSE_NOT_SUPPORTED$)/

/** The claims in a token, by name. */
export type Claims = Readonly<Record<string, unknown>>

/** A function that imports the `jose` package. */
type ImportJose = NonNullable<JwtOptions['jose']>

/** Options for {@link jwt}. */
export interface JwtOptions {
  /**
   * The keys used to verify signatures. The following values are supported:
   *
   * - the URL of a key set, which is fetched on first use and cached. Fetching fails after 5 seconds, and for key sets larger than 1 MiB
   * - a key set or a public key as a JSON object (RFC 7517)
   * - a key as a `CryptoKey`
   * - a shared secret of at least 32 bytes (RFC 7518, 3.2) as a `Uint8Array`, such as `new TextEncoder().encode(secret)`
   */
  readonly keys: Key | EncodedKey<'encode a secret with new TextEncoder().encode(secret)'>
  /** The accepted values of the `iss` claim (issuer). */
  readonly issuer: string | ReadonlyArray<string>
  /** The accepted values of the `aud` claim (audience). Tokens for other services are rejected (RFC 8725, 3.9). */
  readonly audience: string | ReadonlyArray<string>
  /** The accepted signature algorithms, such as `ES256` (RFC 8725, 3.1). `none` is not allowed. */
  readonly algorithms: readonly [string, ...string[]]
  /**
   * The required token type (`typ` in the token header), such as `at+jwt` for access tokens (RFC 9068). By default, any
   * type is accepted.
   */
  readonly type?: string
  /** Maximum tolerated difference, in seconds, between the clocks of the issuer and the service. Default: 0. */
  readonly clockTolerance?: number
  /**
   * Returns the principal for the claims in a valid token. By default, the `sub` claim is the name of the principal,
   * and the `roles` and `groups` claims contain the roles.
   */
  readonly verify?: (claims: Claims, context: Context) => Verified
  /** The realm in the challenge. See {@link bearer}. */
  readonly realm?: string
  /**
   * Name of a cookie that contains the token if the request has no bearer token in the `Authorization` header. See
   * {@link bearer}.
   */
  readonly cookie?: string
  /**
   * Whether requests with invalid tokens are rejected even if the operation does not require authentication. Default:
   * `true`.
   */
  readonly proactive?: boolean
  /** How OpenAPI documents describe the filter, such as `oauth2({ flows })`. Default: a bearer token in the format `JWT` with the name `jwt`. */
  readonly describedAs?: NamedSecurityScheme
  /**
   * A function that imports the `jose` package, so that a bundler includes it: `() => import('jose')`. By default, the
   * package is loaded from `node_modules` when the server starts.
   */
  readonly jose?: () => Promise<unknown>
}

/**
 * Creates a filter that authenticates requests with signed JSON Web Tokens (JWT) in the `Authorization` header or, with the
 * option `cookie`, in a cookie.
 *
 * A token must have the `iss`, `aud` and `exp` claims. If the token is expired, has an invalid signature or is intended
 * for another service, the response is 401, and the challenge contains `error="invalid_token"`.
 *
 * The filter requires version 6 of the `jose` package. Bundlers include it only with the option `jose`. If the package is not installed or does not support `keys`, the
 * server does not start (`FW-FILTER-003`). If the keys cannot be fetched, the response is 500.
 *
 * Throws a `TypeError` if `keys` is not a key, a shared secret is too short or `algorithms` contains `none`. Also throws a `TypeError` if
 * `issuer`, `audience` or `algorithms` is empty, or if `clockTolerance`, `cookie` or `jose` is invalid.
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
export const jwt = (options: JwtOptions): PlainFilter => jwtBy(loadJose, missingJose)(options)

/**
 * Returns a variant of {@link jwt} that uses a given implementation of the `jose` package. Tests use it to replace the
 * package.
 */
export const jwtBy =
  (
    loadPackage: (importJose?: ImportJose) => Promise<Jose>,
    missing: Requirement['missing'] = () => undefined,
  ) =>
  (options: JwtOptions): PlainFilter => {
    const {
      keys,
      realm,
      cookie,
      proactive,
      jose: importJose,
      describedAs = securityScheme('jwt', { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }),
      verify = defaultPrincipal,
      ...rules
    } = checkOptions('jwt', optionNames, options)
    if (!isKey(keys))
      // the value is not included, because it may be a secret
      throw new TypeError(`jwt: invalid keys, got ${describeValue(keys)}: ${keyRemedy}`)
    if (isBytes(keys) && keys.length < 32)
      throw new TypeError('jwt: a shared secret must be at least 32 bytes long')
    if (importJose !== undefined && typeof importJose !== 'function')
      throw new TypeError(
        "jwt: jose must be a function that imports the package: () => import('jose')",
      )
    const createVerifier = verifierFactory(validateRules(rules))
    let verifier: Promise<(token: string) => Promise<E.Either<unknown, Claims>>> | undefined
    const load = () =>
      (verifier ??= loadPackage(importJose).then((jose) => createVerifier(jose, keyOf(jose, keys))))
    const filter = bearer({
      ...(realm === undefined ? {} : { realm }),
      ...(cookie === undefined ? {} : { cookie }),
      ...(proactive === undefined ? {} : { proactive }),
      describedAs,
      verify: async (token, context): Promise<Verdict> => {
        const verifyToken = await load()
        const claims = await verifyToken(token)
        if (E.isLeft(claims)) return claims
        const verified = verify(claims.right, context)
        return typeof verified === 'function' ? verified() : verified
      },
    })
    return withRequirement({ missing: importJose === undefined ? missing : () => undefined, load })(
      filter,
    )
  }

const optionNames = [
  'keys',
  'issuer',
  'audience',
  'algorithms',
  'type',
  'clockTolerance',
  'verify',
  'realm',
  'cookie',
  'proactive',
  'describedAs',
  'jose',
] as const

const keyRemedy =
  'expected a URL, a key set, a key or a Uint8Array: encode a secret with new TextEncoder().encode(secret), and convert the text of a URL with new URL(text)'

/** Whether a value can be a key or a key set. A `CryptoKey` and a `KeyObject` have a `type`, and a JWK has a `kty`. */
const isKey = (keys: unknown): boolean =>
  typeof keys === 'function' ||
  (isObject(keys) &&
    (isUrl(keys) ||
      isBytes(keys) ||
      'type' in keys ||
      'kty' in keys ||
      ('keys' in keys && Array.isArray(keys.keys))))

type Rules = Pick<JwtOptions, 'issuer' | 'audience' | 'algorithms' | 'type' | 'clockTolerance'>

/**
 * Validates the rules and returns them unchanged. Throws a `TypeError` for an empty rule, because every token would
 * satisfy it. An empty rule can result from an environment variable that is not set.
 */
const validateRules = (rules: Rules): Rules => {
  const { issuer, audience, algorithms, clockTolerance = 0 } = rules
  checkList('jwt', 'algorithms', algorithms)
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
          if (isTokenError(error)) return E.left(error)
          throw error
        },
      )
}

const keyOf = (jose: Jose, keys: JwtOptions['keys']): Key =>
  isUrl(keys)
    ? jose.createRemoteJWKSet(keys, { [jose.customFetch]: fetchKeySet })
    : 'keys' in keys && Array.isArray(keys.keys)
      ? jose.createLocalJWKSet(keys)
      : keys

/** Maximum size of a key set in bytes, after decompression. A compromised identity provider must not exhaust the memory. */
const maxSize = 1024 * 1024

/**
 * Fetches a key set (RFC 7517, 5) like `fetch`. The returned response has a complete body if its status is 200, and no readable body otherwise.
 *
 * The promise is rejected if the key set is larger than 1 MiB. The signal in `init` limits the time, including that of the body.
 */
export const fetchKeySet = async (url: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, init)
  const { status, body } = response
  if (body === null) return response
  if (status !== 200) {
    await body.cancel()
    return response
  }
  const collector = new ByteCollector()
  // leaving the loop cancels the body
  for await (const chunk of body) {
    collector.add(chunk)
    if (collector.length > maxSize)
      throw new RangeError(`jwt: size limit of ${maxSize} bytes for key sets exceeded by ${url}`)
  }
  return new Response(new Uint8Array(collector.take()))
}

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
