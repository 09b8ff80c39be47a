/** What a client says when it is made: all mistakes of its contract and its options, at once. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientOptions } from '../../src/client.ts'
import { client, MistakesError, retry } from '../../src/client.ts'
import type { AnyNode } from '../../src/endpoint/routes.ts'
import {
  as,
  body,
  byteStream,
  cookie,
  entity,
  fails,
  file,
  fileBody,
  form,
  get,
  handle,
  header,
  method,
  multipartInput,
  multipartOutput,
  multipartStream,
  ndjson,
  part,
  path,
  post,
  produces,
  representation,
  responds,
  routes,
  sse,
  string,
  text,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { describe, table } from '../support/describe.ts'

const usual: ClientOptions = { baseUrl: 'http://localhost' }

const mistakesOf = (contract: object, options: ClientOptions = usual): ReadonlyArray<string> => {
  try {
    client(contract as AnyNode as Parameters<typeof client>[0], options)
  } catch (error) {
    if (error instanceof MistakesError)
      return error.mistakes.map(
        ({ code, concerns, remedy }) => `${code} ${concerns.join()}: ${remedy}`,
      )
    throw error
  }
  return []
}

const ping = pipe(path('/ping'), get(), produces(text))
const Point = t.type({ x: t.number })
/** What makes a promise of an object. */
const awaited = ['th', 'en'].join('')

describe('a client of a contract', (test) => {
  test('is a frozen object in the shape of the tree', () => {
    const made = client(routes({ ping, deep: routes({ ping }) }), usual)
    assert.equal(Object.keys(made), ['ping', 'deep'])
    assert.type(made.deep.ping, 'function')
    assert.ok(Object.isFrozen(made) && Object.isFrozen(made.deep) && Object.isFrozen(made.ping))
  })
  test('needs no handler, and does not mind one', () => {
    const handled = pipe(
      ping,
      handle(() => 'pong'),
    )
    assert.equal(mistakesOf(routes({ ping, handled })), [])
  })
  test('may have operations that no server has room for together', () =>
    assert.equal(mistakesOf(routes({ ping, again: ping })), []))
  test('says all mistakes at once', () => {
    const bad = pipe(path('/{id'), get(), produces(text))
    assert.equal(
      mistakesOf(routes({ bad, worse: pipe(bad, fails(404, as('nonsense')(text))) }), {
        baseUrl: '/',
      }).map((mistake) => mistake.slice(0, 13)),
      ['FW-CLIENT-003', 'FW-ROUTE-001 ', 'FW-ROUTE-001 ', 'FW-MEDIA-001 '],
    )
  })
})

// @ts-expect-error the compiler knows better
const made = (contract: unknown): unknown => client(contract, { baseUrl: 'http://localhost' })

describe('what is no contract', (test) => {
  for (const [name, contract] of [
    ['nothing', undefined],
    ['a record of operations', { ping }],
    ['an operation', ping],
  ] as const)
    test(name, () =>
      assert.throws(() => made(contract), /FW-CLIENT-004 .*\n.*the contract\n.*routes\(\{ … \}\)/),
    )
})

