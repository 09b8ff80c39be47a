/** The charsets in which a client encodes text in request bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { client } from '../../src/client.ts'
import {
  as,
  body,
  bytes,
  formDataPart,
  get,
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

const latin1 = 'text/plain;charset=ISO-8859-1'
const custom = representation({
  mediaType: latin1,
  read: (data) => Buffer.from(data).toString('latin1'),
  write: (value: string) => value,
})
const hex = (data: Uint8Array): string => Buffer.from(data).toString('hex')

const api = routes({
  text: pipe(
    path('/text'),
    post(),
    body(as(latin1)(text)),
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
  bytes: pipe(
    path('/bytes'),
    post(),
    body(as('text/plain;charset=unknown')(bytes)),
    produces(json(string)),
    handle((input) => hex(input.body)),
  ),
  stream: pipe(
    path('/stream'),
    post(),
    body(as(latin1)(textStream)),
    produces(json(string)),
    handle(async (input) => {
      let content = ''
      for await (const chunk of input.body) content += chunk
      return content
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
/** Returns the body of a success, or the tag of an error. */
const bodyOf = async (send: () => Promise<E.Either<unknown, { readonly body: unknown }>>) => {
  const result = await send()
  return E.isRight(result) ? result.right.body : (result.left as { readonly _tag: string })._tag
}

describe('a client writes text in the declared charset', (test) => {
  table(
    test,
    [
      ['text in ISO-8859-1', () => calls.text({ body: 'café' }), 'café'],
      ['text outside the charset', () => calls.text({ body: '5 €' }), 'EncodeError'],
      ['a custom representation', () => calls.custom({ body: 'café' }), 'café'],
      ['bytes of an unknown charset', () => calls.bytes({ body: Uint8Array.of(0xe9) }), 'e9'],
      ['a stream', () => calls.stream({ body: ['caf', 'é'] }), 'café'],
      [
        'text in US-ASCII, which the option `as` selects',
        () => calls.plain({ body: 'cafe' }, { as: 'text/plain;charset=us-ascii' }),
        'cafe',
      ],
      [
        'text outside US-ASCII',
        () => calls.plain({ body: 'café' }, { as: 'text/plain;charset=us-ascii' }),
        'EncodeError',
      ],
      [
        'parts in ISO-8859-1',
        () =>
          calls.parts({
            body: [
              formDataPart('a', 'é', as(latin1)(text)),
              formDataPart('b', 'é', text, { headers: { 'Content-Type': latin1 } }),
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
    assert.ok(inMemory(routes({ wrong })), 'servers can read this charset')
  })
})

describe('a client reads text in the charset of the response', (test) => {
  const remote = routes({
    whole: pipe(path('/whole'), get(), produces(text)),
    stream: pipe(path('/stream'), get(), produces(textStream)),
  })
  table<readonly [label: string, content: string]>(
    test,
    [
      ['windows-1252', '€’'],
      ['iso-8859-1', '€’'],
      ['koi8-r', '─▓'],
    ],
    async (label, content) => {
      const { whole, stream } = client(remote, {
        baseUrl: 'http://localhost',
        fetch: async () =>
          new Response(Uint8Array.of(0x80, 0x92), {
            headers: { 'Content-Type': `text/plain;charset=${label}` },
          }),
      })
      assert.is(await bodyOf(whole()), content)
      const streamed = await stream()()
      let received = ''
      if (E.isRight(streamed)) for await (const chunk of streamed.right.body) received += chunk
      assert.is(received, content)
    },
  )
})
