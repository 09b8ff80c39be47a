/** Fields of forms convert like other parameters, in both media types. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  between,
  enumOf,
  form,
  handle,
  int,
  json,
  list,
  optional,
  path,
  plainDate,
  post,
  produces,
  routes,
  separated,
  string,
  withDefault,
} from '../../src/index.ts'
import { faultsOf, shown } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { base, contract } from '../support/contract.ts'

const api = routes({
  form: pipe(
    path('/form'),
    post(),
    form({
      title: string,
      pages: between(1, 1000)(int),
      kind: withDefault(enumOf('novel', 'poem'), 'novel'),
      due: optional(plainDate),
      tag: list(string),
      ids: separated(',')(int),
    }),
    produces(json(t.unknown)),
    handle((input) => JSON.parse(shown({ ...input.form, due: input.form.due?.toString() }))),
  ),
})

type Fields = ReadonlyArray<readonly [name: string, value: string]>

const least: Fields = [
  ['title', 'Emma'],
  ['pages', '474'],
]
const emma = { title: 'Emma', pages: 474, kind: 'novel', tag: [], ids: [] }

const bodies: ReadonlyArray<readonly [string, (fields: Fields) => URLSearchParams | FormData]> = [
  [
    'URL-encoded',
    (fields) => new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
  ],
  [
    'multipart',
    (fields) => {
      const data = new FormData()
      for (const [name, value] of fields) data.append(name, value)
      return data
    },
  ],
]

contract('form fields', api, (test, call) => {
  for (const [title, bodyOf] of bodies) {
    const send = (fields: Fields) =>
      call(new Request(`${base}/form`, { method: 'POST', body: bodyOf(fields) }))
    table<readonly [title: string, fields: Fields, read: object]>(
      test,
      (
        [
          ['the least', least, emma],
          ['in any order, among others', [['x', '1'], ...least.toReversed()], emma],
          [
            'everything',
            [
              ...least,
              ['kind', 'poem'],
              ['due', '2024-02-29'],
              ['tag', 'a&b'],
              ['tag', 'é'],
              ['ids', '1,2'],
              ['ids', '3'],
            ],
            { ...emma, kind: 'poem', due: '2024-02-29', tag: ['a&b', 'é'], ids: [1, 2, 3] },
          ],
          ['the first of two', [...least, ['pages', '2']], emma],
          ['nothing, which is absent', [...least, ['due', '']], emma],
          ['nothing, which is a text', [['title', ''], ...least.slice(1)], { ...emma, title: '' }],
        ] as const
      ).map(([name, ...row]) => [`${title}: ${name}`, ...row] as const),
      async (_, fields, read) => {
        const response = await send(fields)
        assert.is(response.status, 200)
        assert.equal(await response.json(), read)
      },
    )
    test(`${title}: everything that is wrong is named`, async () => {
      const response = await send([
        ['pages', '1001'],
        ['kind', 'play'],
        ['due', '2023-02-29'],
        ['ids', '1,x'],
      ])
      assert.is(response.status, 400)
      const faults = await faultsOf(response)
      assert.equal(
        faults.map(([place, name]) => [place, name]),
        ['title', 'pages', 'kind', 'due', 'ids'].map((name) => ['form', name]),
      )
    })
  }
})
