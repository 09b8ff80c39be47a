/** Views in XML, both ways: of the rules. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  form,
  get,
  handle,
  inView,
  json,
  jsonView,
  optional,
  part,
  path,
  post,
  produces,
  routes,
  secureField,
  sse,
  view,
  withDefault,
  withFilter,
} from '../../src/index.ts'
import { xml, xmlAttribute } from '../../src/xml.ts'
import { answerTo, ask } from '../support/ask.ts'
import { describe, table } from '../support/describe.ts'
import { contract } from '../support/doors.ts'
import { mistakesOf } from '../support/mistakes.ts'
import { trusting } from '../support/secrets.ts'

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
const proposal = { id: 'a', title: 'Emma', approved: true, copies: 7, salary: 9 }

const answering = (at: `/${string}`) =>
  pipe(
    path(at),
    get(),
    produces(xml(Proposal, { declaration: false })),
    handle(() => proposal),
  )
const reading = pipe(
  path('/'),
  post(),
  body(jsonView(Public)(xml(Proposal))),
  produces(json(t.unknown)),
  handle((input): unknown => input.body),
)

contract(
  'R-259: what a view writes in XML',
  pipe(
    routes({
      all: answering('/all'),
      open: pipe(answering('/open'), jsonView(Public)),
      internal: pipe(answering('/internal'), jsonView(Internal)),
      representation: pipe(
        path('/representation'),
        get(),
        produces(jsonView(Public)(xml(Proposal, { declaration: false }))),
        handle(() => proposal),
      ),
      events: pipe(
        path('/events'),
        get(),
        produces(sse(xml(Proposal, { declaration: false }))),
        handle(() => [proposal]),
        jsonView(Public),
      ),
    }),
    withFilter(trusting),
  ),
  (test, call) =>
    table(
      test,
      [
        ['/all', '', '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies></proposal>'],
        ['/open', '', '<proposal><title>Emma</title></proposal>'],
        ['/open', 'chief', '<proposal><title>Emma</title><salary>9</salary></proposal>'],
        ['/internal', 'x', '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies></proposal>'],
        ['/representation', '', '<proposal><title>Emma</title></proposal>'],
        ['/events', '', 'data: <proposal><title>Emma</title></proposal>\n\n'],
        ['/events', 'chief', 'data: <proposal><title>Emma</title><salary>9</salary></proposal>\n\n'],
      ] as const,
      async (target, role, expected) => {
        const response = await ask(call, `GET ${target}`, { headers: { 'X-User': `ann ${role}` } })
        assert.is(await response.text(), expected, 'R-355')
      },
    ),
)

const sent =
  '<proposal id="a"><title>Emma</title><approved>true</approved><copies>7</copies><salary>9</salary></proposal>'
const ignored = { title: 'Emma', copies: 1, salary: 9 }

contract(
  'R-261: XML that is read by a view',
  routes({
    reading,
    parts: pipe(
      path('/parts'),
      post(),
      form({ proposal: part(jsonView(Public)(xml(Proposal))) }),
      produces(json(t.unknown)),
      handle((input): unknown => input.form.proposal),
    ),
  }),
  (test, call) => {
    const send = (content: string) =>
      answerTo(call, 'POST /', {
        headers: { 'Content-Type': 'application/xml' },
        body: Buffer.from(content),
      })
    test('what is outside of it is ignored', async () =>
      assert.equal(await send(sent), [200, ignored]))
    test('whatever it is', async () =>
      assert.equal(
        await send(
          sent
            .replace('true', '<a/>')
            .replace('7', 'many')
            .replace('<title>', '<approved/><title>'),
        ),
        [200, ignored],
      ))
    test('what is inside of it has to be right', async () =>
      assert.is((await send(sent.replace('9', 'x')))[0], 400))
    test('a part of a form', async () => {
      const content = new FormData()
      content.set('proposal', new Blob([sent], { type: 'application/xml' }))
      assert.equal(await answerTo(call, 'POST /parts', { body: content }), [200, ignored])
    })
  },
)

describe('R-261: a required member outside of the view of an XML body', (test) => {
  test('is a mistake', () => {
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
