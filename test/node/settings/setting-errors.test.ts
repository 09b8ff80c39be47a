import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import * as SettingErrors from '../../../src/compiler/settings/setting-errors.ts'
import { describe, law, table } from '../../support/describe.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../../../src/endpoint/definition/configuration-error.ts'
import { loadSettings } from '../../../src/node/settings/load-settings.ts'
import { env, withDirectory, load, properties } from './directory.ts'

describe('editDistance', (test) => {
  for (const [a, b, expected] of [
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
    ['port', 'prot', 2],
  ] as const)
    test(`of '${a}' and '${b}' is ${expected}`, () =>
      assert.is(SettingErrors.editDistance(a, b), expected))

  const text = fc.string({ maxLength: 12 })
  law(test, 'is a metric', fc.tuple(text, text, text), ([a, b, c]) => {
    const { editDistance } = SettingErrors
    assert.is(editDistance(a, b) === 0, a === b)
    assert.is(editDistance(a, b), editDistance(b, a))
    assert.ok(editDistance(a, c) <= editDistance(a, b) + editDistance(b, c))
  })
})

describe('nearestName', (test) => {
  for (const [name, expected] of [
    ['fw.http.limit.max-form-attribute-size', O.some('fw.http.limits.max-form-attribute-size')],
    ['fw.http.max-body-size', O.some('fw.http.limits.max-body-size')],
    ['fw.http.prot', O.some('fw.http.port')],
    ['fw.http.ports', O.some('fw.http.port')],
    ['fw.rest.fail-on-duplicates', O.some('fw.rest.fail-on-duplicate')],
    ['fw.audit.file', O.none],
    ['fw.graphql.schema', O.none],
    ['fw.', O.none],
  ] as const)
    test(`${O.isSome(expected) ? `suggests ${expected.value}` : 'suggests nothing'} for ${name}`, () =>
      assert.equal(SettingErrors.nearestName(Settings.settingNames)(name), expected))

  test('returns the first of two names with the same distance', () =>
    assert.equal(SettingErrors.nearestName(['abcd', 'abce'])('abcf'), O.some('abcd')))
  test('returns none without candidates', () =>
    assert.equal(SettingErrors.nearestName([])('x'), O.none))
})

/** The code, the concerns and the remedy of each error. */
type Rows = ReadonlyArray<ReadonlyArray<string>>

const errorsOf = (attempt: () => unknown): Rows => {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.issues.map(({ code, concerns, remedy }) => [code, ...concerns, remedy])
  }
  return []
}

const unknownName = (concern: string, remedy: string): Rows => [['FW-CONF-001', concern, remedy]]
const invalid = (concern: string, remedy: string): Rows => [['FW-CONF-002', concern, remedy]]
const unreadable = (concern: string, remedy: string): Rows => [['FW-CONF-004', concern, remedy]]

