import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  del,
  disabledWhen,
  get,
  handle,
  mapError,
  path,
  prefix,
  preMatching,
  profile,
  property,
  reader,
  readerInterceptor,
  reply,
  requestFilter,
  responseFilter,
  routes,
  unwrap,
  when,
  withFilter,
  withInterceptor,
  withMapper,
  withReader,
  withWriter,
  writer,
  writerInterceptor,
} from '../../../src/index.ts'
import { explain } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'

const none = () => undefined
const dev = when(profile('dev'))
const at = (template: string) => pipe(path(template), get(), handle(none))

const api = pipe(
  routes({
    ping: pipe(at('/ping'), when(property('ping', 'on', { ifMissing: true }))),
    debug: pipe(at('/debug'), dev, disabledWhen('closed', 'yes')),
    admin: pipe(
      routes({
        heap: at('heap'),
        drop: pipe(path('/drop/{id}'), del(), when(property('drop')), handle(none)),
        deep: pipe(routes({ root: at('/') }), prefix('/deep')),
      }),
      prefix('admin/'),
      withFilter(pipe(requestFilter(none), dev)),
      dev,
    ),
    open: pipe(
      routes({ a: at('/a') }),
      withFilter(pipe(requestFilter(none), dev), pipe(responseFilter(none), dev)),
      withMapper(
        pipe(
          mapError(TypeError, () => reply(400)),
          dev,
        ),
        pipe(unwrap(TypeError), disabledWhen('closed', 'yes')),
      ),
      withReader(pipe(reader({ mediaType: 'a/b', read: none }), dev)),
      withWriter(pipe(writer({ mediaType: 'a/b', write: () => '' }), dev)),
      withInterceptor(
        pipe(
          readerInterceptor((_, proceed) => proceed()),
          dev,
        ),
        pipe(
          writerInterceptor((_, proceed) => proceed()),
          dev,
        ),
      ),
    ),
  }),
  withFilter(pipe(preMatching(none), dev)),
)

/** The paragraphs of an explanation that tell of what is left out, and those of what is there under conditions. */
const told = (explained: string) =>
  explained
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n').filter((line) => /^[^ ]| when /.test(line)))
    .filter((lines) => lines.length > 1)

describe('explain, with conditions', (test) => {
  test('says what is left out, and what was looked up', () => {
    const unmet = '  when profile dev (the profile is prod)'
    const closed = '  disabled when closed is "yes" (closed is "yes")'
    assert.equal(told(explain(api, { properties: { closed: 'yes' } })), [
      ['GET /ping  (ping)', '  when ping is "on" or missing (ping is not set)'],
      ['left out: a filter before matching around the whole tree', unmet],
      ['left out: GET /debug  (debug)', unmet, closed],
      ['left out: GET /admin/heap  (admin.heap)', unmet],
      ['left out: DELETE /admin/drop/{id}  (admin.drop)', unmet],
      ['left out: GET /admin/deep  (admin.deep.root)', unmet],
      ['left out: a reader interceptor around open', unmet],
      ['left out: a writer interceptor around open', unmet],
      ['left out: a writer around open', unmet],
      ['left out: a reader around open', unmet],
      ['left out: a mapper around open', unmet],
      ['left out: an unwrapping around open', closed],
      ['left out: a request filter around open', unmet],
      ['left out: a response filter around open', unmet],
    ])
  })
  test('says of what is there under which conditions it is', () => {
    const met = '  when profile dev (the profile is dev)'
    const properties = { ping: 'off', drop: 'x' }
    assert.equal(told(explain(api, { profile: 'dev', properties, 'fw.rest.path': '/api' })), [
      ['GET /api/debug  (debug)', met, '  disabled when closed is "yes" (closed is not set)'],
      ['GET /api/admin/heap  (admin.heap)', met],
      [
        'DELETE /api/admin/drop/{id}  (admin.drop)',
        met,
        '  when drop is set to anything but "false" (drop is "x")',
      ],
      ['GET /api/admin/deep  (admin.deep.root)', met],
      ['left out: GET /api/ping  (ping)', '  when ping is "on" or missing (ping is "off")'],
    ])
  })
  test('tells nothing of conditions where there are none', () =>
    assert.equal(told(explain(routes({ a: at('/a') }))), []))
})
