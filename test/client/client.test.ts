/** Creating clients: configuration errors of contracts and options, all reported at once. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { ClientOptions } from '../../src/client.ts'
import { client, ConfigurationError, retry } from '../../src/client.ts'
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

const defaultOptions: ClientOptions = { baseUrl: 'http://localhost' }

const issuesOf = (
  contract: object,
  options: ClientOptions = defaultOptions,
): ReadonlyArray<string> => {
  try {
    client(contract as AnyNode as Parameters<typeof client>[0], options)
  } catch (error) {
    if (error instanceof ConfigurationError)
      return error.issues.map(
        ({ code, concerns, remedy }) => `${code} ${concerns.join()}: ${remedy}`,
      )
    throw error
  }
  return []
}

const ping = pipe(path('/ping'), get(), produces(text))
const Point = t.type({ x: t.number })
/** Not a literal, because linters reject a member named `then`. */
const thenKey = ['th', 'en'].join('')

describe('client(…) with a valid contract', (test) => {
  test('returns a frozen object in the shape of the tree', () => {
    const created = client(routes({ ping, deep: routes({ ping }) }), defaultOptions)
    assert.equal(Object.keys(created), ['ping', 'deep'])
    assert.type(created.deep.ping, 'function')
    assert.ok(
      Object.isFrozen(created) && Object.isFrozen(created.deep) && Object.isFrozen(created.ping),
    )
  })
  test('accepts operations with and without handlers', () => {
    const handled = pipe(
      ping,
      handle(() => 'pong'),
    )
    assert.equal(issuesOf(routes({ ping, handled })), [])
  })
  test('accepts operations with the same route', () =>
    assert.equal(issuesOf(routes({ ping, repeated: ping })), []))
  test('throws all configuration errors at once', () => {
    const bad = pipe(path('/{id'), get(), produces(text))
    assert.equal(
      issuesOf(routes({ bad, worse: pipe(bad, fails(404, as('nonsense')(text))) }), {
        baseUrl: '/',
      }).map((issue) => issue.slice(0, 13)),
      ['FW-CLIENT-003', 'FW-ROUTE-001 ', 'FW-ROUTE-001 ', 'FW-MEDIA-001 '],
    )
  })
})

const createUntyped = (contract: unknown): unknown =>
  // @ts-expect-error the types accept route trees only
  client(contract, { baseUrl: 'http://localhost' })

describe('client(…) with a contract that is not a route tree throws FW-CLIENT-004', (test) => {
  for (const [name, contract] of [
    ['undefined', undefined],
    ['a record of operations', { ping }],
    ['an operation', ping],
  ] as const)
    test(name, () =>
      assert.throws(
        () => createUntyped(contract),
        /FW-CLIENT-004 .*\n.*the contract\n.*routes\(\{ … \}\)/,
      ),
    )
})

