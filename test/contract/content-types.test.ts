/** Which operation, and which alternative of its body, reads what a client sends: the `Content-Type` field. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  as,
  body,
  bytes,
  form,
  formMap,
  get,
  handle,
  json,
  path,
  post,
  preMatching,
  produces,
  put,
  rewrite,
  routes,
  string,
  text,
  withFilter,
} from '../../src/index.ts'
import { answerTo, ask, says } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'
import { field, formOf, multipart } from '../support/multipart.ts'

const Item = t.type({ name: t.string })

const both = pipe(path('/both'), produces(text))
const ranked = pipe(path('/ranked'), produces(text))
const crossed = path('/crossed')

const api = routes({
  text: pipe(both, put(), body(text), handle(says('text'))),
  json: pipe(both, put(), body(json(Item)), handle(says('json'))),
  any: pipe(ranked, post(), body(as('*/*')(bytes)), handle(says('*/*'))),
  texts: pipe(ranked, post(), body(as('text/*')(text)), handle(says('text/*'))),
  plain: pipe(ranked, post(), body(text), handle(says('text/plain'))),
  flowed: pipe(ranked, post(), body(as('text/plain;format=flowed')(text)), handle(says('flowed'))),
  alternatives: pipe(
    path('/alternatives'),
    post(),
    body(json(Item), as('text/*')(text)),
    produces(text),
    handle((input) => (typeof input.body === 'string' ? 'text' : 'json')),
  ),
  form: pipe(path('/form'), post(), form({ name: string }), produces(text), handle(says('form'))),
  none: pipe(path('/none'), get(), produces(text), handle(says('none'))),
  textForText: pipe(crossed, post(), body(text), produces(text), handle(says('text'))),
  jsonForText: pipe(crossed, post(), body(json(Item)), produces(text), handle(says('json'))),
  jsonForJson: pipe(
    crossed,
    post(),
    body(json(Item)),
    produces(json(Item)),
    handle((input) => input.body),
  ),
})

const item = '{"name":"a"}'
const urlEncoded = 'application/x-www-form-urlencoded'

type Row = readonly [
  name: string,
  line: string,
  contentType: string | undefined,
  content: string,
  expected: string | number,
]

/** `expected` is what the operation says, or the status of a refusal. */
const rows: ReadonlyArray<Row> = [
  ['a range takes any type inside it', 'POST /ranked', 'text/css', 'a', 'text/*'],
  ['and the range of everything any type', 'POST /ranked', 'image/png', 'a', '*/*'],
  ['of one operation too', 'POST /alternatives', 'text/csv', 'a', 'text'],
  ['the type selects', 'PUT /both', 'text/plain', 'a', 'text'],
  ['among operations', 'PUT /both', 'application/json', item, 'json'],
  ['among alternatives', 'POST /alternatives', 'application/json', item, 'json'],
  ['a type before a range', 'POST /ranked', 'text/plain', 'a', 'text/plain'],
  ['parameters before none', 'POST /ranked', 'text/plain;format=flowed', 'a', 'flowed'],
  ['others do not count', 'POST /ranked', 'text/plain;format=fixed', 'a', 'text/plain'],
  ['a charset does not count', 'PUT /both', 'application/json; charset=utf-8', item, 'json'],
  ['a form', 'POST /form', 'application/x-www-form-urlencoded', 'name=a', 'form'],
  ['without a type the first operation', 'PUT /both', undefined, 'a', 'text'],
  ['and the first alternative', 'POST /alternatives', undefined, item, 'json'],
  ['a form too', 'POST /form', undefined, 'name=a', 'form'],
  ['a type that nobody takes', 'PUT /both', 'image/png', 'a', 415],
  ['also without content', 'PUT /both', 'image/png', '', 415],
  ['a suffix is another type', 'PUT /both', 'application/vnd.x+json', item, 415],
  ['a form where none is declared', 'PUT /both', 'application/x-www-form-urlencoded', 'a', 415],
  ['something else where one is', 'POST /form', 'text/plain', 'name=a', 415],
  ['no type at all', 'POST /ranked', 'text', 'a', 415],
  ['no subtype', 'POST /ranked', 'text/', 'a', 415],
  ['a range', 'POST /ranked', '*/*', 'a', 415],
  ['a range of subtypes', 'POST /ranked', 'text/*', 'a', 415],
  ['a parameter without a value', 'POST /ranked', 'text/plain;format', 'a', 415],
  ['two types', 'POST /ranked', 'text/plain, text/css', 'a', 415],
  ['an empty one', 'POST /ranked', '', 'a', 415],
  ['where nothing is read, nothing is checked', 'GET /none', 'image/png', '', 'none'],
  ['in any case', 'PUT /both', 'TeXt/PlAiN', 'a', 'text'],
  ['parameters too', 'POST /ranked', 'TEXT/PLAIN;FORMAT=flowed', 'a', 'flowed'],
]

