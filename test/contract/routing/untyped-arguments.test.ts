/** Arguments of combinators that would have no effect. In TypeScript, they are type errors. */
import * as assert from 'uvu/assert'
import * as typed from '../../../src/index.ts'
import { injectLinks } from '../../../src/links.ts'
import { openApi, openApiRoutes } from '../../../src/openapi.ts'
import { inMemory } from '../../../src/testing.ts'
import { describe, table } from '../../support/describe.ts'
import { issuesOf, pipe, typeErrorOf, untyped, withoutType } from './untyped.ts'

const { get, handle, path, produces, routes } = untyped

type Row = readonly [title: string, run: () => unknown, message: string]

const rows: ReadonlyArray<Row> = [
  [
    'a link mode',
    () => withoutType(injectLinks)('all'),
    'injectLinks: invalid mode: expected type or instance, got "all"',
  ],
  [
    'the strength of an entity tag',
    () => withoutType(typed.withEtag)('stronger'),
    'withEtag: invalid strength: expected strong or weak, got "stronger"',
  ],
  [
    'a text instead of a boolean',
    () => withoutType(typed.secureSerialization)('no'),
    'secureSerialization: invalid value: expected true or false, got "no"',
  ],
  [
    'nothing instead of a boolean',
    () => withoutType(typed.secureSerialization)(),
    'secureSerialization: invalid value: expected true or false, got undefined',
  ],
  [
    'the name of a view instead of the view',
    () => withoutType(typed.jsonView)('Public'),
    "jsonView: expected a view: create it with view('name')",
  ],
  [
    'a codec in a view that is given by name',
    () => withoutType(typed.inView)('Public'),
    "inView: expected a view: create it with view('name')",
  ],
  [
    'an extended view that is given by name',
    () => withoutType(typed.view)('Internal', 'Public'),
    "view: expected a view: create it with view('name')",
  ],
  [
    'a key in the first call of slot',
    () => withoutType(typed.slot)('clock'),
    "slot: expected a codec, got a string: call twice: slot()('clock')",
  ],
  [
    'a constraint of numbers on a codec of strings',
    () => withoutType(typed.between(1, 80))(typed.string),
    'between: expected a codec of numbers, got string: use length(1, 80)(string), minLength(1)(string) or maxLength(80)(string)',
  ],
  [
    'a constraint of strings on a codec of numbers',
    () => withoutType(typed.minLength(1))(typed.int),
    'minLength: expected a codec of strings, got int: use between(1, 80)(int), atLeast(1)(int) or atMost(80)(int)',
  ],
  [
    'a string as a pattern',
    () => withoutType(typed.pattern)('^a$'),
    'pattern: expected a regular expression: pattern(/^[A-Z]{2}$/)',
  ],
  [
    'a list of values for enumOf',
    () => withoutType(typed.enumOf)(['asc', 'desc']),
    "enumOf: expected strings or numbers, got an array: pass each value: enumOf('asc', 'desc')",
  ],
  [
    'a missing value for enumOf',
    () => withoutType(typed.enumOf)('asc', undefined),
    "enumOf: expected strings or numbers, got undefined: pass each value: enumOf('asc', 'desc')",
  ],
  [
    'the title of a document outside info',
    () => withoutType(openApi)(typed.routes({}), { title: 'Books', version: '1' }),
    'openApi: missing info: pass info: { title, version }',
  ],
  [
    'the title of a served document outside info',
    () => withoutType(openApiRoutes)({ title: 'Books', version: '1' }),
    'openApiRoutes: missing info: pass info: { title, version }',
  ],
]

const expectedFunction = (call: string, argument = 'run', actual = 'undefined') =>
  `${call.slice(0, call.indexOf('('))}: expected a function for ${argument}, got ${actual}: write ${call}`

/** Programs in which a function is missing. Without an error at start, each request fails. */
const missingFunctions: ReadonlyArray<Row> = [
  [
    'the parser of a codec',
    () => untyped.fromString('point'),
    expectedFunction('fromString(name, parse, format)', 'parse'),
  ],
  [
    'the format of a codec',
    () => untyped.fromString('point', Number, 'text'),
    expectedFunction('fromString(name, parse, format)', 'format', 'a string'),
  ],
  [
    'the writer of a representation',
    () => untyped.representation({ mediaType: 'text/csv', write: {} }),
    expectedFunction('representation({ mediaType, read, write })', 'write', 'an object'),
  ],
  [
    'the reader of a representation',
    () => untyped.representation({ mediaType: 'text/csv', read: null }),
    expectedFunction('representation({ mediaType, read, write })', 'read', 'null'),
  ],
  [
    'a request filter',
    () => untyped.requestFilter({ needs: {} }),
    expectedFunction('requestFilter(options, run)'),
  ],
  ['a pre-matching filter', () => untyped.preMatching(), expectedFunction('preMatching(run)')],
  ['a response filter', () => untyped.responseFilter(), expectedFunction('responseFilter(run)')],
  ['a mapper', () => untyped.mapError(Error), expectedFunction('mapError(Error, run)')],
  [
    'a mapper of a tag',
    () => untyped.mapTagged({ Late: typed.notFound() }),
    expectedFunction('mapTagged({ tag: run })', 'Late', 'an object'),
  ],
  [
    'an authentication filter',
    () => untyped.authentication({ challenge: 'Bearer' }),
    expectedFunction('authentication(options, run)'),
  ],
  [
    'the check of a password',
    () => untyped.basic({ realm: 'a' }),
    expectedFunction('basic({ realm, verify })', 'verify'),
  ],
  [
    'the check of a token',
    () => untyped.bearer({ verify: 'secret' }),
    expectedFunction('bearer({ verify })', 'verify', 'a string'),
  ],
  [
    'the check of a key',
    () => untyped.apiKey({ header: 'X-Key' }),
    expectedFunction('apiKey({ header, verify })', 'verify'),
  ],
  [
    'an interceptor of readers',
    () => untyped.readerInterceptor(),
    expectedFunction('readerInterceptor(run)'),
  ],
  [
    'an interceptor of writers',
    () => untyped.writerInterceptor(),
    expectedFunction('writerInterceptor(run)'),
  ],
]

describe('untyped programs: missing functions', (test) => {
  table<Row>(test, missingFunctions, (_, run, message) =>
    assert.is(typeErrorOf(run).message, message),
  )
})

describe('untyped programs: arguments without effect', (test) => {
  table<Row>(test, rows, (_, run, message) => assert.is(typeErrorOf(run).message, message))
  test('a second handler is a configuration error', async () => {
    const handled = pipe(path('/a'), get(), produces(typed.text), handle(String), handle(String))
    assert.equal(await issuesOf(() => withoutType(inMemory)(routes({ handled }))), [
      'FW-ROUTE-005 GET /a  (handled): the handler is declared twice',
    ])
  })
})