describe('client(…) with an invalid contract throws a configuration error', (test) => {
  const withoutFunctions = representation<string, 'text/x-none'>({ mediaType: 'text/x-none' })
  table<readonly [name: string, contract: object, expected: string]>(
    test,
    [
      [
        'two operations with the same name',
        routes({ 'a.b': ping, a: routes({ b: ping }) }),
        'FW-CLIENT-001 a.b: duplicate name: avoid dots in keys, or rename one of the operations',
      ],
      [
        'an operation named then',
        routes({ [thenKey]: ping }),
        'FW-CLIENT-001 then: rename it: an object with a `then` function is treated as a promise',
      ],
      [
        'an invalid path template',
        routes({ a: pipe(path('/:id' as string), get()) }),
        'FW-ROUTE-001 GET /:id  (a): unexpected ":id": variables are written {id}',
      ],
      [
        'a path template with an invalid regular expression',
        routes({ a: pipe(path('/{id:(}'), get()) }),
        'FW-ROUTE-003 GET /{id:(}  (a): {id:(}: Unterminated group',
      ],
      [
        'a missing method',
        routes({ a: path('/a') as never }),
        'FW-ROUTE-004 (no method) /a  (a): declare a method: get(), post(), …',
      ],
      [
        'an invalid method',
        routes({ a: pipe(path('/a'), method('G T')()) }),
        'FW-ROUTE-004 G T /a  (a): invalid method "G T": expected a token',
      ],
      [
        'two bodies',
        routes({ a: pipe(path('/a'), post(), body(text), body(text) as never) }),
        'FW-ROUTE-005 POST /a  (a): the body is declared twice: keep one',
      ],
      [
        'an invalid cookie name',
        routes({ a: pipe(path('/a'), get(), cookie({ 'a b': string })) }),
        'FW-PARAM-001 GET /a  (a): invalid cookie name "a b"',
      ],
      [
        'an invalid header name',
        routes({ a: pipe(path('/a'), get(), header({ 'a b': string })) }),
        'FW-PARAM-001 GET /a  (a): invalid header name "a b"',
      ],
      [
        'an entity without a writer',
        routes({ a: pipe(path('/a'), post(), body(as('text/csv')(entity(Point)))) }),
        'FW-MEDIA-002 POST /a  (a): no writer for { x: number } as text/csv: add one with withWriter(…)',
      ],
      [
        'an entity without a reader',
        routes({ a: pipe(path('/a'), get(), fails(404, as('text/csv')(entity(Point)))) }),
        'FW-MEDIA-002 GET /a  (a): no reader for { x: number } as text/csv: add one with withReader(…)',
      ],
      [
        'a custom request representation without a write function',
        routes({ a: pipe(path('/a'), post(), body(withoutFunctions)) }),
        'FW-CLIENT-002 POST /a  (a): a client cannot send text/x-none;charset=UTF-8',
      ],
      [
        'a custom response representation without a read function',
        routes({ a: pipe(path('/a'), get(), produces(withoutFunctions)) }),
        'FW-CLIENT-002 GET /a  (a): a client cannot read text/x-none;charset=UTF-8',
      ],
      [
        'an XML codec without a name',
        routes({ a: pipe(path('/a'), get(), produces(xml(Point))) }),
        'FW-XML-001 GET /a  (a): { x: number }: missing root element name: declare it with xmlRootElement, or name the codec',
      ],
      [
        'a method that fetch does not send',
        routes({ a: pipe(path('/a'), method('TRACE')()) }),
        'FW-CLIENT-002 TRACE /a  (a): fetch cannot send TRACE requests',
      ],
      [
        'a method that fetch changes',
        routes({ a: pipe(path('/a'), method('post')()) }),
        'FW-CLIENT-002 post /a  (a): fetch sends post as POST: declare that method',
      ],
      [
        'a body that fetch does not send',
        routes({ a: pipe(path('/a'), method('GET')(), body(text)) }),
        'FW-CLIENT-002 GET /a  (a): fetch cannot send GET requests with a body',
      ],
      [
        'a part whose representation has no write function',
        routes({ a: pipe(path('/a'), post(), form({ a: part(withoutFunctions) })) }),
        'FW-CLIENT-002 POST /a  (a): a client cannot send text/x-none;charset=UTF-8',
      ],
      [
        'a part with a stream',
        routes({ a: pipe(path('/a'), post(), form({ a: part(byteStream as never) })) }),
        'FW-CLIENT-002 POST /a  (a): a client cannot send application/octet-stream',
      ],
      [
        'a multipart response field whose representation has no read function',
        routes({ a: pipe(path('/a'), get(), produces(multipartOutput({ a: withoutFunctions }))) }),
        'FW-CLIENT-002 GET /a  (a): a client cannot read multipart/form-data',
      ],
      [
        'events whose representation has no read function',
        routes({ a: pipe(path('/a'), get(), produces(sse(withoutFunctions))) }),
        'FW-CLIENT-002 GET /a  (a): a client cannot read text/event-stream',
      ],
      ...(
        [
          [sse(Point), 'text/event-stream'],
          [file, '*/*'],
          [multipartOutput, 'multipart/form-data'],
        ] as const
      ).map(
        ([candidate, type]) =>
          [
            `a body of ${candidate.format._tag}`,
            routes({ a: pipe(path('/a'), post(), body(candidate as unknown as typeof text)) }),
            `FW-CLIENT-002 POST /a  (a): a client cannot send ${type}`,
          ] as const,
      ),
      ...(
        [
          [fileBody, '*/*'],
          [multipartInput, 'multipart/form-data'],
          [multipartStream, 'multipart/form-data'],
        ] as const
      ).map(
        ([candidate, type]) =>
          [
            `a response of ${candidate.format._tag}`,
            routes({
              a: pipe(path('/a'), get(), responds(200, candidate as unknown as typeof text)),
            }),
            `FW-CLIENT-002 GET /a  (a): a client cannot read ${type}`,
          ] as const,
      ),
    ],
    (_, contract, expected) => assert.equal(issuesOf(contract), [expected]),
  )
})

describe('client(…) with an invalid option throws FW-CLIENT-003', (test) => {
  table<readonly [options: ClientOptions, expected: string]>(
    test,
    [
      [
        { baseUrl: '/api' },
        'FW-CLIENT-003 client option baseUrl: must be an absolute URL such as https://library.example/v1, got "/api"',
      ],
      [
        { baseUrl: 'ftp://localhost' },
        'FW-CLIENT-003 client option baseUrl: must be an http or https URL, got "ftp://localhost"',
      ],
      [
        { baseUrl: 'ftp://ann:pl@um@localhost' },
        'FW-CLIENT-003 client option baseUrl: must be an http or https URL, got "ftp://***@localhost"',
      ],
      [
        { baseUrl: 'http://ann:pl/um@localhost' },
        'FW-CLIENT-003 client option baseUrl: must be an absolute URL such as https://library.example/v1, got "http://***@localhost"',
      ],
      [
        { baseUrl: 'ann:plum@localhost' },
        'FW-CLIENT-003 client option baseUrl: must be an http or https URL, got "***@localhost"',
      ],
      [
        { baseUrl: 'http://localhost/?a' },
        'FW-CLIENT-003 client option baseUrl: must not have a query or a fragment, got "http://localhost/?a"',
      ],
      [
        { baseUrl: 'http://localhost/#a' },
        'FW-CLIENT-003 client option baseUrl: must not have a query or a fragment, got "http://localhost/#a"',
      ],
      [
        { ...defaultOptions, headers: { 'a b': '1' } },
        'FW-CLIENT-003 client option headers: "a b" must have a token as its name (RFC 9110, 5.6.2)',
      ],
      [
        { ...defaultOptions, headers: { a: 'b\r\nc: d' } },
        'FW-CLIENT-003 client option headers: "a" must not contain control characters, got one at position 1',
      ],
      [
        { ...defaultOptions, maxBodySize: NaN },
        'FW-CLIENT-003 client option maxBodySize: must be a number of bytes',
      ],
      [
        { ...defaultOptions, policies: [retry as never] },
        'FW-CLIENT-003 client option policies: must be an array of policies',
      ],
      [
        { ...defaultOptions, reconnect: { times: -1 } },
        'FW-CLIENT-003 client option reconnect: reconnect.times must be at least 0, got -1',
      ],
    ],
    (options, expected) => assert.equal(issuesOf(routes({ ping }), options), [expected]),
  )
})
