/** `secureField` in XML: all kinds of responses and mappings, and configuration errors. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  entity,
  event,
  fails,
  formDataPart,
  get,
  handle,
  json,
  mapError,
  multipartOutput,
  path,
  produces,
  reply,
  representation,
  requestFilter,
  responseFilter,
  routes,
  secureField,
  secureSerialization,
  sse,
  text,
  withFilter,
  withInterceptor,
  withMapper,
  writerInterceptor,
} from '../../../src/index.ts'
import { inMemory } from '../../../src/testing.ts'
import {
  customizeXml,
  withXml,
  withXmlContext,
  xml,
  xmlContext,
  xmlRootElement,
} from '../../../src/xml.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, sampled } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { issueCodesOf } from '../../support/plan.ts'
import { canary, plain, headerAuthentication } from '../../support/secrets.ts'
import type { Shape } from '../../support/secrets.ts'
import { unrepresentableShapes, xmlShapes } from './xml-shapes.ts'

class MappedError extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('mapped error')
    this.value = value
  }
}

type Path = `/${string}`

/** Operations that return a value as XML, one factory for each kind of response. */
const operationFactories: Readonly<Record<string, (shape: Shape, at: Path) => unknown>> = {
  xml: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(xml(codec)),
      handle(() => value),
    ),
  formatted: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(as('text/xml')(xml(codec, { formatted: true }))),
      handle(() => value),
    ),
  entity: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(as('application/xml')(entity(codec))),
      handle(() => value),
      withXml(),
    ),
  sse: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(sse(xml(codec))),
      handle(() => [value, event('named', value)]),
    ),
  'declared part': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(multipartOutput({ one: xml(codec) })),
      handle(() => ({ one: value })),
    ),
  'dynamic part': ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(multipartOutput),
      handle(() => [formDataPart('one', value, xml(codec))]),
    ),
  context: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      produces(xml(codec)),
      handle(() => value),
      withXmlContext(xmlContext([codec])),
    ),
  fails: ({ codec, value }, at) =>
    pipe(
      path(at),
      get(),
      fails(409, xml(codec)),
      handle(() => E.left(value)),
    ),
  mapped: ({ codec, value }, at) =>
    pipe(
      routes({
        operation: pipe(
          path(at),
          get(),
          handle(() => {
            throw new MappedError(value)
          }),
        ),
      }),
      withMapper(
        mapError(MappedError, { fails: { 409: xml(codec) } }, (error) => reply(409, error.value)),
      ),
    ),
  'another status': ({ codec, value }, at) =>
    pipe(
      routes({
        operation: pipe(
          path(at),
          get(),
          produces(xml(codec)),
          handle(() => value),
        ),
      }),
      withFilter(responseFilter((response) => ({ ...response, status: 299 }))),
    ),
  interceptor: ({ codec, value }, at) =>
    pipe(
      routes({
        operation: pipe(
          path(at),
          get(),
          produces(xml(codec)),
          handle(() => value),
        ),
      }),
      withInterceptor(writerInterceptor((_, proceed) => proceed())),
    ),
}

const single = () =>
  routes({
    operation: pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => ''),
    ),
  })

const tree = () =>
  pipe(
    routes(
      Object.fromEntries(
        Object.values(operationFactories).map((createOperation, at) => [
          `kind${at}`,
          routes(
            Object.fromEntries(
              sampled(xmlShapes, at).map(([index, shape]) => [
                `shape${index}`,
                createOperation(shape, `/${at}/${index}`),
              ]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as ReturnType<typeof single>,
    withFilter(headerAuthentication),
  )

const callers = [
  ['an anonymous caller', {}, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
] as const

valueContract('secureField in XML', tree, (test, call) => {
  for (const [at, kind] of Object.keys(operationFactories).entries())
    for (const [index, { name }] of sampled(xmlShapes, at))
      test(`${kind}: ${name}`, async () => {
        for (const [caller, init, isVisible] of callers) {
          const response = await sendRequest(call, `GET /${at}/${index}`, init)
          const responseBody = await response.text()
          assert.ok(response.status < 500, `${response.status} ${responseBody}`)
          assert.ok(responseBody.includes(plain), `${caller}, open member: ${responseBody}`)
          assert.is(responseBody.includes(canary), isVisible, `${caller}: ${responseBody}`)
        }
      })
})

const User = t.type({ name: t.string, secret: secureField('chief')(t.string) }, 'User')
const operation = pipe(
  path('/'),
  get(),
  produces(xml(User)),
  handle(() => ({ name: plain, secret: canary })),
)
const withCustomWriter = customizeXml({ writer: (write) => (value) => `<?style?>${write(value)}` })

const context = xmlContext([User])
const customRepresentation = representation({
  mediaType: 'application/x-custom',
  write: (user: t.TypeOf<typeof User>) => context.write(user),
})

valueContract(
  'a restricted member that a custom representation writes with an XML context',
  routes({
    operation: pipe(
      path('/'),
      get(),
      produces(customRepresentation),
      handle(() => ({ name: plain, secret: canary })),
    ),
  }),
  (test, call) =>
    test('returns 500', async () => {
      const response = await sendRequest(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), canary)
    }),
)

const Roots = t.union([
  xmlRootElement('open')(t.type({ name: t.string, secret: t.string })),
  xmlRootElement('closed')(t.type({ name: t.string, secret: secureField('chief')(t.string) })),
])

valueContract(
  'root elements with and without restricted members',
  routes({
    operation: pipe(
      path('/'),
      get(),
      produces(xml(Roots, { declaration: false })),
      handle(() => ({ name: plain, secret: canary })),
    ),
  }),
  (test, call) =>
    test('a member hidden by one untagged alternative is omitted by all', async () =>
      assert.is(
        await (await sendRequest(call, 'GET /')).text(),
        `<open><name>${plain}</name></open>`,
      )),
)

describe('restricted members without an XML representation', (test) => {
  for (const { name, codec } of unrepresentableShapes)
    test(`are a configuration error: ${name}`, () => {
      const api = routes({
        operation: pipe(
          path('/'),
          get(),
          produces(xml(codec)),
          handle(() => undefined),
        ),
      })
      assert.equal(issueCodesOf(api), ['FW-XML-001'])
    })
  test('are a configuration error with a custom writer', () => {
    assert.equal(issueCodesOf(routes({ operation: withCustomWriter(operation) })), ['FW-FIELD-003'])
  })
  test('are written by a custom writer with secureSerialization(false)', async () => {
    const call = inMemory(
      routes({ operation: pipe(operation, withCustomWriter, secureSerialization(false)) }),
    )
    assert.match(await (await sendRequest(call, 'GET /')).text(), canary)
  })
  test('are a configuration error in responses of filters with a custom writer', () => {
    const api = pipe(
      routes({
        operation: pipe(
          path('/'),
          get(),
          produces(json(t.string)),
          handle(() => ''),
        ),
      }),
      withFilter(requestFilter({ fails: { 409: xml(User) } }, () => undefined)),
      withCustomWriter,
    )
    assert.equal(issueCodesOf(api), ['FW-FIELD-003'])
  })
})
