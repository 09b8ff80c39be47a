/** `jsonView` on XML request bodies. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  entity,
  form,
  handle,
  int,
  inView,
  json,
  jsonView,
  list,
  optional,
  part,
  path,
  post,
  produces,
  routes,
  secureField,
  view,
  withDefault,
} from '../../../src/index.ts'
import {
  withXml,
  withXmlContext,
  xml,
  xmlAttribute,
  xmlContext,
  xmlElementWrapper,
} from '../../../src/xml.ts'
import { responseTo } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { issueCodesOf } from '../../support/plan.ts'

const Public = view('Public')
const Internal = view('Internal', Public)

const Proposal = t.type(
  {
    id: xmlAttribute()(inView(Internal)(optional(t.string))),
    title: t.string,
    approved: inView(Internal)(optional(t.boolean)),
    copies: withDefault(inView(Internal)(t.number), 1),
    salary: secureField('chief')(inView(Public)(optional(t.number))),
  },
  'Proposal',
)
const context = xmlContext([Proposal])

const proposalOperation = pipe(
  path('/'),
  post(),
  body(jsonView(Public)(xml(Proposal))),
  produces(json(t.unknown)),
  handle((input): unknown => input.body),
)

const sent =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies><salary>9</salary></proposal>'
const Nested = t.type(
  {
    at: xmlAttribute()(inView(Internal)(optional(int))),
    all: xmlElementWrapper('all', 'one')(list(Proposal)),
    key: t.record(t.string, Proposal),
    kind: t.union([
      t.type({ text: t.string }),
      t.type({ number: int, hidden: inView(Internal)(optional(int)) }),
    ]),
  },
  'Nested',
)
const expectedPublic = { title: 'Emma', copies: 1, salary: 9 }

valueContract(
  'jsonView on an XML request body',
  routes({
    proposal: proposalOperation,
    context: pipe(
      path('/context'),
      post(),
      body(jsonView(Public)(xml(Proposal))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
      withXmlContext(context),
    ),
    entity: pipe(
      path('/entity'),
      post(),
      body(jsonView(Public)(entity(Proposal))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
      withXml(),
    ),
    customReader: pipe(
      path('/custom-reader'),
      post(),
      body(jsonView(Public)(xml(Proposal, { reader: (read) => (text) => read(text.trim()) }))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
    ),
    nested: pipe(
      path('/nested'),
      post(),
      body(jsonView(Public)(xml(Nested))),
      produces(json(t.unknown)),
      handle((input): unknown => input.body),
    ),
    secured: pipe(
      path('/secured'),
      post(),
      body(xml(t.type({ secret: secureField('chief')(t.string) }, 'Secured'))),
      produces(json(t.type({ secret: t.string }))),
      handle((input) => input.body),
    ),
    parts: pipe(
      path('/parts'),
      post(),
      form({ proposal: part(jsonView(Public)(xml(Proposal))) }),
      produces(json(t.unknown)),
      handle((input): unknown => input.form.proposal),
    ),
  }),
  (test, call) => {
    const send = (requestBody: string, target = '/') =>
      responseTo(call, `POST ${target}`, {
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(requestBody),
      })
    test('a member outside the view is ignored', async () =>
      assert.equal(await send(sent), [200, expectedPublic]))
    test('an invalid member outside the view is ignored', async () =>
      assert.equal(
        await send(
          sent
            .replace('true', '<a/>')
            .replace('7', 'many')
            .replace('<title>', '<approved/><title>'),
        ),
        [200, expectedPublic],
      ))
    test('an invalid member of the view returns 400', async () =>
      assert.is((await send(sent.replace('9', 'x')))[0], 400))
    table(
      test,
      [
        ['a view with an XML context', '/context'],
        ['a view of an entity', '/entity'],
        ['a view with a custom reader', '/custom-reader'],
      ] as const,
      async (_, target) => assert.equal(await send(sent, target), [200, expectedPublic]),
    )
    test('a view applies to all kinds of members', async () =>
      assert.equal(
        await send(
          '<nested at="x"><all><one id="a"><title>Emma</title><approved>no</approved></one></all>' +
            '<key><a><title>Emma</title><approved/></a></key><kind><number>1</number><hidden>x</hidden></kind></nested>',
          '/nested',
        ),
        [
          200,
          {
            all: [{ title: 'Emma', copies: 1 }],
            key: { a: { title: 'Emma', copies: 1 } },
            kind: { number: 1 },
          },
        ],
      ))
    test('a member with secureField is read', async () =>
      assert.equal(await send('<secured><secret>x</secret></secured>', '/secured'), [
        200,
        { secret: 'x' },
      ]))
    test('a form part is read in its view', async () => {
      const data = new FormData()
      data.set('proposal', new Blob([sent], { type: 'application/xml' }))
      assert.equal(await responseTo(call, 'POST /parts', { body: data }), [200, expectedPublic])
    })
  },
)

describe('a required member outside the view of an XML body', (test) => {
  test('is a configuration error', () => {
    const Strict = t.type({ title: t.string, approved: inView(Internal)(t.boolean) }, 'Strict')
    const api = routes({
      operation: pipe(
        path('/'),
        post(),
        body(jsonView(Public)(xml(Strict))),
        handle(() => undefined),
      ),
    })
    assert.equal(issueCodesOf(api), ['FW-FIELD-002'])
  })
})
