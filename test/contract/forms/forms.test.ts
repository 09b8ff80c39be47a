/** Form fields of URL-encoded and multipart forms: conversion, defaults and validation errors. */
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
} from '../../../src/index.ts'
import { validationErrorsOf, inputAsJson } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { base, contract } from '../../support/contract.ts'

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
    handle((input) => JSON.parse(inputAsJson({ ...input.form, due: input.form.due?.toString() }))),
  ),
})

type Fields = ReadonlyArray<readonly [name: string, value: string]>

const required: Fields = [
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
    table<readonly [title: string, fields: Fields, expected: object]>(
      test,
      (
        [
          ['required fields only', required, emma],
          ['another order and unknown fields', [['x', '1'], ...required.toReversed()], emma],
          [
            'all fields',
            [
              ...required,
              ['kind', 'poem'],
              ['due', '2024-02-29'],
              ['tag', 'a&b'],
              ['tag', 'é'],
              ['ids', '1,2'],
              ['ids', '3'],
            ],
            { ...emma, kind: 'poem', due: '2024-02-29', tag: ['a&b', 'é'], ids: [1, 2, 3] },
          ],
          ['a repeated field: the first value', [...required, ['pages', '2']], emma],
          ['an empty optional date', [...required, ['due', '']], emma],
          ['an empty string', [['title', ''], ...required.slice(1)], { ...emma, title: '' }],
        ] as const
      ).map(([name, ...row]) => [`${title}: ${name}`, ...row] as const),
      async (_, fields, expected) => {
        const response = await send(fields)
        assert.is(response.status, 200)
        assert.equal(await response.json(), expected)
      },
    )
    test(`${title}: every invalid field is reported`, async () => {
      const response = await send([
        ['pages', '1001'],
        ['kind', 'play'],
        ['due', '2023-02-29'],
        ['ids', '1,x'],
      ])
      assert.is(response.status, 400)
      const errors = await validationErrorsOf(response)
      assert.equal(
        errors.map(([location, name]) => [location, name]),
        ['title', 'pages', 'kind', 'due', 'ids'].map((name) => ['form', name]),
      )
    })
  }
})