/** Octets, so that a `Request` does not add a type of its own. */
const sent = (contentType: string | undefined, content: string): RequestInit => ({
  headers: contentType === undefined ? {} : { 'content-type': contentType },
  ...(content === '' ? {} : { body: new TextEncoder().encode(content) }),
})

contract('Content-Type', api, (test, call) => {
  table<Row>(test, rows, async (_, line, contentType, content, expected) => {
    const [status, answer] = await answerTo(call, line, sent(contentType, content))
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, answer], [200, expected])
  })

  table(
    test,
    [
      ['then Accept selects among the rest', 'application/json', 'application/json', 200],
      ['and not among all', 'text/plain', 'application/json', 406],
    ] as const,
    async (_, contentType, accept, expected) => {
      const response = await ask(call, 'POST /crossed', {
        headers: { 'content-type': contentType, accept },
        body: item,
      })
      assert.is(response.status, expected)
    },
  )
})

const either = pipe(
  routes({
    read: pipe(
      path('/read'),
      post(),
      body(json(Item), formMap, text),
      produces(text),
      handle(({ body: content }) =>
        typeof content === 'string' ? 'text' : content instanceof Map ? 'form' : 'json',
      ),
    ),
    form: pipe(path('/form'), post(), form({ name: string }), produces(text), handle(says('form'))),
  }),
  withFilter(
    preMatching(({ request }) => {
      const type = request.header('X-Type')
      return type === undefined ? undefined : rewrite({ headers: { 'Content-Type': type } })
    }),
  ),
)

contract('a Content-Type that a filter before matching has said', either, (test, call) => {
  const answered = async (line: string, content: string, type: string, said: string) => {
    const headers = { 'Content-Type': type, 'X-Type': said }
    return answerTo(call, line, { body: Buffer.from(content), headers })
  }
  table<
    readonly [string, line: string, content: string, type: string, said: string, answer: unknown]
  >(
    test,
    [
      ['chooses the alternative', 'POST /read', 'name=a', 'text/plain', urlEncoded, 'form'],
      ['whatever came', 'POST /read', item, 'not a type', 'application/json', 'json'],
      ['chooses the operation', 'POST /form', 'name=a', 'application/json', urlEncoded, 'form'],
      [
        'of a multipart form',
        'POST /form',
        formOf(field('name', 'a')),
        'text/plain',
        multipart,
        'form',
      ],
      ['has its charset', 'POST /read', 'a', urlEncoded, 'text/plain;charset=latin1', 'text'],
    ],
    async (_, line, content, type, said, answer) =>
      assert.equal(await answered(line, content, type, said), [200, answer]),
  )
  test('is refused as one that came', async () => {
    assert.is((await answered('POST /read', item, 'application/json', 'image/png'))[0], 415)
    assert.is((await answered('POST /form', 'name=a', urlEncoded, 'text/plain'))[0], 415)
  })
})
