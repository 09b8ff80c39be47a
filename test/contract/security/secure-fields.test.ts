/** `secureField` in codecs of every shape and in every kind of response. */
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
} from '../../../src/index.ts'
import type { InMemoryCall } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, sampled } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { issueCodesOf } from '../../support/plan.ts'
import { operationFactories, shapesOf } from './secured-operations.ts'
import {
  User,
  canary,
  opaqueOf,
  opaqueShapes,
  plain,
  shapes,
  headerAuthentication,
  user,
} from '../../support/secrets.ts'

const tree = () =>
  pipe(
    routes(
      Object.fromEntries(
        Object.entries(operationFactories).map(([kind, createOperation], at) => [
          `kind${at}`,
          routes(
            Object.fromEntries(
              sampled(shapesOf(kind), at).map(([index, shape]) => [
                `shape${index}`,
                createOperation(shape, `/${at}/${index}`),
              ]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as Api,
    withFilter(headerAuthentication),
  )

type Api = ReturnType<typeof single>
const single = () =>
  routes({
    operation: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => ''),
    ),
  })

const callers: ReadonlyArray<readonly [caller: string, init: RequestInit, isVisible: boolean]> = [
  ['an anonymous caller', {}, false],
  ['a caller without roles', { headers: { 'X-User': 'ann' } }, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
  ['an anonymous caller after a chief', {}, false],
]

const bodyOf = async (call: InMemoryCall, target: string, init: RequestInit): Promise<string> => {
  const response = await sendRequest(call, `GET ${target}`, init)
  const responseBody = await response.text()
  assert.ok(response.status < 500, `${response.status} ${responseBody}`)
  return responseBody
}

valueContract('secureField', tree, (test, call) => {
  for (const [at, kind] of Object.keys(operationFactories).entries())
    for (const [index, { name }] of sampled(shapesOf(kind), at))
      test(`${kind}: ${name}`, async () => {
        for (const [caller, init, isVisible] of callers) {
          const responseBody = await bodyOf(call, `/${at}/${index}`, init)
          assert.ok(responseBody.includes(plain), `${caller}, open member: ${responseBody}`)
          assert.is(responseBody.includes(canary), isVisible, `${caller}: ${responseBody}`)
        }
      })
})

const verifiedKinds = [
  'json',
  'jsonStream',
  'ndjson',
  'sse',
  'events of JSON',
  'multipart',
  'entity',
  'fails',
  'mapped',
  'response of a filter',
  'lossless',
] as const

describe('a restricted member in an opaque codec', (test) => {
  for (const shape of opaqueShapes)
    for (const kind of verifiedKinds)
      test(`is a configuration error: ${shape.name}, ${kind}`, () => {
        const api = routes({ operation: operationFactories[kind]?.(shape, '/') } as never)
        assert.equal(issueCodesOf(api), ['FW-FIELD-004'])
      })
})

const dynamicParts = opaqueShapes.map((shape, index) =>
  operationFactories['dynamic part']?.(shape, `/${index}`),
)
const undetected = {
  name: 'a union',
  codec: opaqueOf(t.union([t.type({ id: t.number }), User])),
  value: user,
}

valueContract(
  'a restricted member in an opaque codec that is detected at run time',
  routes({
    ...Object.fromEntries(dynamicParts.map((operation, index) => [`shape${index}`, operation])),
    union: operationFactories['json']?.(undetected, '/union'),
  } as never),
  (test, call) => {
    for (const target of ['union', ...dynamicParts.keys()])
      test(`returns 500: ${target}`, async () => {
        const response = await sendRequest(call, `GET /${target}`)
        assert.is(response.status, 500)
        assert.not.match(await response.text(), canary)
      })
  },
)

const customRepresentations = () =>
  routes(
    Object.fromEntries(
      shapes.map(({ codec, value }, index) => [
        `shape${index}`,
        pipe(
          path(`/${index}`),
          get(),
          produces(
            representation({
              mediaType: 'application/x-custom',
              write: (entity: unknown) => JSON.stringify(codec.encode(entity)),
            }),
          ),
          handle(() => value),
        ),
      ]),
    ),
  ) as unknown as Api

valueContract(
  'a restricted member that a custom representation encodes',
  customRepresentations,
  (test, call) => {
    for (const [index, { name }] of shapes.entries())
      test(`returns 500: ${name}`, async () => {
        const response = await sendRequest(call, `GET /${index}`)
        assert.is(response.status, 500)
        assert.not.match(await response.text(), canary)
      })
  },
)