describe('errors of loadSettings', (test) => {
  const portRange = 'expected an integer from 0 to 65535'
  const escape = String.raw`write \u followed by four hexadecimal digits, or \\ for a backslash`

  table(
    test,
    [
      [
        'an unknown setting in a properties file',
        properties('fw.http.prot=1'),
        {},
        unknownName(
          'fw.http.prot (from application.properties, line 1)',
          'did you mean fw.http.port?',
        ),
      ],
      [
        'an unknown setting of another profile',
        properties('%dev.fw.http.prot=1'),
        {},
        unknownName(
          'fw.http.prot (from application.properties, line 1)',
          'did you mean fw.http.port?',
        ),
      ],
      [
        'an unknown setting without a similar one',
        properties('fw.x=1'),
        {},
        unknownName('fw.x (from application.properties, line 1)', 'remove it'),
      ],
      [
        'an unknown variable in .env',
        env('A=1\nFW_HTTP_PROT=1'),
        {},
        unknownName('FW_HTTP_PROT (from .env, line 2)', 'did you mean FW_HTTP_PORT?'),
      ],
      [
        'an unknown variable in the environment',
        {},
        { environment: { FW_HTTP_PROT: '1' } },
        unknownName('environment variable FW_HTTP_PROT', 'did you mean FW_HTTP_PORT?'),
      ],
      [
        'a misspelled FW_PROFILE',
        {},
        { environment: { FW_PROFIL: 'dev' } },
        unknownName('environment variable FW_PROFIL', 'did you mean FW_PROFILE?'),
      ],
      [
        'names of application properties',
        { ...properties('app.x=1'), ...env('APP=1') },
        { environment: { PATH: '/' } },
        [],
      ],
      [
        'an unknown setting in options.properties',
        {},
        { properties: { 'fw.http.prot': '1', 'app.port': '1' } },
        unknownName('fw.http.prot (from options.properties)', 'did you mean fw.http.port?'),
      ],
      [
        'an unknown setting in options',
        {},
        { settings: { ['http.port' as 'fw.http.port']: 1 } },
        unknownName('http.port (from options)', 'did you mean fw.http.port?'),
      ],
      [
        'an invalid text',
        env('FW_HTTP_PORT=8O80'),
        {},
        invalid("fw.http.port = '8O80' (from .env, line 1)", portRange),
      ],
      [
        'an empty text',
        {},
        { environment: { FW_HTTP_PORT: '' } },
        invalid("fw.http.port = '' (from environment variable FW_HTTP_PORT)", portRange),
      ],
      [
        'an invalid typed value',
        {},
        { settings: { 'fw.http.port': 65_536 } },
        invalid('fw.http.port = 65536 (from options)', portRange),
      ],
      [
        'an expression that resolves to an invalid value',
        properties('a=x\nfw.http.port=${a}'),
        {},
        invalid("fw.http.port = 'x' (from application.properties, line 2)", portRange),
      ],
      [
        'an expression that resolves to a secret',
        properties('db.password=x\nfw.http.port=${db.password}'),
        {},
        invalid('fw.http.port = *** (from application.properties, line 2)', portRange),
      ],
      ['an invalid value of another profile', properties('%dev.fw.http.port=x'), {}, []],
      [
        'a malformed escape',
        properties('a=\\u12\nb=1'),
        {},
        unreadable('application.properties, line 1', escape),
      ],
      [
        'a malformed line in .env',
        env('A=1\nno variable\nB=2'),
        {},
        unreadable('.env, line 2', 'use the form NAME=value, and start comments with #'),
      ],
    ] as const,
    (_, files, options, expected) =>
      assert.equal(
        errorsOf(() => load(files, options)),
        expected,
      ),
  )

  test('unresolvable and unterminated expressions in options.properties are errors', () =>
    assert.equal(
      errorsOf(() => load({}, { properties: { 'app.a': '${app.b}', 'app.c': '${' } })),
      [
        [
          'FW-CONF-003',
          'app.a (from options.properties)',
          'define app.b, or add a default: ${app.b:…}',
        ],
        [
          'FW-CONF-003',
          'app.c (from options.properties)',
          'close every ${ with a }, or escape a literal ${ as $${',
        ],
      ],
    ))

  test('each invalid expression is reported once', () =>
    assert.equal(
      errorsOf(() =>
        load(properties('a=${x}\nfw.http.host=${a}\nb=${c}\nc=${b}\nd=${a'), {
          environment: { FW_HTTP_PORT: '${y}' },
        }),
      ),
      [
        [
          'FW-CONF-003',
          'a (from application.properties, line 1)',
          'define x, or add a default: ${x:…}',
        ],
        [
          'FW-CONF-003',
          'b (from application.properties, line 3)',
          'c (from application.properties, line 4)',
          'break the cycle b → c → b',
        ],
        [
          'FW-CONF-003',
          'd (from application.properties, line 5)',
          'close every ${ with a }, or escape a literal ${ as $${',
        ],
        [
          'FW-CONF-003',
          'fw.http.port (from environment variable FW_HTTP_PORT)',
          'define y, or add a default: ${y:…}',
        ],
      ],
    ))

  test('all errors are reported together', () =>
    assert.equal(
      errorsOf(() =>
        load(
          { ...properties('fw.x=1\na=${b}\nc=\\u'), ...env('FW_HTTP_PORT=x') },
          { settings: { 'fw.rest.path': '/{id}' } },
        ),
      ).map(([code, concern]) => [code, concern]),
      [
        ['FW-CONF-004', 'application.properties, line 3'],
        ['FW-CONF-001', 'fw.x (from application.properties, line 1)'],
        ['FW-CONF-002', "fw.rest.path = '/{id}' (from options)"],
        ['FW-CONF-002', "fw.http.port = 'x' (from .env, line 1)"],
        ['FW-CONF-003', 'a (from application.properties, line 2)'],
      ],
    ))

  test('a file that is not valid UTF-8 is an error', () =>
    assert.match(
      JSON.stringify(errorsOf(() => load({ '.env': Uint8Array.of(0x41, 0x3d, 0xff) }))),
      /^\[\["FW-CONF-004","[^"]*\.env","must be a readable UTF-8 file \([^"]+\)"\]\]$/,
    ))

  test('a directory instead of a file is an error', () =>
    withDirectory({}, (directory) => {
      mkdirSync(join(directory, 'application.properties'))
      assert.match(
        JSON.stringify(errorsOf(() => loadSettings({ directory, environment: {} }))),
        /^\[\["FW-CONF-004","[^"]*application\.properties","must be a readable UTF-8 file \(EISDIR[^"]+\)"\]\]$/,
      )
    }))
})
