/** Malformed and unsupported XML bodies, limits, and rejection of undeclared elements and attributes. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, int, path, post, produces, routes } from '../../../src/index.ts'
import { xml, xmlRootElement } from '../../../src/xml.ts'
import { table } from '../../support/describe.ts'
import { base, valueContract } from '../../support/contract.ts'
import type { Row } from '../../support/malformed-xml.ts'
import { malformedXml, unsupportedXml } from '../../support/malformed-xml.ts'

const Loans = t.record(t.string, t.array(int), 'Loans')
const Book = t.type({ title: t.string }, 'Book')
const Person = xmlRootElement('person')(t.type({ name: t.string }))

const echo = (name: string, codec: t.Mixed) =>
  pipe(
    path(`/${name}`),
    post(),
    body(xml(codec)),
    produces(xml(codec)),
    handle((input) => input.body),
  )

const api = routes({
  loans: echo('loans', Loans),
  book: echo('book', Book),
  person: echo('person', Person),
})

valueContract('invalid XML bodies', api, (test, call) => {
  const send = (name: string, requestBody: string): Promise<Response> =>
    call(
      new Request(`${base}/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(requestBody),
      }),
    )
  table<Row>(test, malformedXml, async (text, rule) =>
    assert.is((await send('loans', text)).status, 400, rule),
  )
  table<Row>(test, unsupportedXml, async (text, reason) =>
    assert.is((await send('loans', text)).status, 400, reason),
  )
  table(
    test,
    [
      ['an element __proto__ of a record', '<loans><__proto__>1</__proto__></loans>', 400],
      [
        'nested elements constructor and prototype of a record',
        '<loans><constructor><prototype>1</prototype></constructor></loans>',
        400,
      ],
      ['an element constructor of a record', '<loans><constructor>1</constructor></loans>', 200],
      [
        'an undeclared element __proto__',
        '<book><title>x</title><__proto__><admin>true</admin></__proto__></book>',
        200,
      ],
    ] as const,
    async (_, text, status) => {
      const response = await send(text.startsWith('<book') ? 'book' : 'loans', text)
      assert.is(response.status, status)
      assert.not.ok('admin' in {})
    },
  )
})

const limitedRoutes = routes({ loans: echo('loans', Loans) })

valueContract(
  'XML limits',
  limitedRoutes,
  (test, call) => {
    const send = (requestBody: string): Promise<Response> =>
      call(
        new Request(`${base}/loans`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/xml' },
          body: Buffer.from(requestBody),
        }),
      )
    table(
      test,
      [
        ['one byte below the maximum size', 99, 200],
        ['the maximum size', 100, 200],
        ['one byte above the maximum size', 101, 413],
      ] as const,
      async (_, size, status) => {
        const response = await send('<loans></loans>'.replace('><', `>${' '.repeat(size - 15)}<`))
        assert.is(response.status, status)
        if (status === 413) assert.match(await response.text(), 'fw.http.limits.max-xml-size')
      },
    )
    table(
      test,
      [
        ['one level', '<loans/>', 200],
        ['the maximum depth', '<loans><a>1</a></loans>', 200],
        ['one level above the maximum depth', '<loans><a><b/></a></loans>', 400],
      ] as const,
      async (_, text, status) => assert.is((await send(text)).status, status),
    )
    test('character references count towards the size limit', async () =>
      assert.is((await send(`<loans><a>${'&#49;'.repeat(1_000_000)}</a></loans>`)).status, 413))
  },
  { 'fw.http.limits.max-xml-size': 100, 'fw.http.limits.max-xml-depth': 2 },
)

valueContract(
  'XML bodies with fw.rest.jsonlib.fail-on-unknown-properties',
  api,
  (test, call) => {
    test('undeclared elements and attributes return 400', async () => {
      const response = await call(
        new Request(`${base}/person`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/xml' },
          body: Buffer.from('<person a="b"><name>Ann</name><c/></person>'),
        }),
      )
      assert.is(response.status, 400)
      assert.match(await response.text(), '/person/@a')
    })
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
