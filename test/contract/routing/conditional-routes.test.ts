/** Conditional operations, trees, filters, mappers and providers: `when` and `disabledWhen`. */
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
} from '../../../src/index.ts'
import type { ServeOptions } from '../../../src/node.ts'
import type { Row } from '../../support/send-request.ts'
import { testRequests, sendRequest, returns } from '../../support/send-request.ts'
import { valueContract } from '../../support/contract.ts'

const getAt = (template: string) => pipe(path(template), get(), produces(text))
const textAt = (word: string) => pipe(getAt(`/${word}`), handle(returns(word)))
const dev = when(profile('dev'))
const books = pipe(path('/books'), when(property('books', 'open')))
const shelves = pipe(path('/shelves'), disabledWhen('closed', 'yes'))

const api = routes({
  always: textAt('always'),
  dev: pipe(textAt('dev'), dev),
  devOrTest: pipe(textAt('dev-or-test'), when(profile('dev', 'test'))),
  notDev: pipe(textAt('not-dev'), when(not(profile('dev')))),
  // Exactly one of the two is included, so they are not duplicates.
  one: pipe(getAt('/same'), handle(returns('one')), dev),
  other: pipe(getAt('/same'), handle(returns('other')), when(not(profile('dev')))),
  // Operations inherit the condition of their resource.
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
  // Two methods of a path, one of them conditional.
  read: pipe(getAt('/half'), handle(returns('half'))),
  write: pipe(
    path('/half'),
    post(),
    dev,
    handle(() => {}),
  ),
  tree: pipe(routes({ a: textAt('a'), inner: routes({ b: textAt('b') }) }), prefix('/tree'), dev),
  on: pipe(textAt('on'), when(property('flag', 'on'))),
  onOrMissing: pipe(textAt('on-or-missing'), when(property('flag', 'on', { ifMissing: true }))),
  unlessOn: pipe(textAt('unless-on'), when(not(property('flag', 'on')))),
  set: pipe(textAt('set'), when(property('flag'))),
  both: pipe(textAt('both'), when(property('flag', 'on')), dev),
  allOf: pipe(textAt('all-of'), when(allOf(property('flag', 'on'), profile('dev')))),
  anyOf: pipe(textAt('any-of'), when(anyOf(property('flag', 'on'), profile('dev')))),
  bySetting: pipe(textAt('by-setting'), when(property('fw.rest.conversion-failure', 'jakarta'))),
  disabled: pipe(textAt('disabled'), disabledWhen('closed', 'yes')),
  disabledIfMissing: pipe(
    textAt('disabled-if-missing'),
    disabledWhen('closed', 'yes', { ifMissing: true }),
  ),
  listShelves: pipe(shelves, get(), produces(text), handle(returns('shelves'))),
  addShelf: pipe(shelves, post(), produces(text), handle(returns('added'))),
  disabledTree: pipe(routes({ c: textAt('c') }), disabledWhen('closed', 'yes')),
})

const rows = (name: string, options: ServeOptions, expected: ReadonlyArray<Row>): void =>
  valueContract(name, api, (test, call) => testRequests(test, call, expected), options)

rows('conditional operations with default options', {}, [
  ['no condition', 'GET /always', 'always'],
  ['a profile, the default being prod', 'GET /dev', 404],
  ['one of several profiles', 'GET /dev-or-test', 404],
  ['a negated profile', 'GET /not-dev', 'not-dev'],
  ['two mutually exclusive operations', 'GET /same', 'other'],
  ['an operation of a resource', 'GET /books', 404],
  ['another operation of the resource', 'POST /books', 404],
  ['an unconditional method of a path', 'GET /half', 'half'],
  ['an excluded method of a path', 'POST /half', 405],
  ['a tree', 'GET /tree/a', 404],
  ['a nested tree', 'GET /tree/b', 404],
  ['a missing property', 'GET /on', 404],
  ['a missing property with ifMissing', 'GET /on-or-missing', 'on-or-missing'],
  ['a negated missing property', 'GET /unless-on', 'unless-on'],
  ['any value of a missing property', 'GET /set', 404],
  ['allOf', 'GET /all-of', 404],
  ['anyOf', 'GET /any-of', 404],
  ['the default of a setting', 'GET /by-setting', 404],
  ['disabledWhen with a missing property', 'GET /disabled', 'disabled'],
  ['disabledWhen with a missing property and ifMissing', 'GET /disabled-if-missing', 404],
  ['disabledWhen on a tree', 'GET /c', 'c'],
  ['disabledWhen on a resource', 'GET /shelves', 'shelves'],
  ['disabledWhen on a resource, another operation', 'POST /shelves', 'added'],
])

const properties = { books: 'open', flag: 'on', closed: 'yes' }
rows('conditional operations with a profile and properties', { profile: 'dev', properties }, [
  ['no condition', 'GET /always', 'always'],
  ['a profile', 'GET /dev', 'dev'],
  ['one of several profiles', 'GET /dev-or-test', 'dev-or-test'],
  ['a negated profile', 'GET /not-dev', 404],
  ['the other of two mutually exclusive operations', 'GET /same', 'one'],
  ['an operation of a resource', 'GET /books', 'books'],
  ['a path with a conditional method', 'GET /half', 'half'],
  ['a tree', 'GET /tree/a', 'a'],
  ['a nested tree', 'GET /tree/b', 'b'],
  ['a property', 'GET /on', 'on'],
  ['a negated property', 'GET /unless-on', 404],
  ['any value of a property', 'GET /set', 'set'],
  ['several conditions', 'GET /both', 'both'],
  ['allOf', 'GET /all-of', 'all-of'],
  ['anyOf', 'GET /any-of', 'any-of'],
  ['disabledWhen with a matching property', 'GET /disabled', 404],
  ['disabledWhen with a matching property and ifMissing', 'GET /disabled-if-missing', 404],
  ['disabledWhen on a tree', 'GET /c', 404],
  ['disabledWhen on a resource', 'GET /shelves', 404],
  ['disabledWhen on a resource, another operation', 'POST /shelves', 404],
])

