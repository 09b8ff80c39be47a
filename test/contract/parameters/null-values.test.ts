/** `nullable`, `nullish` and `date` in parameters, bodies and event data, with generated and interpreted codecs. */
import * as assert from 'uvu/assert'
import { base, valueContract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { responseTo, sendRequest } from '../../support/send-request.ts'
import { api } from './null-values.ts'

const full = {
  due: '2024-01-31T00:00:00.000Z',
  returned: '2024-02-01T10:15:30.000Z',
  shelf: 3,
  note: '',
  tags: ['a', null],
}

/** A title, a JSON text, and the text that it is written as. */
const documents: ReadonlyArray<readonly [string, unknown, unknown]> = [
  ['all members', full, full],
  ['null', { ...full, returned: null, shelf: null, note: null, tags: null }, undefined],
  ['missing nullish members', { due: full.due, returned: null, tags: [] }, undefined],
  ['a date without a time', { ...full, due: '2024-01-31' }, full],
  ['a date with an offset', { ...full, due: '2024-01-31T01:00+01:00' }, full],
]

/** A title, a JSON text, and the validation errors. */
const invalidDocuments: ReadonlyArray<readonly [string, unknown, ReadonlyArray<[string, string]>]> =
  [
    ['null for a required date', { ...full, due: null }, [['#/due', 'must be an ISO 8601 date']]],
    ['a local time', { ...full, due: '2024-01-31T10:15' }, [['#/due', 'must be an ISO 8601 date']]],
    ['a number', { ...full, due: 0 }, [['#/due', 'must be an ISO 8601 date']]],
    [
      'a text for a nullable date',
      { ...full, returned: 'never' },
      [['#/returned', 'must be an ISO 8601 date or null']],
    ],
    [
      'a missing nullable member',
      { ...full, returned: undefined },
      [['#/returned', 'is required and must be an ISO 8601 date or null']],
    ],
    [
      'a text for a nullish integer',
      { ...full, shelf: '3' },
      [['#/shelf', 'must be an integer or null']],
    ],
  ]

const nil = '<copies xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/>'
const declaration = '<?xml version="1.0" encoding="UTF-8"?>'

/** A title, the query of a request, and the values or the status. */
type Query = readonly [title: string, query: string, expected: unknown]

const queries: ReadonlyArray<Query> = [
  [
    'values',
    '?due=2024-01-31&shelf=3&note=a&tags=1&tags=2',
    { due: full.due, shelf: 3, note: 'a', tags: [1, 2] },
  ],
  [
    'the text null',
    '?due=null&shelf=null&note=null',
    { due: null, shelf: null, note: 'null', tags: [] },
  ],
  ['missing nullish parameters', '?due=null', { due: null, tags: [] }],
  ['a missing nullable parameter', '', 400],
  ['an empty nullable parameter', '?due=', 400],
  ['the text null in a collection', '?due=null&tags=null', 400],
]

for (const reflectionFree of [true, false])
  valueContract(
    `nullable, nullish and date, ${reflectionFree ? 'generated' : 'interpreted'}`,
    api,
    (test, call) => {
      const post_ = (target: string, type: string, content: string): Promise<Response> =>
        call(
          new Request(`${base}${target}`, {
            method: 'POST',
            headers: { 'Content-Type': type },
            body: content,
          }),
        )
      for (const [title, sent, received = sent] of documents)
        test(`JSON: ${title}`, async () => {
          const response = await post_('/json', 'application/json', JSON.stringify(sent))
          assert.equal([response.status, await response.json()], [200, received])
        })
      for (const [title, sent, errors] of invalidDocuments)
        test(`JSON: ${title} is rejected`, async () => {
          const response = await post_('/json', 'application/json', JSON.stringify(sent))
          assert.is(response.status, 400)
          const { errors: reported } = (await response.json()) as { readonly errors: unknown }
          assert.equal(
            reported,
            errors.map(([pointer, detail]) => ({ in: 'body', pointer, detail })),
          )
        })
      table(
        test,
        [
          [
            'XML: values',
            '<copy lent="2024-01-31T01:00:00+01:00"><copies> 2 </copies></copy>',
            '<copy lent="2024-01-31T00:00:00.000Z"><copies>2</copies></copy>',
          ],
          ['XML: null', `<copy>${nil}</copy>`, `<copy>${nil}</copy>`],
        ] as const,
        async (_, sent, received) => {
          const response = await post_('/xml', 'application/xml', sent)
          assert.equal([response.status, await response.text()], [200, declaration + received])
        },
      )
      test('XML: a missing nullable element is rejected', async () =>
        assert.is((await post_('/xml', 'application/xml', '<copy/>')).status, 400))
      table<Query>(test, queries, async (_, target, expected) => {
        const [status, input] = await responseTo(call, `GET /query${target}`)
        assert.equal(status === 200 ? input : status, expected)
      })
      test('all kinds of parameters accept dates and null', async () => {
        const response = await call(
          new Request(`${base}/kinds/2024-01-31;day=null`, {
            method: 'POST',
            headers: { Day: '2024-01-31T10:15Z', Cookie: 'day=null' },
            body: new URLSearchParams({ day: '2024-02-29' }),
          }),
        )
        assert.equal(await response.json(), {
          path: { day: full.due },
          header: { day: '2024-01-31T10:15:00.000Z' },
          cookie: { day: null },
          matrix: { day: null },
          form: { day: '2024-02-29T00:00:00.000Z' },
        })
      })
      test('a path variable that is not a date returns 404', async () => {
        const response = await sendRequest(call, 'POST /kinds/today', {
          body: new URLSearchParams(),
        })
        assert.is(response.status, 404)
      })
      table(
        test,
        [
          ['text: a date', '/text', '2024-01-31', 200, full.due],
          ['text: null', '/text', 'null', 200, 'null'],
          ['text: an invalid date', '/text', 'today', 400, undefined],
          ['text: a string', '/title', 'null', 200, 'null'],
          [
            'text: null that is not distinguishable from a string',
            '/title',
            'nothing',
            500,
            undefined,
          ],
        ] as const,
        async (_, target, sent, status, received) => {
          const response = await post_(target, 'text/plain', sent)
          assert.is(response.status, status)
          if (received !== undefined) assert.is(await response.text(), received)
        },
      )
      test('text: a handler that returns null sends 204', async () =>
        assert.is((await post_('/title', 'text/plain', '')).status, 204))
      test('events: null is JSON', async () =>
        assert.is(
          await (await sendRequest(call, 'GET /events')).text(),
          'data: 1\n\ndata: null\n\n',
        ))
      table(
        test,
        [
          ['the default null of missing parameters', '', { name: null, ids: null }],
          [
            'the default null is not used for values',
            '?name=null&ids=1',
            { name: 'null', ids: [1] },
          ],
        ] as const,
        async (_, target, expected) =>
          assert.equal(await responseTo(call, `GET /or-null${target}`), [200, expected]),
      )
    },
    { 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers': reflectionFree },
  )
