/** Forms with a map of all fields in addition to declared fields, in servers and clients. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  allFields,
  form,
  handle,
  int,
  json,
  list,
  optional,
  part,
  path,
  post,
  produces,
  routes,
  string,
  upload,
} from '../../../src/index.ts'
import { clientContract, errorIn, right } from '../../support/clients.ts'
import { base, valueContract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { encodeMultipart, encodePart, multipartRequest } from '../../support/multipart.ts'
import { validationErrorsOf } from '../../support/send-request.ts'

const producesValues = produces(json(t.array(t.unknown)))

const api = routes({
  plain: pipe(
    path('/plain'),
    post(),
    form({ title: string, pages: optional(int), tag: list(string), all: allFields }),
    producesValues,
    handle(({ form: { title, pages, tag, all } }) => [title, pages ?? null, tag, ...all]),
  ),
  withFile: pipe(
    path('/with-file'),
    post(),
    form({
      cover: upload,
      meta: part(json(t.type({ year: int }))),
      title: string,
      all: allFields,
    }),
    producesValues,
    handle(({ form: { cover, meta, title, all } }) => [cover.fileName, meta, title, ...all]),
  ),
})

type Fields = ReadonlyArray<readonly [name: string, value: string]>

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

valueContract('a map of all form fields', api, (test, call) => {
  for (const [title, bodyOf] of bodies) {
    const send = (fields: Fields) =>
      call(new Request(`${base}/plain`, { method: 'POST', body: bodyOf(fields) }))
    table<readonly [title: string, fields: Fields, expected: ReadonlyArray<unknown>]>(
      test,
      (
        [
          ['declared fields only', [['title', 'Emma']], ['Emma', null, [], ['title', ['Emma']]]],
          [
            'undeclared and repeated fields, in order of appearance',
            [
              ['b', '1'],
              ['title', 'Emma'],
              ['a', '&é'],
              ['pages', '474'],
              ['b', ''],
              ['pages', 'x'],
            ],
            [
              'Emma',
              474,
              [],
              ['b', ['1', '']],
              ['title', ['Emma']],
              ['a', ['&é']],
              ['pages', ['474', 'x']],
            ],
          ],
          [
            'a field with the name of the map, and one with the name of a prototype member',
            [
              ['title', 'Emma'],
              ['all', 'x'],
              ['__proto__', 'y'],
            ],
            ['Emma', null, [], ['title', ['Emma']], ['all', ['x']], ['__proto__', ['y']]],
          ],
        ] as const
      ).map(([name, ...row]) => [`${title}: ${name}`, ...row] as const),
      async (_, fields, expected) => {
        const response = await send(fields)
        assert.equal([response.status, await response.json()], [200, expected])
      },
    )
    test(`${title}: invalid declared fields are reported`, async () => {
      const response = await send([['pages', 'x']])
      assert.is(response.status, 400)
      assert.equal(
        (await validationErrorsOf(response)).map(([location, name]) => [location, name]),
        [
          ['form', 'title'],
          ['form', 'pages'],
        ],
      )
    })
  }

  const statusOf = async (request: Request): Promise<number> => (await call(request)).status

  test('URL-encoded: an undeclared field with a malformed escape returns 400', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const request = { method: 'POST', body: 'title=Emma&a=%FF', headers }
    assert.is(await statusOf(new Request(`${base}/plain`, request)), 400)
  })

  test('multipart: an undeclared part with an unknown charset returns 415', async () => {
    const parts = encodeMultipart(
      encodePart('title', 'Emma'),
      encodePart('a', 'x', { type: 'text/plain;charset=x-none' }),
    )
    assert.is(await statusOf(multipartRequest('/plain', parts)), 415)
  })

  test('multipart: the map contains neither files nor structured parts', async () => {
    const parts = encodeMultipart(
      encodePart('b', '1'),
      encodePart('cover', '<svg/>', { fileName: 'a.svg' }),
      encodePart('meta', '{"year":1815}'),
      encodePart('other', '2', { fileName: 'two' }),
      encodePart('title', 'Emma'),
      encodePart('b', '3'),
    )
    const response = await call(multipartRequest('/with-file', parts))
    assert.equal(
      [response.status, await response.json()],
      [200, ['a.svg', { year: 1815 }, 'Emma', ['b', ['1', '3']], ['title', ['Emma']]]],
    )
  })

  test('a form with a file must be sent as multipart', async () => {
    const body = new URLSearchParams('title=Emma')
    assert.is(await statusOf(new Request(`${base}/with-file`, { method: 'POST', body })), 415)
  })
})

const further = new Map([
  ['cats', ['1', '&é']],
  ['all', ['x']],
  ['none', []],
])

clientContract('a client of a form with a map of all fields', api, (test, createClient) => {
  test('a URL-encoded form contains the fields of the map after the declared fields', async () => {
    const { plain } = createClient()
    assert.equal((await right(plain({ form: { title: 'Pets', tag: ['a'], all: further } }))).body, [
      'Pets',
      null,
      ['a'],
      ['title', ['Pets']],
      ['tag', ['a']],
      ['cats', ['1', '&é']],
      ['all', ['x']],
    ])
  })

  test('a multipart form contains the fields of the map', async () => {
    const { withFile } = createClient()
    const cover = new File(['x'], 'a.svg')
    assert.equal(
      (await right(withFile({ form: { cover, meta: { year: 1 }, title: 'Pets', all: further } })))
        .body,
      ['a.svg', { year: 1 }, 'Pets', ['title', ['Pets']], ['cats', ['1', '&é']], ['all', ['x']]],
    )
  })

  test('the map can be omitted', async () =>
    assert.equal((await right(createClient().plain({ form: { title: 'Pets' } }))).body, [
      'Pets',
      null,
      [],
      ['title', ['Pets']],
    ]))

  table<readonly [name: string, map: unknown, detail: RegExp]>(
    test,
    [
      ['an object', { cats: ['1'] }, /form all must be a map from names to lists of strings/],
      ['a string instead of a list', new Map([['cats', '1']]), /form all must be a map/],
      [
        'a declared field',
        new Map([['tag', ['b']]]),
        /form all must not contain the declared field "tag"/,
      ],
    ],
    async (_, map, detail) => {
      const error = await errorIn(
        createClient().plain({ form: { title: 'Pets', all: map as never } }),
      )
      assert.is(error._tag, 'EncodeError')
      assert.match(error.message, detail)
    },
  )
})
