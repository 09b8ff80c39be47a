/** Secured members in XML, in all kinds of responses. */
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
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import {
  customizeXml,
  withXml,
  withXmlContext,
  xml,
  xmlContext,
  xmlRootElement,
} from '../../src/xml.ts'
import { ask } from '../support/ask.ts'
import { describe } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { mistakesOf } from '../support/configuration-errors.ts'
import { canary, plain, trusting } from '../support/secrets.ts'
import type { Shape } from '../support/secrets.ts'
import { formlessShapes, xmlShapes } from '../support/xml-secrets.ts'

class Refused extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('refused')
    this.value = value
  }
}

type Path = `/${string}`

/** Operations that answer a value as XML, each on another way. */
const ways: Readonly<Record<string, (shape: Shape, at: Path) => unknown>> = {
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
  'given part': ({ codec, value }, at) =>
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
        one: pipe(
          path(at),
          get(),
          handle(() => {
            throw new Refused(value)
          }),
        ),
      }),
      withMapper(mapError(Refused, { fails: { 409: xml(codec) } }, (one) => reply(409, one.value))),
    ),
  'another status': ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
          path(at),
          get(),
          produces(xml(codec)),
          handle(() => value),
        ),
      }),
      withFilter(responseFilter((answer) => ({ ...answer, status: 299 }))),
    ),
  interceptor: ({ codec, value }, at) =>
    pipe(
      routes({
        one: pipe(
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
    one: pipe(
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
        Object.values(ways).map((make, at) => [
          `way${at}`,
          routes(
            Object.fromEntries(
              xmlShapes.map((shape, index) => [`shape${index}`, make(shape, `/${at}/${index}`)]),
            ) as Record<string, never>,
          ),
        ]),
      ),
    ) as unknown as ReturnType<typeof single>,
    withFilter(trusting),
  )

const roles = [
  ['nobody', {}, false],
  ['a reader', { headers: { 'X-User': 'ann reader' } }, false],
  ['a chief', { headers: { 'X-User': 'ann reader chief' } }, true],
] as const

contract('a secured member in XML', tree, (test, call) => {
  for (const [at, way] of Object.keys(ways).entries())
    for (const [index, { name }] of xmlShapes.entries())
      test(`${way}: ${name}`, async () => {
        for (const [who, init, sees] of roles) {
          const response = await ask(call, `GET /${at}/${index}`, init)
          const content = await response.text()
          assert.ok(response.status < 500, `${response.status} ${content}`)
          assert.ok(content.includes(plain), `${who} sees what is open: ${content}`)
          assert.is(content.includes(canary), sees, `${who}: ${content}`)
        }
      })
})

const User = t.type({ name: t.string, secret: secureField('chief')(t.string) }, 'User')
const answering = pipe(
  path('/'),
  get(),
  produces(xml(User)),
  handle(() => ({ name: plain, secret: canary })),
)
const stylish = customizeXml({ writer: (write) => (value) => `<?style?>${write(value)}` })

const context = xmlContext([User])
const ownWriter = representation({
  mediaType: 'application/x-own',
  write: (one: t.TypeOf<typeof User>) => context.write(one),
})

contract(
  'a restricted member that a custom representation writes with an XML context',
  routes({
    one: pipe(
      path('/'),
      get(),
      produces(ownWriter),
      handle(() => ({ name: plain, secret: canary })),
    ),
  }),
  (test, call) =>
    test('results in 500', async () => {
      const response = await ask(call, 'GET /')
      assert.is(response.status, 500)
      assert.not.match(await response.text(), canary)
    }),
)

const Roots = t.union([
  xmlRootElement('open')(t.type({ name: t.string, secret: t.string })),
  xmlRootElement('closed')(t.type({ name: t.string, secret: secureField('chief')(t.string) })),
])

contract(
  'roots of which one is open',
  routes({
    one: pipe(
      path('/'),
      get(),
      produces(xml(Roots, { declaration: false })),
      handle(() => ({ name: plain, secret: canary })),
    ),
  }),
  (test, call) =>
    test('untagged alternatives omit members that another alternative hides', async () =>
      assert.is(await (await ask(call, 'GET /')).text(), `<open><name>${plain}</name></open>`)),
)

describe('secured members that cannot be kept in XML', (test) => {
  for (const { name, codec } of formlessShapes)
    test(`have no form: ${name}`, () => {
      const api = routes({
        one: pipe(
          path('/'),
          get(),
          produces(xml(codec)),
          handle(() => undefined),
        ),
      })
      assert.equal(mistakesOf(api), ['FW-XML-001'])
    })
  test('with a custom writer are a configuration error', () => {
    assert.equal(mistakesOf(routes({ one: stylish(answering) })), ['FW-FIELD-003'])
  })
  test('with a custom writer are allowed with secureSerialization(false)', async () => {
    const call = inMemory(routes({ one: pipe(answering, stylish, secureSerialization(false)) }))
    assert.match(await (await ask(call, 'GET /')).text(), canary)
  })
  test('in responses of filters with a custom writer are a configuration error', () => {
    const api = pipe(
      routes({
        one: pipe(
          path('/'),
          get(),
          produces(json(t.string)),
          handle(() => ''),
        ),
      }),
      withFilter(requestFilter({ fails: { 409: xml(User) } }, () => undefined)),
      stylish,
    )
    assert.equal(mistakesOf(api), ['FW-FIELD-003'])
  })
})
