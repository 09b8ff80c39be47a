/** `jsonView` on request bodies: members outside the view are ignored. */
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
} from '../../../src/index.ts'
import { responseTo } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'

const Public = view('Public')
const Internal = view('Internal', Public)

const Proposal = t.type({
  title: t.string,
  approved: inView(Internal)(optional(t.boolean)),
  copies: withDefault(inView(Internal)(t.number), 1),
  at: optional(inView(Public)(instant)),
})

const Amounts = t.record(t.keyof({ copies: null, price: null }), optional(t.number))
const Offer = t.intersection([Amounts, t.type({ price: inView(Internal)(optional(t.number)) })])

valueContract(
  'jsonView on a request body',
  routes({
    publicOnly: pipe(
      path('/public'),
      post(),
      body(jsonView(Public)(json(Proposal))),
      produces(json(Proposal)),
      handle((input) => input.body),
    ),
    record: pipe(
      path('/record'),
      post(),
      body(jsonView(Public)(json(Offer))),
      produces(json(Offer)),
      handle((input) => input.body),
    ),
    internal: pipe(
      path('/internal'),
      post(),
      body(jsonView(Internal)(json(Proposal))),
      produces(json(Proposal)),
      handle((input) => input.body),
    ),
    operation: pipe(
      path('/operation'),
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
      responseTo(call, `POST ${target}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(value),
      })
    const expectedPublic = { title: 'Emma', copies: 1, at: sent.at }
    table(
      test,
      [
        ['a member outside the view is ignored', '/public', sent, [200, expectedPublic]],
        [
          'an invalid member outside the view is ignored',
          '/public',
          { ...sent, approved: 'x', copies: null },
          [200, expectedPublic],
        ],
        ['an extending view reads all members', '/internal', sent, [200, sent]],
        [
          'the view of an operation does not apply to its request body',
          '/operation',
          sent,
          [200, sent],
        ],
        [
          'a member outside the view that a record declares too',
          '/record',
          { copies: 1, price: 2 },
          [200, { copies: 1 }],
        ],
        ['a member with secureField is read', '/secured', { secret: 'x' }, [200, { secret: 'x' }]],
      ] as const,
      async (_, target, value, expected) => assert.equal(await send(target, value), expected),
    )
    test('an invalid member of the view returns 400', async () =>
      assert.is((await send('/public', { ...sent, at: 'x' }))[0], 400))
    test('a form part is read in its view', async () => {
      const data = new FormData()
      data.set('proposal', new Blob([JSON.stringify(sent)], { type: 'application/json' }))
      assert.equal(await responseTo(call, 'POST /parts', { body: data }), [200, expectedPublic])
    })
  },
)
