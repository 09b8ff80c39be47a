/**
 * Cookies whose values are signed with HMAC-SHA-256 (RFC 2104), so that clients cannot change them.
 *
 * ```text
 * cookie-value = payload "." [ expires ] "." signature
 * payload      = base64url of the value as JSON
 * expires      = the time of expiry, in seconds since 1970
 * signature    = base64url of the HMAC of: name "=" payload "." [ expires ]
 * ```
 */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { CodecOrSchema } from '../codec/standard-schema/standard-schema.ts'
import { codecFor } from '../codec/standard-schema/standard-schema.ts'
import { interpretedBackEnd } from '../codec/compiled/interpreted-back-end.ts'
import { compileCodec } from '../codec/compiled/compiled-codec.ts'
import type { CommonContext } from '../endpoint/context.ts'
import type { Slot, ValueOf } from '../endpoint/definition/slot-types.ts'
import type { Filter } from '../endpoint/filter.ts'
import { makeFilter } from '../endpoint/filter.ts'
import { withOrder } from '../endpoint/filter-order.ts'
import { next, requestFilter } from '../endpoint/request-filter.ts'
import type { NewCookie } from '../http/cookie.ts'
import * as Cookie from '../http/cookie.ts'
import { isBytes } from '../http/platform-value.ts'

/** Options for {@link signedCookie}: the keys, and the name and the attributes of the cookie. */
export interface SignedCookieOptions extends Omit<NewCookie, 'value' | 'expires'> {
  /**
   * Name of the cookie. Browsers accept a cookie whose name starts with `__Host-` only from the host itself over TLS or from
   * `localhost`, so that other hosts of the same site cannot replace it.
   */
  readonly name: string
  /**
   * Keys of at least 32 random bytes each. The first key signs, and all keys verify. To replace a key, insert the new key at the front,
   * and remove the old key when the cookies that it has signed have expired.
   */
  readonly keys: ReadonlyArray<Uint8Array>
  /**
   * The lifetime, in seconds, as a positive integer. The time of expiry is part of the signed text, so that clients cannot use a cookie
   * longer. Default: the cookie is valid until the browser is closed, or as long as the client keeps it.
   */
  readonly maxAge?: number
}

/** A cookie with signed values of type `A`. See {@link signedCookie}. */
export interface SignedCookie<A> {
  readonly name: string
  /**
   * Resolves to the value of the cookie in a request. Resolves to `undefined` if the cookie is missing, has expired, has no valid
   * signature, or has a value that the codec rejects, for example because an earlier version of the service has set it.
   */
  readonly read: (context: Pick<CommonContext, 'request'>) => Promise<A | undefined>
  /**
   * Resolves to a cookie with a value, for `withCookie`. The promise is rejected with a `RangeError` if the name and the signed value
   * are longer than 4096 bytes, because browsers ignore such cookies.
   */
  readonly create: (value: A) => Promise<NewCookie>
  /** A cookie that deletes this one in the browser, for `withCookie`. Copies of the cookie are valid until they expire. */
  readonly removal: NewCookie
  /**
   * Creates a filter that reads the cookie, and fills a slot with its value or `undefined`. `withFilter` accepts the filter if handlers
   * need no other type from the slot.
   */
  readonly filter: <K extends string>(
    slot: Slot<K, unknown>,
  ) => Filter<unknown, { readonly [X in K]: A | undefined }, never>
}

/** Maximum size of a cookie, in bytes: the sum of the lengths of its name and its value. */
const maxSize = 4096

/**
 * Creates a cookie whose values are signed with HMAC-SHA-256, so that clients can read but not change them. The codec describes the
 * values, which are stored as JSON. They are not encrypted.
 *
 * The name is part of the signed text, so that a value is not valid in another cookie. Signatures are compared in constant time. By
 * default, the cookie has `Path=/`, `HttpOnly`, `Secure` and `SameSite=Lax`. The functions use the Web Crypto API, and are available on
 * all runtimes.
 *
 * Throws a `TypeError` if `keys` is empty or contains a key of fewer than 32 bytes, or if the name or an attribute is invalid. Throws a
 * `RangeError` if `maxAge` is invalid.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, needs, noContent, path, post, produces, responds, routes, signedCookie, slot, text, withCookie, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const key = crypto.getRandomValues(new Uint8Array(32)) // in production, from the configuration
 * const score = signedCookie(int, { name: '__Host-score', keys: [key], maxAge: 3600 })
 * const Score = slot<number | undefined>()('score')
 *
 * const win = pipe(
 *   path('/score'),
 *   post(),
 *   needs({ score: Score }),
 *   responds(204),
 *   handle(async ({ needs: { score: before = 0 } }) => pipe(noContent, withCookie(await score.create(before + 1)))),
 * )
 * const read = pipe(
 *   path('/score'),
 *   get(),
 *   needs({ score: Score }),
 *   produces(text),
 *   handle(({ needs: { score: now } }) => String(now)),
 * )
 * const send = inMemory(pipe(routes({ win, read }), withFilter(score.filter(Score))))
 *
 * const [set = ''] = (await send('https://game.example/score', { method: 'POST' })).headers.getSetCookie()
 * const scoreWith = async (Cookie: string) =>
 *   (await send('https://game.example/score', { headers: { Cookie } })).text()
 *
 * const Cookie = set.replace(/;.*$/, '')
 * assert.match(set, /; Max-Age=3600; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
 * assert.equal(await scoreWith(Cookie), '1')
 * assert.equal(await scoreWith(Cookie.replace('=', '=OT')), 'undefined')
 * ```
 */
