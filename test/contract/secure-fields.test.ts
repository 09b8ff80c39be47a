/** Members that only some see, on every way to the wire. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  path,
  produces,
  representation,
  routes,
  text,
  withFilter,
} from '../../src/index.ts'
import type { Call } from '../../src/testing.ts'
import { ask } from '../support/ask.ts'
import { describe } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { mistakesOf } from '../support/configuration-errors.ts'
import { shapesOf, ways } from '../support/secret-ways.ts'
import {
  User,
  canary,
  opaqueOf,
  opaqueShapes,
  plain,
  shapes,
  trusting,
  user,
} from '../support/secrets.ts'

const tree = () =>
  pipe(
    routes(
      Object.fromEntries(
        Object.entries(ways).map(([way, make], at) => [
          `way${at}`,
          routes(
            Object.fromEntries(
              shapesOf(way).map((shape, index) => [
                `shape${index}`,
                make(shape, `/${at}/${index}`),
              ]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as Api,
    withFilter(trusting),
  )

type Api = ReturnType<typeof single>
const single = () =>
  routes({
    one: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => ''),
    ),
  })

const roles: ReadonlyArray<readonly [who: string, init: RequestInit, sees: boolean]> = [
  ['nobody', {}, false],
  ['somebody', { headers: { 'X-User': 'ann' } }, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
  ['nobody, when a chief has asked', {}, false],
]

const contentOf = async (call: Call, target: string, init: RequestInit): Promise<string> => {
  const response = await ask(call, `GET ${target}`, init)
  const content = await response.text()
  assert.ok(response.status < 500, `${response.status} ${content}`)
  return content
}

contract('a secured member', tree, (test, call) => {
  for (const [at, way] of Object.keys(ways).entries())
    for (const [index, { name }] of shapesOf(way).entries())
      test(`${way}: ${name}`, async () => {
        for (const [who, init, sees] of roles) {
          const content = await contentOf(call, `/${at}/${index}`, init)
          assert.ok(content.includes(plain), `${who} sees what is open: ${content}`)
          assert.is(content.includes(canary), sees, `${who}: ${content}`)
        }
      })
})

const detected = [
  'json',
  'jsonStream',
  'ndjson',
  'sse',
  'events by a representation',
  'multipart',
  'entity',
  'fails',
  'mapped',
  'answered by a filter',
  'lossless',
] as const

describe('a restricted member in an opaque codec', (test) => {
  for (const shape of opaqueShapes)
    for (const way of detected)
      test(`is a configuration error: ${shape.name}, ${way}`, () => {
        const api = routes({ one: ways[way]?.(shape, '/') } as never)
        assert.equal(mistakesOf(api), ['FW-FIELD-004'])
      })
})

const given = opaqueShapes.map((shape, index) =>
  ways['a part that was given']?.(shape, `/${index}`),
)
const undetected = {
  name: 'a union',
  codec: opaqueOf(t.union([t.type({ id: t.number }), User])),
  value: user,
}

contract(
  'a restricted member in an opaque codec that is not known at the start',
  routes({
    ...Object.fromEntries(given.map((one, index) => [`shape${index}`, one])),
    union: ways['json']?.(undetected, '/union'),
  } as never),
  (test, call) => {
    for (const target of ['union', ...given.keys()])
      test(`results in 500: ${target}`, async () => {
        const response = await ask(call, `GET /${target}`)
        assert.is(response.status, 500)
        assert.not.match(await response.text(), canary)
      })
  },
)

const ownRepresentations = () =>
  routes(
    Object.fromEntries(
      shapes.map(({ codec, value }, index) => [
        `shape${index}`,
        pipe(
          path(`/${index}`),
          get(),
          produces(
            representation({
              mediaType: 'application/x-own',
              write: (one: unknown) => JSON.stringify(codec.encode(one)),
            }),
          ),
          handle(() => value),
        ),
      ]),
    ),
  ) as unknown as Api

contract(
  'a restricted member that a custom representation encodes',
  ownRepresentations,
  (test, call) => {
    for (const [index, { name }] of shapes.entries())
      test(`results in 500: ${name}`, async () => {
        const response = await ask(call, `GET /${index}`)
        assert.is(response.status, 500)
        assert.not.match(await response.text(), canary)
      })
  },
)
