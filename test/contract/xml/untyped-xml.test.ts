/** XML documents of no known shape as bodies, parts and events, in servers and clients. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  entity,
  form,
  get,
  handle,
  json,
  part,
  path,
  post,
  produces,
  routes,
  sse,
} from '../../../src/index.ts'
import type { Representation } from '../../../src/index.ts'
import { ConfigurationError } from '../../../src/node.ts'
import { inMemory } from '../../../src/testing.ts'
import { customizeXml, withXml, withXmlContext, xml, xmlContext } from '../../../src/xml.ts'
import { clientContract, errorIn, right } from '../../support/clients.ts'
import { base, valueContract } from '../../support/contract.ts'
import { describe, table } from '../../support/describe.ts'
import { responseTo } from '../../support/send-request.ts'

const Book = t.type({ title: t.string }, 'Book')
const anyJson = json(t.unknown)
const feed = { feed: { entry: ['1', { '@_id': 'a', '#text': '2 < 3' }] } }
const writtenFeed = '<feed><entry>1</entry><entry id="a">2 &lt; 3</entry></feed>'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

const api = routes({
  read: pipe(
    path('/read'),
    post(),
    body(xml(t.unknown)),
    produces(anyJson),
    handle((input) => input.body),
  ),
  record: pipe(
    path('/record'),
    post(),
    body(xml(t.UnknownRecord, { attributeNamePrefix: '$', parseTagValue: false })),
    produces(anyJson),
    handle((input) => input.body),
  ),
  write: pipe(
    path('/write'),
    post(),
    body(anyJson),
    produces(xml(t.unknown)),
    handle((input) => input.body),
  ),
  echo: pipe(
    path('/echo'),
    post(),
    body(as('application/atom+xml')(xml(t.UnknownRecord))),
    produces(as('application/atom+xml')(xml(t.UnknownRecord))),
    handle((input) => input.body),
  ),
  part: pipe(
    path('/part'),
    post(),
    form({ document: part(xml(t.unknown)) }),
    produces(anyJson),
    handle((input) => input.form.document),
  ),
  events: pipe(
    path('/events'),
    get(),
    produces(sse(xml(t.unknown, { declaration: false }))),
    handle(async function* () {
      yield feed
    }),
  ),
})

valueContract('XML documents of no known shape', api, (test, call) => {
  const send = (target: string, content: string, type = 'application/xml') =>
    responseTo(call, `POST ${target}`, {
      body: Buffer.from(content),
      headers: { 'Content-Type': type },
    })

  table<readonly [name: string, response: () => Promise<unknown>, expected: unknown]>(
    test,
    [
      [
        'a document is read as a plain object',
        () =>
          send(
            '/read',
            '<?xml version="1.0"?><book isbn="1"><title>Emma</title><pages>474</pages></book>',
          ),
        [200, { book: { '@_isbn': '1', title: 'Emma', pages: 474 } }],
      ],
      [
        'options change how a document is read',
        () => send('/record', '<book isbn="1"><pages>474</pages></book>'),
        [200, { book: { $isbn: '1', pages: '474' } }],
      ],
      [
        'a plain object is written as a document',
        () => send('/write', JSON.stringify(feed), 'application/json'),
        [200, declaration + writtenFeed],
      ],
      [
        'an object without a root element results in 500',
        async () => (await send('/write', '{"a":1,"b":2}', 'application/json'))[0],
        500,
      ],
      [
        'a member __proto__ is not written',
        async () => (await send('/write', '{"a":{"constructor":1}}', 'application/json'))[0],
        500,
      ],
      ['an empty body is undefined', async () => (await send('/read', ''))[0], 204],
      ['an empty body is not a record', async () => (await send('/record', ''))[0], 400],
    ],
    async (_, response, expected) => assert.equal(await response(), expected),
  )

  test('a form part is read as a plain object', async () => {
    const data = new FormData()
    data.append('document', writtenFeed)
    assert.equal(await responseTo(call, 'POST /part', { body: data }), [
      200,
      { feed: { entry: [1, { '@_id': 'a', '#text': '2 < 3' }] } },
    ])
  })

  test('event data is written as documents', async () =>
    assert.equal(await responseTo(call, 'GET /events'), [200, `data: ${writtenFeed}\n\n`]))

  table<readonly [name: string, content: string, pointer: string]>(
    test,
    [
      ['a malformed document', '<a><b></a>', '/'],
      ['a document type declaration', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', '/'],
      ['an unknown entity', '<a>&b;</a>', '/'],
      ['a second root element', '<a/><b/>', '/'],
      ['an element __proto__', '<a><__proto__><admin>1</admin></__proto__></a>', '/a/__proto__'],
      ['an element constructor', '<a><constructor/></a>', '/a/constructor'],
      ['an element prototype', '<prototype/>', '/prototype'],
    ],
    async (_, content, pointer) => {
      const response = await call(
        new Request(`${base}/read`, { method: 'POST', body: Buffer.from(content) }),
      )
      assert.is(response.status, 400)
      const { errors } = (await response.json()) as {
        readonly errors: ReadonlyArray<{ readonly pointer: string }>
      }
      assert.equal(
        errors.map((error) => error.pointer),
        [pointer],
      )
      assert.not.ok('admin' in {})
    },
  )
})

valueContract(
  'limits of XML documents of no known shape',
  api,
  (test, call) => {
    table(
      test,
      [
        ['a document of the maximum size', `<a>${' '.repeat(93)}</a>`, 200],
        ['a document above the maximum size', `<a>${' '.repeat(94)}</a>`, 413],
        ['a document of the maximum depth', '<a><b/></a>', 200],
        ['a document above the maximum depth', '<a><b><c/></b></a>', 400],
      ] as const,
      async (_, content, status) => {
        const request = { method: 'POST', body: Buffer.from(content) }
        assert.is((await call(new Request(`${base}/read`, request))).status, status)
      },
    )
  },
  { 'fw.http.limits.max-xml-size': 100, 'fw.http.limits.max-xml-depth': 2 },
)

const scoped = pipe(
  routes({
    write: pipe(
      path('/write'),
      get(),
      produces(xml(t.unknown)),
      handle(() => feed),
    ),
    compact: pipe(
      path('/compact'),
      get(),
      produces(xml(t.unknown, { formatted: false })),
      handle(() => feed),
    ),
  }),
  customizeXml({ formatted: true, writer: (write) => (value) => `${write(value)}<!-- end -->` }),
  withXmlContext(xmlContext([Book], { declaration: false })),
)

valueContract('XML documents of no known shape in scopes', scoped, (test, call) => {
  test('options of enclosing scopes apply, but not those of XML contexts', async () => {
    const [, written] = await responseTo(call, 'GET /write')
    assert.is(
      written,
      `${declaration}\n<feed>\n  <entry>1</entry>\n  <entry id="a">2 &lt; 3</entry>\n</feed><!-- end -->`,
    )
  })
  test('options of the representation take precedence', async () =>
    assert.equal(await responseTo(call, 'GET /compact'), [
      200,
      `${declaration}${writtenFeed}<!-- end -->`,
    ]))
})

/** Returns the configuration errors of an operation that receives a representation. */
const issuesOf = (representation: Representation<unknown>): unknown => {
  try {
    inMemory(
      pipe(
        routes({
          a: pipe(
            path('/a'),
            post(),
            body(representation),
            handle(() => undefined),
          ),
        }),
        withXml(),
      ),
    )
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, remedy }) => [code, remedy])
  }
}

