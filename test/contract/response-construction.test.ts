/** Responses that handlers put together, and what endpoints add to them. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  NotFound,
  Redirection,
  created,
  fails,
  form,
  get,
  handle,
  int,
  json,
  jsonStream,
  mapError,
  path,
  post,
  produces,
  reply,
  responds,
  responseHeader,
  routes,
  seeOther,
  status,
  string,
  text,
  textStream,
  withCookie,
  withHeader,
  withMapper,
} from '../../src/index.ts'
import { answerTo, ask } from '../support/ask.ts'
import { table } from '../support/describe.ts'
import { contract } from '../support/contract.ts'

const Book = t.type({ title: t.string })
const emma = { title: 'Emma' }

const said = pipe(
  path('/said/{how}'),
  get(),
  produces(textStream),
  status(203),
  fails(410, text),
  responseHeader('X-Always', '1'),
  responseHeader('X-Always', '2'),
)

/** Requests that wait until all of them are there. */
const waiting: Array<(word: string) => void> = []

const tree = pipe(
  routes({
    made: pipe(
      path('/made/{when}'),
      get(),
      responds(201, json(Book)),
      handle(({ path: { when } }) => {
        const made = pipe(
          created('/books/1', emma),
          withHeader('X-Own', 'a'),
          withCookie({ name: 'a', value: '1' }),
          withCookie({ name: 'b', value: '2' }),
        )
        switch (when) {
          case 'now':
            return made
          case 'promised':
            return Promise.resolve(made)
          case 'right':
            return E.right(made)
          default:
            return () => Promise.resolve(made)
        }
      }),
    ),
    said: pipe(
      said,
      handle(({ path: { how } }) => {
        switch (how) {
          case 'plain':
            return ['a']
          case 'promised':
            return Promise.resolve(['a'])
          case 'streamed':
            return (async function* () {
              yield await Promise.resolve('a')
            })()
          case 'failed':
            return E.left('gone')
          case 'thrown':
            throw new NotFound('none')
          case 'mapped':
            throw new RangeError('none')
          default:
            throw new Error('a defect')
        }
      }),
    ),
    sign: pipe(
      path('/books'),
      post(),
      form({ title: string }),
      responds(303),
      handle(({ form: { title } }) => {
        if (title === 'thrown') throw new Redirection(303, '/books/thrown')
        return seeOther(`/books/${title}`)
      }),
    ),
    read: pipe(
      path('/books/{title}'),
      get(),
      produces(text),
      handle((input) => input.path.title),
    ),
    waits: pipe(
      path('/waits/{n}', { n: int }),
      get(),
      produces(text),
      handle(
        ({ path: { n } }) =>
          new Promise<string>((resolve) => {
            waiting.push((word) => resolve(`${word} ${n}`))
          }),
      ),
    ),
    told: pipe(
      path('/told'),
      get(),
      produces(text),
      handle(() => {
        for (const tell of waiting.splice(0)) tell('told')
        return 'all'
      }),
    ),
    rejected: pipe(
      path('/rejected'),
      get(),
      produces(text),
      handle(() => Promise.reject<string>(new RangeError('later'))),
    ),
  }),
  withMapper(mapError(RangeError, ({ message }) => reply(418, message))),
)

contract('response construction', tree, (test, call) => {
  for (const when of ['now', 'promised', 'right', 'by a task'])
    test(`status, fields, cookies and entity of a reply, ${when}`, async () => {
      const response = await ask(call, `GET /made/${encodeURIComponent(when)}`)
      assert.is(response.status, 201)
      assert.is(response.headers.get('location'), '/books/1')
      assert.is(response.headers.get('x-own'), 'a')
      assert.equal(response.headers.getSetCookie(), ['a=1', 'b=2'])
      assert.is(response.headers.get('content-type'), 'application/json')
      assert.equal(await response.json(), emma)
    })
  test('what is rejected is mapped', async () =>
    assert.equal(await answerTo(call, 'GET /rejected'), [418, 'later']))

  table<readonly [how: string, status: number, always: string | null]>(
    test,
    [
      ['plain', 203, '1, 2'],
      ['promised', 203, '1, 2'],
      ['streamed', 203, '1, 2'],
      ['failed', 410, '1, 2'], // a declared answer of the operation like any other
      ['thrown', 404, null],
      ['mapped', 418, null],
      ['a defect', 500, null],
    ].map(([how, ...row]) => [`${how}`, ...row] as unknown as [string, number, string]),
    async (title, expected, always) => {
      const how = encodeURIComponent(title.replace('', ''))
      const response = await ask(call, `GET /said/${how}`)
      assert.is(response.status, expected)
      assert.is(response.headers.get('x-always'), always)
      if (expected === 203) assert.is(await response.text(), 'a')
    },
  )

  for (const title of ['emma', 'thrown'])
    test(`a form that was sent leads to a page: ${title}`, async () => {
      const sent = await ask(call, 'POST /books', { body: new URLSearchParams({ title }) })
      assert.is(sent.status, 303)
      assert.is(await sent.text(), '')
      const to = sent.headers.get('location') ?? ''
      assert.is(to, `/books/${title}`)
      assert.equal(await answerTo(call, `GET ${to}`), [200, title])
    })

  test('requests that wait hold up nobody', async () => {
    const count = 200
    const answers = Array.from({ length: count }, (_, n) => answerTo(call, `GET /waits/${n}`))
    for (let turn = 0; waiting.length < count; turn++) {
      assert.ok(turn < 1000, 'not all have come')
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.equal(await answerTo(call, 'GET /books/persuasion'), [200, 'persuasion'])
    assert.equal(await answerTo(call, 'GET /told'), [200, 'all'])
    assert.equal(
      await Promise.all(answers),
      Array.from({ length: count }, (_, n) => [200, `told ${n}`]),
    )
  })
})

contract(
  'an array streams where JSON is streamed',
  routes({
    books: pipe(
      path('/books'),
      get(),
      produces(jsonStream(Book)),
      status(202),
      responseHeader('X-Always', 'yes'),
      handle(() => [emma]),
    ),
  }),
  (test, call) =>
    test('with the status and the fields of its operation', async () => {
      const response = await ask(call, 'GET /books')
      assert.equal([response.status, response.headers.get('x-always')], [202, 'yes'])
      assert.equal(await response.json(), [emma])
    }),
)
