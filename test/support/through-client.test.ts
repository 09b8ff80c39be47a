/** What of a contract goes through a client: what a client can say is said by one, and all else goes as it is. */
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
import { counted, throughClient } from './through-client.ts'

const all = routes({
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
  const made = new FormData()
  made.append('file', new File(['a'], 'a.txt'))
  return made
}
const posted = (content: string | FormData, type?: string): RequestInit => ({
  method: 'POST',
  body: content,
  ...(type === undefined ? {} : { headers: { 'Content-Type': type } }),
})
const urlEncoded = 'application/x-www-form-urlencoded'

describe('a contract through a client', (test) => {
  table(
    test,
    [
      [
        'all kinds of parameters',
        true,
        '/books/1;colour=red?tag=a&tag=b',
        { headers: { Cookie: 'size=1' } },
        200,
      ],
      ['JSON', true, '/books', posted('{"title":"Emma"}', 'application/json'), 200],
      ['a form', true, '/form', posted('title=Emma', urlEncoded), 200],
      ['a file', true, '/file', posted(fileForm()), 200],
      ['another path than any, as it was', false, '/books/none', {}, 404],
      ['more than is declared, as it was', false, '/books/1?other=1', {}, 200],
      ['no JSON, as it was', false, '/books', posted('{', 'application/json'), 400],
      ['no operation, as it was', false, '/nowhere', {}, 404],
    ] as const,
    async (_, isByClient, url, init, status) => {
      const options = { logger: silentLogger }
      const call = throughClient(all, options, inMemory(all, options))
      const before = { ...counted }
      const response = await call(new Request(`http://service.test${url}`, init))
      assert.is(response.status, status)
      assert.equal(
        [counted.byClient - before.byClient, counted.asTheyWere - before.asTheyWere],
        isByClient ? [1, 0] : [0, 1],
      )
    },
  )
})
