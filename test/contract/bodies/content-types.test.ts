/** Selection of the operation and of the body alternative by the `Content-Type` header. */
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
} from '../../../src/index.ts'
import { responseTo, sendRequest, returns } from '../../support/send-request.ts'
import { table } from '../../support/describe.ts'
import { valueContract } from '../../support/contract.ts'
import { encodePart, encodeMultipart, multipartType } from '../../support/multipart.ts'

const Item = t.type({ name: t.string })

const both = pipe(path('/both'), produces(text))
const ranked = pipe(path('/ranked'), produces(text))
const crossed = path('/crossed')

const api = routes({
  text: pipe(both, put(), body(text), handle(returns('text'))),
  json: pipe(both, put(), body(json(Item)), handle(returns('json'))),
  any: pipe(ranked, post(), body(as('*/*')(bytes)), handle(returns('*/*'))),
  texts: pipe(ranked, post(), body(as('text/*')(text)), handle(returns('text/*'))),
  plain: pipe(ranked, post(), body(text), handle(returns('text/plain'))),
  flowed: pipe(
    ranked,
    post(),
    body(as('text/plain;format=flowed')(text)),
    handle(returns('flowed')),
  ),
  alternatives: pipe(
    path('/alternatives'),
    post(),
    body(json(Item), as('text/*')(text)),
    produces(text),
    handle((input) => (typeof input.body === 'string' ? 'text' : 'json')),
  ),
  form: pipe(
    path('/form'),
    post(),
    form({ name: string }),
    produces(text),
    handle(returns('form')),
  ),
  none: pipe(path('/none'), get(), produces(text), handle(returns('none'))),
  textForText: pipe(crossed, post(), body(text), produces(text), handle(returns('text'))),
  jsonForText: pipe(crossed, post(), body(json(Item)), produces(text), handle(returns('json'))),
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

/** `expected` is the response body, or the status of an error response. */
const rows: ReadonlyArray<Row> = [
  ['a type within a declared range', 'POST /ranked', 'text/css', 'a', 'text/*'],
  ['any type for */*', 'POST /ranked', 'image/png', 'a', '*/*'],
  ['a type within a range of an alternative', 'POST /alternatives', 'text/csv', 'a', 'text'],
  ['selection among operations: text', 'PUT /both', 'text/plain', 'a', 'text'],
  ['selection among operations: JSON', 'PUT /both', 'application/json', item, 'json'],
  ['selection among alternatives', 'POST /alternatives', 'application/json', item, 'json'],
  ['a type is preferred to a range', 'POST /ranked', 'text/plain', 'a', 'text/plain'],
  [
    'a type with parameters is preferred to one without',
    'POST /ranked',
    'text/plain;format=flowed',
    'a',
    'flowed',
  ],
  [
    'an undeclared parameter is ignored',
    'POST /ranked',
    'text/plain;format=fixed',
    'a',
    'text/plain',
  ],
  ['a charset is ignored', 'PUT /both', 'application/json; charset=utf-8', item, 'json'],
  ['a form', 'POST /form', 'application/x-www-form-urlencoded', 'name=a', 'form'],
  ['no Content-Type: the first operation', 'PUT /both', undefined, 'a', 'text'],
  ['no Content-Type: the first alternative', 'POST /alternatives', undefined, item, 'json'],
  ['no Content-Type: a form', 'POST /form', undefined, 'name=a', 'form'],
  ['an undeclared type', 'PUT /both', 'image/png', 'a', 415],
  ['an undeclared type without a body', 'PUT /both', 'image/png', '', 415],
  ['a structured syntax suffix is another type', 'PUT /both', 'application/vnd.x+json', item, 415],
  [
    'a form for an operation without one',
    'PUT /both',
    'application/x-www-form-urlencoded',
    'a',
    415,
  ],
  ['text for a form operation', 'POST /form', 'text/plain', 'name=a', 415],
  ['a value without a slash', 'POST /ranked', 'text', 'a', 415],
  ['an empty subtype', 'POST /ranked', 'text/', 'a', 415],
  ['the range */*', 'POST /ranked', '*/*', 'a', 415],
  ['the range text/*', 'POST /ranked', 'text/*', 'a', 415],
  ['a parameter without a value', 'POST /ranked', 'text/plain;format', 'a', 415],
  ['two types', 'POST /ranked', 'text/plain, text/css', 'a', 415],
  ['an empty value', 'POST /ranked', '', 'a', 415],
  ['an operation without a body ignores Content-Type', 'GET /none', 'image/png', '', 'none'],
  ['a type in mixed case', 'PUT /both', 'TeXt/PlAiN', 'a', 'text'],
  ['parameters in upper case', 'POST /ranked', 'TEXT/PLAIN;FORMAT=flowed', 'a', 'flowed'],
]

/** The body is passed as bytes, so that `Request` does not add a `Content-Type`. */
const requestInit = (contentType: string | undefined, content: string): RequestInit => ({
  headers: contentType === undefined ? {} : { 'content-type': contentType },
  ...(content === '' ? {} : { body: new TextEncoder().encode(content) }),
})

valueContract('selection by Content-Type', api, (test, call) => {
  table<Row>(test, rows, async (_, line, contentType, content, expected) => {
    const [status, received] = await responseTo(call, line, requestInit(contentType, content))
    if (typeof expected === 'number') assert.is(status, expected)
    else assert.equal([status, received], [200, expected])
  })

  table(
    test,
    [
      [
        'Accept selects among operations that read the Content-Type',
        'application/json',
        'application/json',
        200,
      ],
      [
        'Accept does not select an operation that cannot read the Content-Type',
        'text/plain',
        'application/json',
        406,
      ],
    ] as const,
    async (_, contentType, accept, expected) => {
      const response = await sendRequest(call, 'POST /crossed', {
        headers: { 'content-type': contentType, accept },
        body: item,
      })
      assert.is(response.status, expected)
    },
  )
})

const rewritten = pipe(
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
    form: pipe(
      path('/form'),
      post(),
      form({ name: string }),
      produces(text),
      handle(returns('form')),
    ),
  }),
  withFilter(
    preMatching(({ request }) => {
      const type = request.header('X-Type')
      return type === undefined ? undefined : rewrite({ headers: { 'Content-Type': type } })
    }),
  ),
)

