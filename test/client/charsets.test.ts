/** The charset in which a client writes the text of a body. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import {
  as,
  body,
  bytes,
  formDataPart,
  handle,
  json,
  multipartInput,
  path,
  post,
  produces,
  representation,
  routes,
  string,
  text,
  textStream,
} from '../../src/index.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from '../support/describe.ts'

const latin = 'text/plain;charset=ISO-8859-1'
const custom = representation({
  mediaType: latin,
  read: (octets) => Buffer.from(octets).toString('latin1'),
  write: (value: string) => value,
})
const hex = (octets: Uint8Array): string => Buffer.from(octets).toString('hex')

const api = routes({
  text: pipe(
    path('/text'),
    post(),
    body(as(latin)(text)),
    produces(json(string)),
    handle((input) => input.body),
  ),
  custom: pipe(
    path('/custom'),
    post(),
    body(custom),
    produces(json(string)),
    handle((input) => input.body),
  ),
  plain: pipe(
    path('/plain'),
    post(),
    body(text),
    produces(json(string)),
    handle((input) => input.body),
  ),
  octets: pipe(
    path('/octets'),
    post(),
    body(as('text/plain;charset=klingon')(bytes)),
    produces(json(string)),
    handle((input) => hex(input.body)),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(as(latin)(textStream)),
    produces(json(string)),
    handle(async (input) => {
      let all = ''
      for await (const piece of input.body) all += piece
      return all
    }),
  ),
  parts: pipe(
    path('/parts'),
    post(),
    body(multipartInput),
    produces(json(string)),
    handle((input) =>
      ['a', 'b']
        .flatMap((name) => input.body.values.get(name)?.map(({ value }) => value) ?? [])
        .join(),
    ),
  ),
})

const calls = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
const bodyOf = async (called: () => Promise<E.Either<unknown, { readonly body: unknown }>>) => {
  const result = await called()
  return E.isRight(result) ? result.right.body : (result.left as { readonly _tag: string })._tag
}

describe('a client writes text in the declared charset', (test) => {
  table(
    test,
    [
      ['text', () => calls.text({ body: 'café' }), 'café'],
      ['text that the charset lacks', () => calls.text({ body: '5 €' }), 'EncodeError'],
      ['a custom representation', () => calls.custom({ body: 'café' }), 'café'],
      ['bytes', () => calls.octets({ body: Uint8Array.of(0xe9) }), 'e9'],
      ['a stream', () => calls.stream({ body: ['caf', 'é'] }), 'café'],
      [
        'US-ASCII on request',
        () => calls.plain({ body: 'cafe' }, { as: 'text/plain;charset=us-ascii' }),
        'cafe',
      ],
      [
        'text that US-ASCII lacks',
        () => calls.plain({ body: 'café' }, { as: 'text/plain;charset=us-ascii' }),
        'EncodeError',
      ],
      [
        'parts',
        () =>
          calls.parts({
            body: [
              formDataPart('a', 'é', as(latin)(text)),
              formDataPart('b', 'é', text, { headers: { 'Content-Type': latin } }),
            ],
          }),
        'é,é',
      ],
    ] as const,
    async (_, call, expected) => assert.is(await bodyOf(call()), expected),
  )

  test('an unsupported declared charset is a configuration error', () => {
    const wrong = pipe(
      path('/'),
      post(),
      body(as('text/plain;charset=windows-1251')(text)),
      handle(() => undefined),
    )
    assert.throws(() => client(routes({ wrong }), { baseUrl: 'http://localhost' }), /FW-MEDIA-001/)
    assert.ok(inMemory(routes({ wrong })), 'a server reads it')
  })
})