describe('contracts of which there is no client', (test) => {
  const own = representation<string, 'text/own'>({ mediaType: 'text/own' })
  table<readonly [name: string, contract: object, expected: string]>(
    test,
    [
      [
        'two operations of one name',
        routes({ 'a.b': ping, a: routes({ b: ping }) }),
        'FW-CLIENT-001 a.b: call one of them otherwise: names with dots meet those of trees',
      ],
      [
        'an operation that makes a promise of its tree',
        routes({ [awaited]: ping }),
        'FW-CLIENT-001 then: call it otherwise: what has a member "then" is taken for a promise',
      ],
      [
        'a template that cannot be read',
        routes({ a: pipe(path('/:id'), get()) }),
        'FW-ROUTE-001 GET /:id  (a): variables are written {id}, not :id',
      ],
      [
        'a template with an expression that cannot be read',
        routes({ a: pipe(path('/{id:(}'), get()) }),
        'FW-ROUTE-003 GET /{id:(}  (a): {id:(}: Unterminated group',
      ],
      [
        'no method',
        routes({ a: path('/a') as never }),
        'FW-ROUTE-004 (no method) /a  (a): give it a method: get(), post(), …',
      ],
      [
        'a method that is none',
        routes({ a: pipe(path('/a'), method('G T')()) }),
        'FW-ROUTE-004 G T /a  (a): "G T" is not a method: use a token',
      ],
      [
        'a body that is declared twice',
        routes({ a: pipe(path('/a'), post(), body(text), body(text) as never) }),
        'FW-ROUTE-005 POST /a  (a): the body is declared twice',
      ],
      [
        'a cookie that cannot be named',
        routes({ a: pipe(path('/a'), get(), cookie({ 'a b': string })) }),
        'FW-PARAM-001 GET /a  (a): "a b" is not the name of a cookie',
      ],
      [
        'a header field that cannot be named',
        routes({ a: pipe(path('/a'), get(), header({ 'a b': string })) }),
        'FW-PARAM-001 GET /a  (a): "a b" is not the name of a header field',
      ],
      [
        'an entity that nobody writes',
        routes({ a: pipe(path('/a'), post(), body(as('text/csv')(entity(Point)))) }),
        'FW-MEDIA-002 POST /a  (a): nothing writes { x: number } as text/csv: put a writer around it with withWriter(…)',
      ],
      [
        'an entity that nobody reads',
        routes({ a: pipe(path('/a'), get(), fails(404, as('text/csv')(entity(Point)))) }),
        'FW-MEDIA-002 GET /a  (a): nothing reads { x: number } as text/csv: put a reader around it with withReader(…)',
      ],
      [
        'a representation that cannot be written',
        routes({ a: pipe(path('/a'), post(), body(own)) }),
        'FW-CLIENT-002 POST /a  (a): a client does not send text/own;charset=UTF-8',
      ],
      [
        'a representation that cannot be read',
        routes({ a: pipe(path('/a'), get(), produces(own)) }),
        'FW-CLIENT-002 GET /a  (a): a client does not read text/own;charset=UTF-8',
      ],
      [
        'XML of no name',
        routes({ a: pipe(path('/a'), get(), produces(xml(Point))) }),
        'FW-XML-001 GET /a  (a): { x: number }: the root element needs a name: say it with xmlRootElement, or name the codec',
      ],
      [
        'a method that fetch does not send',
        routes({ a: pipe(path('/a'), method('TRACE')()) }),
        'FW-CLIENT-002 TRACE /a  (a): fetch does not send TRACE requests',
      ],
      [
        'a body that fetch does not send',
        routes({ a: pipe(path('/a'), get(), body(text)) }),
        'FW-CLIENT-002 GET /a  (a): fetch sends no content with GET',
      ],
      [
        'a part that cannot be written',
        routes({ a: pipe(path('/a'), post(), form({ a: part(own) })) }),
        'FW-CLIENT-002 POST /a  (a): a client does not send text/own;charset=UTF-8',
      ],
      [
        'a part that comes in pieces',
        routes({ a: pipe(path('/a'), post(), form({ a: part(byteStream as never) })) }),
        'FW-CLIENT-002 POST /a  (a): a client does not send application/octet-stream',
      ],
      [
        'a field of an answer that cannot be read',
        routes({ a: pipe(path('/a'), get(), produces(multipartOutput({ a: own }))) }),
        'FW-CLIENT-002 GET /a  (a): a client does not read multipart/form-data',
      ],
      [
        'events of data that cannot be read',
        routes({ a: pipe(path('/a'), get(), produces(sse(own))) }),
        'FW-CLIENT-002 GET /a  (a): a client does not read text/event-stream',
      ],
      ...(
        [
          [ndjson(Point), 'application/x-ndjson'],
          [sse(Point), 'text/event-stream'],
          [file, '*/*'],
          [multipartOutput, 'multipart/form-data'],
        ] as const
      ).map(
        ([one, type]) =>
          [
            `a body of ${one.format._tag}`,
            routes({ a: pipe(path('/a'), post(), body(one as unknown as typeof text)) }),
            `FW-CLIENT-002 POST /a  (a): a client does not send ${type}`,
          ] as const,
      ),
      ...(
        [
          [fileBody, '*/*'],
          [multipartInput, 'multipart/form-data'],
          [multipartStream, 'multipart/form-data'],
        ] as const
      ).map(
        ([one, type]) =>
          [
            `an answer of ${one.format._tag}`,
            routes({ a: pipe(path('/a'), get(), responds(200, one as unknown as typeof text)) }),
            `FW-CLIENT-002 GET /a  (a): a client does not read ${type}`,
          ] as const,
      ),
    ],
    (_, contract, expected) => assert.equal(mistakesOf(contract), [expected]),
  )
})

describe('options of which there is no client', (test) => {
  table<readonly [options: ClientOptions, expected: string]>(
    test,
    [
      [
        { baseUrl: '/api' },
        'FW-CLIENT-003 the option baseUrl of a client: "/api" is no absolute URL, such as https://library.example/v1',
      ],
      [
        { baseUrl: 'ftp://localhost' },
        'FW-CLIENT-003 the option baseUrl of a client: "ftp://localhost" is neither of http nor of https',
      ],
      [
        { baseUrl: 'ftp://ann:pl@um@localhost' },
        'FW-CLIENT-003 the option baseUrl of a client: "ftp://***@localhost" is neither of http nor of https',
      ],
      [
        { baseUrl: 'http://ann:pl/um@localhost' },
        'FW-CLIENT-003 the option baseUrl of a client: "http://***@localhost" is no absolute URL, such as https://library.example/v1',
      ],
      [
        { baseUrl: 'ann:plum@localhost' },
        'FW-CLIENT-003 the option baseUrl of a client: "***@localhost" is neither of http nor of https',
      ],
      [
        { baseUrl: 'http://localhost/?a' },
        'FW-CLIENT-003 the option baseUrl of a client: "http://localhost/?a" has a query or a fragment, behind which no path can stand',
      ],
      [
        { ...usual, headers: { 'a b': '1' } },
        'FW-CLIENT-003 the option headers of a client: "a b" cannot be sent as it is written',
      ],
      [
        { ...usual, headers: { a: 'b\r\nc: d' } },
        'FW-CLIENT-003 the option headers of a client: "a" cannot be sent as it is written',
      ],
      [
        { ...usual, maxContentLength: NaN },
        'FW-CLIENT-003 the option maxContentLength of a client: say a number of octets',
      ],
      [
        { ...usual, policies: [retry as never] },
        'FW-CLIENT-003 the option policies of a client: have to be an array of policies',
      ],
      [
        { ...usual, reconnect: { times: -1 } },
        'FW-CLIENT-003 the option reconnect of a client: reconnect.times must be at least 0',
      ],
    ],
    (options, expected) => assert.equal(mistakesOf(routes({ ping }), options), [expected]),
  )
})
