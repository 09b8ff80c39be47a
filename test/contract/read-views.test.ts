/** Bodies that are read by a view. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  form,
  handle,
  instant,
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
  view,
  withDefault,
} from '../../src/index.ts'
import { answerTo } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Public = view('Public')
const Internal = view('Internal', Public)

const Proposal = t.type({
  title: t.string,
  approved: inView(Internal)(optional(t.boolean)),
  copies: withDefault(inView(Internal)(t.number), 1),
  at: optional(inView(Public)(instant)),
})

contract(
  'a body that is read by a view',
  routes({
    open: pipe(
      path('/open'),
      post(),
      body(jsonView(Public)(json(Proposal))),
      produces(json(Proposal)),
      handle((input) => input.body),
    ),
    internal: pipe(
      path('/internal'),
      post(),
      body(jsonView(Internal)(json(Proposal))),
      produces(json(Proposal)),
      handle((input) => input.body),
    ),
    answering: pipe(
      path('/answering'),
      post(),
      jsonView(Public),
      body(json(Proposal)),
      produces(jsonView(Internal)(json(Proposal))),
      handle((input) => input.body),
    ),
    secured: pipe(
      path('/secured'),
      post(),
      body(json(t.type({ secret: secureField('chief')(t.string) }))),
      produces(json(t.type({ secret: t.string }))),
      handle((input) => input.body),
    ),
    parts: pipe(
      path('/parts'),
      post(),
      form({ proposal: part(jsonView(Public)(json(Proposal))) }),
      produces(json(Proposal)),
      handle((input) => input.form.proposal),
    ),
  }),
  (test, call) => {
    const sent = { title: 'Emma', approved: true, copies: 7, at: '2020-01-01T00:00:00Z' }
    const send = (target: string, value: unknown) =>
      answerTo(call, `POST ${target}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(value),
      })
    const ignored = { title: 'Emma', copies: 1, at: sent.at }
    table(
      test,
      [
        ['what is outside of it is ignored', '/open', sent, [200, ignored]],
        ['whatever it is', '/open', { ...sent, approved: 'x', copies: null }, [200, ignored]],
        ['one that extends it reads all', '/internal', sent, [200, sent]],
        ['the view of an operation is about what it answers', '/answering', sent, [200, sent]],
        ['secured fields are read', '/secured', { secret: 'x' }, [200, { secret: 'x' }]],
      ] as const,
      async (_, target, value, expected) => assert.equal(await send(target, value), expected),
    )
    test('what is inside of it has to be right', async () =>
      assert.is((await send('/open', { ...sent, at: 'x' }))[0], 400))
    test('a part of a form', async () => {
      const content = new FormData()
      content.set('proposal', new Blob([JSON.stringify(sent)], { type: 'application/json' }))
      assert.equal(await answerTo(call, 'POST /parts', { body: content }), [200, ignored])
    })
  },
)