rows(
  'conditional operations with other values',
  {
    profile: 'test',
    properties: { flag: 'false', closed: 'no' },
    'fw.rest.conversion-failure': 'jakarta',
  },
  [
    ['one of several profiles', 'GET /dev-or-test', 'dev-or-test'],
    ['one of several conditions', 'GET /both', 404],
    ['a property with another value and ifMissing', 'GET /on-or-missing', 404],
    ['a negated property with another value', 'GET /unless-on', 'unless-on'],
    ['a property with the value false', 'GET /set', 404],
    ['a configured setting', 'GET /by-setting', 'by-setting'],
    ['disabledWhen with another value', 'GET /disabled', 'disabled'],
    [
      'disabledWhen with another value and ifMissing',
      'GET /disabled-if-missing',
      'disabled-if-missing',
    ],
  ],
)

valueContract('a path with an excluded method', api, (test, call) => {
  test('Allow does not list the excluded method', async () =>
    assert.is((await sendRequest(call, 'POST /half')).headers.get('Allow'), 'GET, HEAD, OPTIONS'))
})

rows(
  'fw.rest.build-time-condition-aware: false',
  {
    'fw.rest.build-time-condition-aware': false,
    'fw.rest.fail-on-duplicate': false,
    properties: { closed: 'yes' },
  },
  [
    ['a profile', 'GET /dev', 'dev'],
    ['a negated profile', 'GET /not-dev', 'not-dev'],
    ['a property', 'GET /on', 'on'],
    ['an operation of a resource', 'GET /books', 'books'],
    ['a tree', 'GET /tree/a', 'a'],
    ['disabledWhen', 'GET /disabled', 404],
  ],
)

class Failed extends Error {}
const failing = pipe(
  getAt('/failing'),
  handle((): string => {
    throw new Failed()
  }),
)
const early = preMatching(({ request }) =>
  request.path === '/early' ? reply(409, 'early') : undefined,
)
const conflict = requestFilter(({ request }) =>
  request.path === '/hello' ? reply(409, 'conflict') : undefined,
)
const filtered = pipe(
  routes({ hello: textAt('hello'), failing }),
  withFilter(
    pipe(early, dev),
    pipe(conflict, disabledWhen('closed', 'yes')),
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
      mapError(Failed, () => reply(418, 'first')),
      when(property('first')),
    ),
    mapError(Failed, () => reply(418, 'second')),
  ),
)

valueContract(
  'enabled filters and mappers',
  filtered,
  (test, call) => {
    testRequests(test, call, [
      ['a pre-matching filter', 'GET /early', 409],
      ['a request filter', 'GET /hello', 409],
    ])
    test('response filters run', async () => {
      const { headers } = await sendRequest(call, 'GET /nothing')
      assert.equal([headers.get('X-First'), headers.get('X-Second')], ['yes', 'yes'])
    })
    test('a mapper runs', async () =>
      assert.is(await (await sendRequest(call, 'GET /failing')).text(), 'first'))
  },
  { profile: 'dev', properties: { second: '', first: 'true' } },
)

valueContract(
  'excluded filters and mappers',
  filtered,
  (test, call) => {
    testRequests(test, call, [
      ['a pre-matching filter', 'GET /early', 404],
      ['a request filter', 'GET /hello', 'hello'],
    ])
    test('response filters of an excluded group do not run', async () => {
      const { headers } = await sendRequest(call, 'GET /nothing')
      assert.equal([headers.get('X-First'), headers.get('X-Second')], [null, null])
    })
    test('the next mapper runs instead of an excluded mapper', async () =>
      assert.is(await (await sendRequest(call, 'GET /failing')).text(), 'second'))
  },
  { properties: { second: 'yes', closed: 'yes' } },
)

const excluded = pipe(
  routes({ a: textAt('a') }),
  withFilter(responseFilter(withHeader('X-Seen', 'yes'))),
  dev,
)
valueContract('an excluded root', excluded, (test, call) => {
  test('every request returns 404, and filters do not run', async () => {
    const response = await sendRequest(call, 'GET /a')
    assert.equal([response.status, response.headers.get('X-Seen')], [404, null])
  })
})

const read = reader({ mediaType: 'text/plain', read: (data) => `read ${data.length}` })
const write = writer({ mediaType: 'text/plain', write: (value) => `written ${String(value)}` })
const appendMark = writerInterceptor(async (_, proceed) => `${decoder.decode(await proceed())}!`)
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
  withInterceptor(pipe(appendMark, when(property('loud')))),
)
const cases: ReadonlyArray<[name: string, options: ServeOptions, content: string]> = [
  ['enabled', { profile: 'dev', properties: { loud: 'yes' } }, 'written read 3!'],
  ['an excluded reader', {}, 'written abc'],
  ['an excluded writer', { properties: { plain: 'no', loud: 'yes' } }, 'abc!'],
]
for (const [name, options, content] of cases)
  valueContract(
    `readers, writers and interceptors: ${name}`,
    providers,
    (test, call) => {
      test(`the response is "${content}"`, async () => {
        const type = options.profile === 'dev' ? 'text/plain' : 'application/json'
        const payload = options.profile === 'dev' ? 'abc' : '"abc"'
        const init = { headers: { 'Content-Type': type }, body: payload }
        assert.is(await (await sendRequest(call, 'POST /echo', init)).text(), content)
      })
    },
    options,
  )
