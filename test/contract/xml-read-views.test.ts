/** XML request bodies with a view. */
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
} from '../../src/index.ts'
import {
  withXml,
  withXmlContext,
  xml,
  xmlAttribute,
  xmlContext,
  xmlElementWrapper,
} from '../../src/xml.ts'
import { answerTo } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { mistakesOf } from '../support/configuration-errors.ts'

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

const reading = pipe(
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
const ignored = { title: 'Emma', copies: 1, salary: 9 }

contract(
  'XML that is read by a view',
  routes({
    reading,
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
    customised: pipe(
      path('/customised'),
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
    const send = (content: string, target = '/') =>
      answerTo(call, `POST ${target}`, {
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(content),
      })
    test('members outside of the view are ignored', async () =>
      assert.equal(await send(sent), [200, ignored]))
    test('members outside of the view are not validated', async () =>
      assert.equal(
        await send(
          sent
            .replace('true', '<a/>')
            .replace('7', 'many')
            .replace('<title>', '<approved/><title>'),
        ),
        [200, ignored],
      ))
    test('members in the view are validated', async () =>
      assert.is((await send(sent.replace('9', 'x')))[0], 400))
    table(test, [['/context'], ['/entity'], ['/customised']] as const, async (target) =>
      assert.equal(await send(sent, target), [200, ignored]),
    )
    test('the view applies to all kinds of members', async () =>
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
    test('secured members are read', async () =>
      assert.equal(await send('<secured><secret>x</secret></secured>', '/secured'), [
        200,
        { secret: 'x' },
      ]))
    test('a part of a form', async () => {
      const content = new FormData()
      content.set('proposal', new Blob([sent], { type: 'application/xml' }))
      assert.equal(await answerTo(call, 'POST /parts', { body: content }), [200, ignored])
    })
  },
)

describe('a required member outside of the view of an XML body', (test) => {
  test('is a configuration error', () => {
    const Strict = t.type({ title: t.string, approved: inView(Internal)(t.boolean) }, 'Strict')
    const api = routes({
      it: pipe(
        path('/'),
        post(),
        body(jsonView(Public)(xml(Strict))),
        handle(() => undefined),
      ),
    })
    assert.equal(mistakesOf(api), ['FW-FIELD-002'])
  })
})