valueContract('Content-Type set by a pre-matching filter', rewritten, (test, call) => {
  const send = async (line: string, content: string, type: string, newType: string) => {
    const headers = { 'Content-Type': type, 'X-Type': newType }
    return responseTo(call, line, { body: Buffer.from(content), headers })
  }
  table<
    readonly [
      name: string,
      line: string,
      content: string,
      type: string,
      newType: string,
      expected: unknown,
    ]
  >(
    test,
    [
      ['an alternative', 'POST /read', 'name=a', 'text/plain', urlEncoded, 'form'],
      ['a malformed original type', 'POST /read', item, 'not a type', 'application/json', 'json'],
      ['an operation', 'POST /form', 'name=a', 'application/json', urlEncoded, 'form'],
      [
        'a multipart form',
        'POST /form',
        encodeMultipart(encodePart('name', 'a')),
        'text/plain',
        multipartType,
        'form',
      ],
      ['a charset', 'POST /read', 'a', urlEncoded, 'text/plain;charset=latin1', 'text'],
    ],
    async (_, line, content, type, newType, expected) =>
      assert.equal(await send(line, content, type, newType), [200, expected]),
  )
  test('an unsupported type set by a filter returns 415', async () => {
    assert.is((await send('POST /read', item, 'application/json', 'image/png'))[0], 415)
    assert.is((await send('POST /form', 'name=a', urlEncoded, 'text/plain'))[0], 415)
  })
})
