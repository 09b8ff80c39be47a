/** `signedCookie`: the format and verification of values, and options. `createHmac` of Node.js is the reference. */
import { createHmac } from 'node:crypto'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { SignedCookieOptions } from '../../src/index.ts'
import { date, signedCookie, string } from '../../src/index.ts'
import { testContext } from '../../src/testing.ts'
import { describe, repetitions, table } from '../support/describe.ts'
import * as fc from 'fast-check'

const keyOf = (character: string): Uint8Array => new TextEncoder().encode(character.repeat(32))
const [current, former, other] = [keyOf('a'), keyOf('b'), keyOf('c')]
const name = '__Host-session'
const hour = 3600

/** Signs a value as the documentation of the format describes. */
const sign = (key: Uint8Array, json: string, expires: number | '', of = name): string => {
  const signed = `${Buffer.from(json).toString('base64url')}.${expires}`
  return `${signed}.${createHmac('sha256', key).update(`${of}=${signed}`).digest('base64url')}`
}

const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

const contextWith = (value: string) =>
  testContext({ request: { headers: ['Cookie', `${name}=${value}`] } })

const session = signedCookie(string, { name, keys: [current, former], maxAge: hour })

describe('signedCookie, reading', (test) => {
  const valid = sign(current, '"ann"', inSeconds(hour))
  const [payload = '', expires = '', signature = ''] = valid.split('.')
  const changed = (character: string): string =>
    character + (signature.startsWith(character) ? `b${signature.slice(2)}` : signature.slice(1))
  table<readonly [title: string, value: string, expected: string | undefined]>(
    test,
    [
      ['a valid value', valid, 'ann'],
      ['a value that the second key has signed', sign(former, '"ann"', inSeconds(hour)), 'ann'],
      ['a value without expiry', sign(current, '"ann"', ''), 'ann'],
      ['characters outside of ASCII', sign(current, '"Zoë 🌳"', ''), 'Zoë 🌳'],
      ['an unknown key', sign(other, '"ann"', inSeconds(hour)), undefined],
      ['an expired value', sign(current, '"ann"', inSeconds(-1)), undefined],
      ['a value that expires now', sign(current, '"ann"', inSeconds(0)), undefined],
      ['a value of another cookie', sign(current, '"ann"', '', '__Host-sessio'), undefined],
      [
        'another payload',
        `${Buffer.from('"eve"').toString('base64url')}.${expires}.${signature}`,
        undefined,
      ],
      ['another expiry', `${payload}.${Number(expires) + 1}.${signature}`, undefined],
      ['no expiry instead of one', `${payload}..${signature}`, undefined],
      ['digits moved between parts', `${payload}${expires}..${signature}`, undefined],
      ['a changed signature', `${payload}.${expires}.${changed('A')}`, undefined],
      ['a signature that is too short', valid.slice(0, -1), undefined],
      ['a signature that is too long', `${valid}A`, undefined],
      ['a further part', `${valid}.`, undefined],
      ['no signature', `${payload}.${expires}.`, undefined],
      ['an empty value', '', undefined],
      ['a plain value', 'ann', undefined],
      ['a value that the codec rejects', sign(current, '7', ''), undefined],
    ],
    async (_, value, expected) => assert.is(await session.read(contextWith(value)), expected),
  )
  test('a request without the cookie', async () =>
    assert.is(await session.read(testContext()), undefined))
  test('every other value of a bit of the signature is invalid', async () => {
    const bytes = Buffer.from(signature, 'base64url')
    for (const [index, byte] of bytes.entries())
      for (const bit of [1, 128]) {
        const flipped = Buffer.from(bytes)
        flipped[index] = byte ^ bit
        const value = `${payload}.${expires}.${flipped.toString('base64url')}`
        assert.is(await session.read(contextWith(value)), undefined)
      }
  })
})

