/** Tests that contract requests are sent by a client if it can express them, and unchanged otherwise. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  body,
  cookie,
  form,
  get,
  handle,
  header,
  int,
  json,
  list,
  matrix,
  optional,
  path,
  post,
  produces,
  query,
  routes,
  string,
  text,
  upload,
} from '../../src/index.ts'
import { silentLogger } from '../../src/compiler/settings/logger.ts'
import { inMemory } from '../../src/testing.ts'
import { describe, table } from './describe.ts'
import { requestCounts, throughClient } from './through-client.ts'

const api = routes({
  find: pipe(
    path('/books/{id}', { id: int }),
    get(),
    matrix({ colour: optional(string) }),
    query({ tag: list(string) }),
    header({ xTrace: optional(string) }),
    cookie({ size: optional(string) }),
    produces(text),
    handle((input) => JSON.stringify(input)),
  ),
  add: pipe(
    path('/books'),
    post(),
    body(json(t.type({ title: t.string }))),
    produces(text),
    handle((input) => input.body.title),
  ),
  fill: pipe(
    path('/form'),
    post(),
    form({ title: string }),
    produces(text),
    handle((input) => input.form.title),
  ),
  send: pipe(
    path('/file'),
    post(),
    form({ file: upload }),
    produces(text),
    handle((input) => input.form.file.fileName),
  ),
})

const fileForm = (): FormData => {
  const data = new FormData()
  data.append('file', new File(['a'], 'a.txt'))
  return data
}
const posted = (data: string | FormData, type?: string): RequestInit => ({
  method: 'POST',
  body: data,
  ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
})
const urlEncoded = 'application/x-www-form-urlencoded'

describe('throughClient', (test) => {
  table(
    test,
    [
      [
        'sends all kinds of parameters by a client',
        true,
        '/books/1;colour=red?tag=a&tag=b',
        { headers: { Cookie: 'size=1' } },
        200,
      ],
      [
        'sends JSON by a client',
        true,
        '/books',
        posted('{"title":"Emma"}', 'application/json'),
        200,
      ],
      ['sends a form by a client', true, '/form', posted('title=Emma', urlEncoded), 200],
      ['sends a file by a client', true, '/file', posted(fileForm()), 200],
      ['sends an invalid path parameter unchanged', false, '/books/none', {}, 404],
      ['sends an undeclared query parameter unchanged', false, '/books/1?other=1', {}, 200],
      ['sends malformed JSON unchanged', false, '/books', posted('{', 'application/json'), 400],
      ['sends an unknown path unchanged', false, '/nowhere', {}, 404],
    ] as const,
    async (_, isByClient, url, init, status) => {
      const options = { logger: silentLogger }
      const call = throughClient(api, options, inMemory(api, options))
      const before = { ...requestCounts }
      const response = await call(new Request(`http://service.test${url}`, init))
      assert.is(response.status, status)
      assert.equal(
        [requestCounts.byClient - before.byClient, requestCounts.unchanged - before.unchanged],
        isByClient ? [1, 0] : [0, 1],
      )
    },
  )
})