describe('codecs of no known shape that are not documents', (test) => {
  test('a recursive codec is not evaluated when it is declared', () => {
    let evaluations = 0
    xml(
      t.recursion('Node', () => {
        evaluations++
        return t.unknown
      }),
    )
    assert.is(evaluations, 0)
  })

  table<readonly [name: string, representation: Representation<unknown>, issues: unknown]>(
    test,
    [
      ['unknown', xml(t.unknown), []],
      ['a record', xml(t.UnknownRecord), []],
      ['a refined record', xml(t.refinement(t.UnknownRecord, () => true, 'Feed')), []],
      [
        'a member',
        xml(t.type({ a: t.unknown }, 'A')),
        [
          [
            'FW-XML-001',
            '/a/a: unsupported codec unknown: XML requires objects, collections or single values',
          ],
        ],
      ],
      [
        'an entity',
        entity(t.unknown),
        [
          [
            'FW-XML-001',
            '/unknown: unsupported codec unknown: XML requires objects, collections or single values',
          ],
        ],
      ],
    ],
    (_, representation, issues) => assert.equal(issuesOf(representation), issues),
  )
})

const respondWithPrototype = async (): Promise<Response> =>
  new Response('<a><__proto__/></a>', { headers: { 'Content-Type': 'application/xml' } })

clientContract('a client of XML documents of no known shape', api, (test, createClient) => {
  test('sends and receives plain objects', async () => {
    assert.equal((await right(createClient().read({ body: feed }))).body, {
      feed: { entry: [1, { '@_id': 'a', '#text': '2 < 3' }] },
    })
    assert.equal((await right(createClient().write({ body: feed }))).body, {
      feed: { entry: [1, { '@_id': 'a', '#text': '2 < 3' }] },
    })
    assert.equal((await right(createClient().echo({ body: { a: { '@_b': 1 } } }))).body, {
      a: { '@_b': '1' },
    })
  })
  test('an object without a root element is not sent', async () => {
    const error = await errorIn(createClient().read({ body: { a: 1, b: 2 } }))
    assert.is(error._tag, 'EncodeError')
    assert.match(error.message, /expected an object with one member, the root element/)
  })
  test('a malformed response is a client error', async () => {
    const error = await errorIn(createClient({ fetch: respondWithPrototype }).write({ body: 1 }))
    assert.is(error._tag, 'DecodeError')
  })
})
