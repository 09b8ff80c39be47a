/** Rejected XML bodies, and limits. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import { body, handle, int, path, post, produces, routes } from '../../src/index.ts'
import { xml, xmlRootElement } from '../../src/xml.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'
import type { Row } from '../support/malformed-xml.ts'
import { malformedXml, unreadXml } from '../support/malformed-xml.ts'

const Loans = t.record(t.string, t.array(int), 'Loans')
const Book = t.type({ title: t.string }, 'Book')
const Found = xmlRootElement('person')(t.type({ name: t.string }))

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
  found: echo('found', Found),
})

contract('XML bodies that are refused', api, (test, call) => {
  const ask = (name: string, content: string): Promise<Response> =>
    call(
      new Request(`${base}/${name}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(content),
      }),
    )
  table<Row>(test, malformedXml, async (text, breaks) =>
    assert.is((await ask('loans', text)).status, 400, breaks),
  )
  table<Row>(test, unreadXml, async (text, because) =>
    assert.is((await ask('loans', text)).status, 400, because),
  )
  table(
    test,
    [
      ['<loans><__proto__>1</__proto__></loans>', 400],
      ['<loans><constructor><prototype>1</prototype></constructor></loans>', 400],
      ['<loans><constructor>1</constructor></loans>', 200],
      ['<book><title>x</title><__proto__><admin>true</admin></__proto__></book>', 200],
    ] as const,
    async (text, status) => {
      const answer = await ask(text.startsWith('<book') ? 'book' : 'loans', text)
      assert.is(answer.status, status, 'E1')
      assert.not.ok('admin' in {})
    },
  )
})

const bounded = routes({ loans: echo('loans', Loans) })

contract(
  'XML bodies, their bounds',
  bounded,
  (test, call) => {
    const ask = (content: string): Promise<Response> =>
      call(
        new Request(`${base}/loans`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/xml' },
          body: Buffer.from(content),
        }),
      )
    table(
      test,
      [
        [99, 200],
        [100, 200],
        [101, 413],
      ] as const,
      async (octets, status) => {
        const answer = await ask('<loans></loans>'.replace('><', `>${' '.repeat(octets - 15)}<`))
        assert.is(answer.status, status, 'size')
        if (status === 413) assert.match(await answer.text(), 'fw.http.limits.max-xml-size')
      },
    )
    table(
      test,
      [
        ['<loans/>', 200],
        ['<loans><a>1</a></loans>', 200],
        ['<loans><a><b/></a></loans>', 400],
      ] as const,
      async (text, status) => assert.is((await ask(text)).status, status, 'depth'),
    )
    test('the size limit bounds the number of references', async () =>
      assert.is((await ask(`<loans><a>${'&#49;'.repeat(1_000_000)}</a></loans>`)).status, 413))
  },
  { 'fw.http.limits.max-xml-size': 100, 'fw.http.limits.max-xml-depth': 2 },
)

contract(
  'XML bodies, what is not declared is refused where the settings say so',
  api,
  (test, call) => {
    test('elements, attributes and character data', async () => {
      const answer = await call(
        new Request(`${base}/found`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/xml' },
          body: Buffer.from('<person a="b"><name>Ann</name><c/></person>'),
        }),
      )
      assert.is(answer.status, 400)
      assert.match(await answer.text(), '/person/@a')
    })
  },
  { 'fw.rest.jsonlib.fail-on-unknown-properties': true },
)