describe('signedCookie, creating', (test) => {
  test('the first key signs the name, the value and the expiry', async () => {
    const earliest = inSeconds(hour)
    const created = await session.create('ann')
    const expires = Number(created.value.split('.')[1])
    assert.ok(earliest <= expires && expires <= inSeconds(hour))
    assert.equal(created, {
      name,
      value: sign(current, '"ann"', expires),
      maxAge: hour,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'lax',
    })
  })
  test('without maxAge, the value has no expiry', async () => {
    const { value, maxAge } = await signedCookie(string, { name, keys: [current] }).create('ann')
    assert.equal([value, maxAge], [sign(current, '"ann"', ''), undefined])
  })
  test('options replace the default attributes', async () => {
    const options = { path: '/a', secure: false, httpOnly: false, sameSite: 'strict' } as const
    const { value: _, ...attributes } = await signedCookie(string, {
      name: 'session',
      keys: [current],
      ...options,
    }).create('ann')
    assert.equal(attributes, { name: 'session', ...options })
  })
  test('the removal has the same attributes', () =>
    assert.equal(session.removal, {
      name,
      value: '',
      maxAge: 0,
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'lax',
    }))
  test('changes to the bytes of a key after the call have no effect', async () => {
    const key = Uint8Array.from(current)
    const cookie = signedCookie(string, { name, keys: [key] })
    key.fill(0)
    assert.is((await cookie.create('ann')).value, sign(current, '"ann"', ''))
  })
  test('undeclared members are dropped, and codecs of values apply', async () => {
    const Visit = t.type({ at: date })
    const visits = signedCookie(Visit, { name, keys: [current] })
    const at = new Date('2027-01-02T03:04:05.000Z')
    const value = { at, password: 'plum' }
    const created = await visits.create(value)
    assert.is(created.value, sign(current, '{"at":"2027-01-02T03:04:05.000Z"}', ''))
    const found = await visits.read(contextWith(created.value))
    assert.equal(found, { at })
  })
  for (const length of [4096, 5000])
    test(`a value of ${length} characters throws`, async () => {
      try {
        await session.create('a'.repeat(length))
      } catch (error) {
        assert.instance(error, RangeError)
        assert.match(String(error), /__Host-session is longer than 4096 bytes: store the data/)
        return
      }
      assert.unreachable()
    })
  test('the maximum size of a cookie is 4096 bytes', async () => {
    const cookie = signedCookie(string, { name: 'a', keys: [current] })
    const { value } = await cookie.create('a'.repeat(3035))
    assert.is('a'.length + value.length, 4096)
    await cookie.create('a'.repeat(3036)).then(
      () => assert.unreachable(),
      (error: unknown) => assert.instance(error, RangeError),
    )
  })
})

const options = { name, keys: [current] }

describe('signedCookie, invalid options', (test) => {
  table<readonly [string, Partial<SignedCookieOptions>, RegExp]>(
    test,
    [
      [
        'no keys',
        { keys: [] },
        /keys must be a list with at least one key: create a key with openssl/,
      ],
      [
        'a key of 31 bytes',
        { keys: [current, current.slice(1)] },
        /at least 32 bytes: create a key/,
      ],
      [
        'a maxAge of 0',
        { maxAge: 0 },
        /maxAge must be a positive integer number of seconds, got 0/,
      ],
      ['a fractional maxAge', { maxAge: 1.5 }, /maxAge must be a positive integer/],
      ['an invalid name', { name: 'a b' }, /the name must be a token/],
      ['__Host- without Secure', { secure: false }, /__Host- requires Secure/],
      ['__Host- with a domain', { domain: 'a.example' }, /__Host- requires Secure/],
      ['__Host- with another path', { path: '/a' }, /__Host- requires Secure/],
    ],
    (_, changes, message) =>
      assert.throws(() => signedCookie(string, { ...options, ...changes }), message),
  )
  table<readonly [string, unknown]>(
    test,
    [
      ['a text as a key', ['a'.repeat(32)]],
      ['a key without a list', current],
      ['no key', undefined],
    ],
    (_, keys) =>
      assert.throws(
        // @ts-expect-error the type is wrong
        () => signedCookie(string, { name, keys }),
        (error: unknown) =>
          error instanceof TypeError &&
          /^signedCookie: .*openssl rand -base64 32/.test(error.message) &&
          !error.message.includes('aaa'),
      ),
  )
})

describe('signedCookie, arbitrary values', (test) => {
  const cookie = signedCookie(t.string, { name, keys: [current] })
  test('created values are read, and all others are missing', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 100 }), async (text) => {
        const { value } = await cookie.create(text)
        assert.is(await cookie.read(contextWith(value)), text)
        assert.is(await cookie.read(contextWith(encodeURIComponent(text))), undefined)
      }),
      { numRuns: repetitions(20, 500) },
    ))
})