export const signedCookie = <C extends CodecOrSchema>(
  declared: C,
  options: SignedCookieOptions,
): SignedCookie<ValueOf<C>> => {
  type A = ValueOf<C>
  const { keys, maxAge, ...attributes } = checkOptions('signedCookie', optionNames, options)
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && maxAge > 0))
    throw new RangeError(
      `signedCookie: maxAge must be a positive integer number of seconds, got ${maxAge}`,
    )
  const cookie = {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
    ...attributes,
  } as const
  const { name } = cookie
  const removal: NewCookie = Object.freeze({ ...cookie, value: '', maxAge: 0 })
  Cookie.format(removal) // throws an error for an invalid name or attribute
  const signatures = signaturesOf(checkKeys(keys))
  const codec = codecFor(declared)
  const { write } = compileCodec(codec, 'drop', interpretedBackEnd)
  const read = async ({ request }: Pick<CommonContext, 'request'>): Promise<A | undefined> => {
    const [, signed = '', payload = '', expires = '', signature = ''] =
      grammar.exec(request.cookie(name) ?? '') ?? []
    if (signed === '' || !(await signatures.verify(`${name}=${signed}`, fromBase64Url(signature))))
      return undefined
    if (expires !== '' && Date.now() >= Number(expires) * 1000) return undefined
    const decoded = codec.decode(JSON.parse(new TextDecoder().decode(fromBase64Url(payload))))
    return isRight(decoded) ? decoded.right : undefined
  }
  const create = async (value: A): Promise<NewCookie> => {
    const text = write(value)
    if (text === undefined)
      throw new TypeError(`signedCookie: the value of ${name} must not be undefined`)
    if (text.length > maxSize) throw tooLarge(name)
    const expires = maxAge === undefined ? '' : Math.floor(Date.now() / 1000) + maxAge
    const signed = `${toBase64Url(new TextEncoder().encode(text))}.${expires}`
    const signature = await signatures.sign(`${name}=${signed}`)
    const created = { ...cookie, value: `${signed}.${toBase64Url(signature)}` }
    if (name.length + created.value.length > maxSize) throw tooLarge(name)
    return Object.freeze(maxAge === undefined ? created : { ...created, maxAge })
  }
  return Object.freeze({
    name,
    read,
    create,
    removal,
    filter: <K extends string>(slot: Slot<K, unknown>) =>
      pipe(
        requestFilter({ gives: { value: slot } }, async (context) =>
          next({ value: await read(context) }),
        ),
        withOrder(() => ({ name: 'signedCookie' })),
        makeFilter<unknown, { readonly [X in K]: A | undefined }, never>,
      ),
  })
}

const optionNames = [
  'name',
  'keys',
  'maxAge',
  'path',
  'domain',
  'httpOnly',
  'secure',
  'sameSite',
  'partitioned',
  'priority',
] as const

const grammar = /^(([\w-]+)\.(\d*))\.([\w-]{43})$/

const tooLarge = (name: string): RangeError =>
  new RangeError(
    `signedCookie: ${name} is longer than ${maxSize} bytes: store the data on the server, and its id in the cookie`,
  )

/** Returns copies of the keys. Throws a `TypeError` for invalid keys. Messages do not contain the keys, because they are secrets. */
const checkKeys = (keys: ReadonlyArray<unknown>): ReadonlyArray<Uint8Array<ArrayBuffer>> => {
  if (!Array.isArray(keys) || keys.length === 0)
    throw new TypeError(`signedCookie: keys must be a list with at least one key: ${keyRemedy}`)
  return keys.map((key: unknown) => {
    if (!isBytes(key) || key.length < 32)
      throw new TypeError(
        `signedCookie: each key must be a Uint8Array of at least 32 bytes: ${keyRemedy}`,
      )
    return new Uint8Array(key)
  })
}

const keyRemedy =
  "create a key with openssl rand -base64 32, and decode it with Buffer.from(text, 'base64')"

/** Functions that create and verify signatures of texts. */
interface Signatures {
  readonly sign: (text: string) => Promise<Uint8Array>
  readonly verify: (text: string, signature: Uint8Array<ArrayBuffer>) => Promise<boolean>
}

type SigningKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const algorithm = { name: 'HMAC', hash: 'SHA-256' }

const signaturesOf = (keys: ReadonlyArray<Uint8Array<ArrayBuffer>>): Signatures => {
  let imported: Promise<ReadonlyArray<SigningKey>> | undefined
  const load = () =>
    (imported ??= Promise.all(
      keys.map((key) => crypto.subtle.importKey('raw', key, algorithm, false, ['sign', 'verify'])),
    ))
  const encoder = new TextEncoder()
  return {
    sign: async (text) => {
      const [key] = await load()
      if (key === undefined) throw new TypeError('signedCookie: missing key')
      return new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
    },
    verify: async (text, signature) => {
      const bytes = encoder.encode(text)
      for (const key of await load())
        if (await crypto.subtle.verify('HMAC', key, signature, bytes)) return true
      return false
    },
  }
}

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  )
