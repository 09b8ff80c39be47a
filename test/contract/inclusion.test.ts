/** Inclusion and exclusion. */
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import {
  allOf,
  anyOf,
  body,
  disabledWhen,
  entity,
  filters,
  get,
  handle,
  mapError,
  not,
  path,
  post,
  prefix,
  preMatching,
  produces,
  profile,
  property,
  reader,
  reply,
  requestFilter,
  responseFilter,
  routes,
  text,
  when,
  withFilter,
  withHeader,
  withInterceptor,
  withMapper,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../src/index.ts'
import type { ServeOptions } from '../../src/node.ts'
import type { Row } from '../support/ask.ts'
import { answers, ask, says } from '../support/ask.ts'
import { contract } from '../support/contract.ts'

const at = (template: string) => pipe(path(template), get(), produces(text))
const say = (word: string) => pipe(at(`/${word}`), handle(says(word)))
const dev = when(profile('dev'))
const books = pipe(path('/books'), when(property('books', 'open')))

const api = routes({
  always: say('always'),
  dev: pipe(say('dev'), dev),
  devOrTest: pipe(say('dev-or-test'), when(profile('dev', 'test'))),
  notDev: pipe(say('not-dev'), when(not(profile('dev')))),
  // either answers, and they are no duplicates of each other
  one: pipe(at('/same'), handle(says('one')), dev),
  other: pipe(at('/same'), handle(says('other')), when(not(profile('dev')))),
  // a resource: the condition is inherited by its operations
  list: pipe(
    books,
    get(),
    produces(text),
    handle(() => 'books'),
  ),
  add: pipe(
    books,
    post(),
    handle(() => {}),
  ),
  // two methods of a path, of which one may be there
  read: pipe(at('/half'), handle(says('half'))),
  write: pipe(
    path('/half'),
    post(),
    dev,
    handle(() => {}),
  ),
  tree: pipe(routes({ a: say('a'), inner: routes({ b: say('b') }) }), prefix('/tree'), dev),
  on: pipe(say('on'), when(property('flag', 'on'))),
  onOrMissing: pipe(say('on-or-missing'), when(property('flag', 'on', { ifMissing: true }))),
  unlessOn: pipe(say('unless-on'), when(not(property('flag', 'on')))),
  set: pipe(say('set'), when(property('flag'))),
  both: pipe(say('both'), when(property('flag', 'on')), dev),
  allOf: pipe(say('all-of'), when(allOf(property('flag', 'on'), profile('dev')))),
  anyOf: pipe(say('any-of'), when(anyOf(property('flag', 'on'), profile('dev')))),
  bySetting: pipe(say('by-setting'), when(property('fw.rest.conversion-failure', 'jakarta'))),
  disabled: pipe(say('disabled'), disabledWhen('closed', 'yes')),
  disabledIfMissing: pipe(
    say('disabled-if-missing'),
    disabledWhen('closed', 'yes', { ifMissing: true }),
  ),
  disabledTree: pipe(routes({ c: say('c') }), disabledWhen('closed', 'yes')),
})

const rows = (name: string, options: ServeOptions, expected: ReadonlyArray<Row>): void =>
  contract(name, api, (test, call) => answers(test, call, expected), options)

rows('endpoints, nothing said', {}, [
  ['no condition', 'GET /always', 'always'],
  ['the profile is prod', 'GET /dev', 404],
  ['one of several profiles', 'GET /dev-or-test', 404],
  ['not', 'GET /not-dev', 'not-dev'],
  ['one of two that exclude each other', 'GET /same', 'other'],
  ['a resource', 'GET /books', 404],
  ['another method of it', 'POST /books', 404],
  ['what is left of a path', 'GET /half', 'half'],
  ['a method that is left out, beside one that is not', 'POST /half', 405],
  ['a tree', 'GET /tree/a', 404],
  ['a tree in it', 'GET /tree/b', 404],
  ['a property that nothing has', 'GET /on', 404],
  ['a property that may be missing', 'GET /on-or-missing', 'on-or-missing'],
  ['not a property that nothing has', 'GET /unless-on', 'unless-on'],
  ['any text of a property that nothing has', 'GET /set', 404],
  ['all of two', 'GET /all-of', 404],
  ['any of two', 'GET /any-of', 404],
  ['a setting, by its default', 'GET /by-setting', 404],
  ['disabled, missing', 'GET /disabled', 'disabled'],
  ['disabled if missing', 'GET /disabled-if-missing', 404],
  ['a tree, missing', 'GET /c', 'c'],
])

const properties = { books: 'open', flag: 'on', closed: 'yes' }
rows('endpoints, a profile and properties', { profile: 'dev', properties }, [
  ['no condition', 'GET /always', 'always'],
  ['the profile', 'GET /dev', 'dev'],
  ['one of several profiles', 'GET /dev-or-test', 'dev-or-test'],
  ['not', 'GET /not-dev', 404],
  ['the other of two that exclude each other', 'GET /same', 'one'],
  ['a resource', 'GET /books', 'books'],
  ['both methods of a path', 'GET /half', 'half'],
  ['a tree', 'GET /tree/a', 'a'],
  ['a tree in it', 'GET /tree/b', 'b'],
  ['a property', 'GET /on', 'on'],
  ['not a property', 'GET /unless-on', 404],
  ['any text', 'GET /set', 'set'],
  ['two conditions', 'GET /both', 'both'],
  ['all of two', 'GET /all-of', 'all-of'],
  ['any of two', 'GET /any-of', 'any-of'],
  ['disabled', 'GET /disabled', 404],
  ['disabled if missing', 'GET /disabled-if-missing', 404],
  ['a tree', 'GET /c', 404],
])

rows(
  'endpoints, other values',
  {
    profile: 'test',
    properties: { flag: 'false', closed: 'no' },
    'fw.rest.conversion-failure': 'jakarta',
  },
  [
    ['one of several profiles', 'GET /dev-or-test', 'dev-or-test'],
    ['one of two conditions', 'GET /both', 404],
    ['another text', 'GET /on-or-missing', 404],
    ['not another text', 'GET /unless-on', 'unless-on'],
    ['false is no text that counts', 'GET /set', 404],
    ['a setting', 'GET /by-setting', 'by-setting'],
    ['another text', 'GET /disabled', 'disabled'],
    ['another text, which is not missing', 'GET /disabled-if-missing', 'disabled-if-missing'],
  ],
)

contract('what is left of a path says what it allows', api, (test, call) => {
  test('Allow', async () =>
    assert.is((await ask(call, 'POST /half')).headers.get('Allow'), 'GET, HEAD, OPTIONS'))
})

rows(
  'the tree as it is listed, without regard to conditions',
  {
    'fw.rest.build-time-condition-aware': false,
    'fw.rest.fail-on-duplicate': false,
    properties: { closed: 'yes' },
  },
  [
    ['a profile', 'GET /dev', 'dev'],
    ['not a profile', 'GET /not-dev', 'not-dev'],
    ['a property', 'GET /on', 'on'],
    ['a resource', 'GET /books', 'books'],
    ['a tree', 'GET /tree/a', 'a'],
    ['what is disabled stays so', 'GET /disabled', 404],
  ],
)

class Odd extends Error {}
const odd = pipe(
  at('/odd'),
  handle((): string => {
    throw new Odd()
  }),
)
const early = preMatching(({ request }) =>
  request.path === '/early' ? reply(409, 'early') : undefined,
)
const refusing = requestFilter(({ request }) =>
  request.path === '/hello' ? reply(409, 'refused') : undefined,
)
const around = pipe(
  routes({ hello: say('hello'), odd }),
  withFilter(
    pipe(early, dev),
    pipe(refusing, disabledWhen('closed', 'yes')),
    pipe(
      filters(
        responseFilter(withHeader('X-First', 'yes')),
        pipe(responseFilter(withHeader('X-Second', 'yes')), when(property('second'))),
      ),
      dev,
    ),
  ),
  withMapper(
    pipe(
      mapError(Odd, () => reply(418, 'first')),
      when(property('first')),
    ),
    mapError(Odd, () => reply(418, 'second')),
  ),
)

contract(
  'filters and mappers that are there',
  around,
  (test, call) => {
    answers(test, call, [
      ['a filter before matching', 'GET /early', 409],
      ['a request filter', 'GET /hello', 409],
    ])
    test('response filters', async () => {
      const { headers } = await ask(call, 'GET /nothing')
      assert.equal([headers.get('X-First'), headers.get('X-Second')], ['yes', 'yes'])
    })
    test('a mapper', async () => assert.is(await (await ask(call, 'GET /odd')).text(), 'first'))
  },
  { profile: 'dev', properties: { second: '', first: 'true' } },
)

contract(
  'filters and mappers that are left out',
  around,
  (test, call) => {
    answers(test, call, [
      ['a filter before matching', 'GET /early', 404],
      ['a request filter', 'GET /hello', 'hello'],
    ])
    test('response filters of a group', async () => {
      const { headers } = await ask(call, 'GET /nothing')
      assert.equal([headers.get('X-First'), headers.get('X-Second')], [null, null])
    })
    test('a mapper, so that the next one maps', async () =>
      assert.is(await (await ask(call, 'GET /odd')).text(), 'second'))
  },
  { properties: { second: 'yes', closed: 'yes' } },
)

const nothing = pipe(
  routes({ a: say('a') }),
  withFilter(responseFilter(withHeader('X-Seen', 'yes'))),
  dev,
)
contract('a whole tree that is left out', nothing, (test, call) => {
  test('serves nothing, and its filters see nothing', async () => {
    const response = await ask(call, 'GET /a')
    assert.equal([response.status, response.headers.get('X-Seen')], [404, null])
  })
})

const read = reader({ mediaType: 'text/plain', read: (octets) => `read ${octets.length}` })
const write = writer({ mediaType: 'text/plain', write: (value) => `written ${String(value)}` })
const louder = writerInterceptor(async (_, proceed) => `${decoder.decode(await proceed())}!`)
const decoder = new TextDecoder()
const echo = pipe(
  path('/echo'),
  post(),
  body(entity(t.string)),
  produces(entity(t.string)),
  handle((input) => input.body),
)
const providers = pipe(
  routes({ echo }),
  withReader(pipe(read, dev)),
  withWriter(pipe(write, disabledWhen('plain', 'no'))),
  withInterceptor(pipe(louder, when(property('loud')))),
)
const served: ReadonlyArray<[name: string, options: ServeOptions, content: string]> = [
  ['are there', { profile: 'dev', properties: { loud: 'yes' } }, 'written read 3!'],
  ['a reader is left out', {}, 'written abc'],
  ['and a writer', { properties: { plain: 'no', loud: 'yes' } }, 'abc!'],
]
for (const [name, options, content] of served)
  contract(
    `readers, writers and interceptors: ${name}`,
    providers,
    (test, call) => {
      test(content, async () => {
        const type = options.profile === 'dev' ? 'text/plain' : 'application/json'
        const sent = options.profile === 'dev' ? 'abc' : '"abc"'
        const init = { headers: { 'Content-Type': type }, body: sent }
        assert.is(await (await ask(call, 'POST /echo', init)).text(), content)
      })
    },
    options,
  )
