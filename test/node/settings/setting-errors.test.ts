import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { MistakesError } from '../../../src/endpoint/internal/configuration-error.ts'
import { loadSettings } from '../../../src/node/settings/load-settings.ts'
import { describe, table } from '../../support/describe.ts'
import { env, inDirectory, load, properties } from './directory.ts'

/** Code, what is concerned, and remedy of every mistake. */
type Rows = ReadonlyArray<ReadonlyArray<string>>

const mistakes = (attempt: () => unknown): Rows => {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, concerns, remedy }) => [code, ...concerns, remedy])
  }
  return []
}

const unknown = (concern: string, remedy: string): Rows => [['FW-CONF-001', concern, remedy]]
const refused = (concern: string, remedy: string): Rows => [['FW-CONF-002', concern, remedy]]
const unreadable = (concern: string, remedy: string): Rows => [['FW-CONF-004', concern, remedy]]

describe('loadSettings, errors', (test) => {
  const portRange = 'expected an integer from 0 to 65535'
  const escape = String.raw`write \u with four hexadecimal digits, or \\ for a backslash`

  table(
    test,
    [
      [
        'a name below fw.',
        properties('fw.http.prot=1'),
        {},
        unknown('fw.http.prot (from application.properties line 1)', 'did you mean fw.http.port?'),
      ],
      [
        'a name of another profile',
        properties('%dev.fw.http.prot=1'),
        {},
        unknown('fw.http.prot (from application.properties line 1)', 'did you mean fw.http.port?'),
      ],
      [
        'a name far from all',
        properties('fw.x=1'),
        {},
        unknown('fw.x (from application.properties line 1)', 'remove it'),
      ],
      [
        'a variable in .env',
        env('A=1\nFW_HTTP_PROT=1'),
        {},
        unknown('FW_HTTP_PROT (from .env line 2)', 'did you mean FW_HTTP_PORT?'),
      ],
      [
        'a variable',
        {},
        { environment: { FW_HTTP_PROT: '1' } },
        unknown('environment FW_HTTP_PROT', 'did you mean FW_HTTP_PORT?'),
      ],
      [
        'the variable of the profile',
        {},
        { environment: { FW_PROFIL: 'dev' } },
        unknown('environment FW_PROFIL', 'did you mean FW_PROFILE?'),
      ],
      [
        'a name of the program’s own',
        { ...properties('app.x=1'), ...env('APP=1') },
        { environment: { PATH: '/' } },
        [],
      ],
      [
        'a property that is given and can only be a setting',
        {},
        { properties: { 'fw.http.prot': '1', 'app.port': '1' } },
        unknown('fw.http.prot (from given properties)', 'did you mean fw.http.port?'),
      ],
      [
        'any name that is given',
        {},
        { given: { ['http.port' as 'fw.http.port']: 1 } },
        unknown('http.port (from given)', 'did you mean fw.http.port?'),
      ],
      [
        'text',
        env('FW_HTTP_PORT=8O80'),
        {},
        refused("fw.http.port = '8O80' (from .env line 1)", portRange),
      ],
      [
        'empty text',
        {},
        { environment: { FW_HTTP_PORT: '' } },
        refused("fw.http.port = '' (from environment FW_HTTP_PORT)", portRange),
      ],
      [
        'a typed value',
        {},
        { given: { 'fw.http.port': 65_536 } },
        refused('fw.http.port = 65536 (from given)', portRange),
      ],
      [
        'what an expression gives',
        properties('a=x\nfw.http.port=${a}'),
        {},
        refused("fw.http.port = 'x' (from application.properties line 2)", portRange),
      ],
      [
        'a secret',
        properties('db.password=x\nfw.http.port=${db.password}'),
        {},
        refused('fw.http.port = *** (from application.properties line 2)', portRange),
      ],
      ['a value of another profile', properties('%dev.fw.http.port=x'), {}, []],
      [
        'an escape',
        properties('a=\\u12\nb=1'),
        {},
        unreadable('application.properties line 1', escape),
      ],
      [
        'a line of .env',
        env('A=1\nno variable\nB=2'),
        {},
        unreadable('.env line 2', 'write NAME=value, and # before a comment'),
      ],
    ] as const,
    (_, files, options, expected) =>
      assert.equal(
        mistakes(() => load(files, options)),
        expected,
      ),
  )

  test('expressions in properties of the program', () =>
    assert.equal(
      mistakes(() => load({}, { properties: { 'app.a': '${app.b}', 'app.c': '${' } })),
      [
        [
          'FW-CONF-003',
          'app.a (from given properties)',
          'define app.b, or write a default: ${app.b:…}',
        ],
        [
          'FW-CONF-003',
          'app.c (from given properties)',
          'close every ${ with a }, or write $${ where ${ is text',
        ],
      ],
    ))

  test('each invalid expression is reported once', () =>
    assert.equal(
      mistakes(() =>
        load(properties('a=${x}\nfw.http.host=${a}\nb=${c}\nc=${b}\nd=${a'), {
          environment: { FW_HTTP_PORT: '${y}' },
        }),
      ),
      [
        [
          'FW-CONF-003',
          'a (from application.properties line 1)',
          'define x, or write a default: ${x:…}',
        ],
        [
          'FW-CONF-003',
          'b (from application.properties line 3)',
          'c (from application.properties line 4)',
          'break the cycle b → c → b',
        ],
        [
          'FW-CONF-003',
          'd (from application.properties line 5)',
          'close every ${ with a }, or write $${ where ${ is text',
        ],
        [
          'FW-CONF-003',
          'fw.http.port (from environment FW_HTTP_PORT)',
          'define y, or write a default: ${y:…}',
        ],
      ],
    ))

  test('all errors are reported together', () =>
    assert.equal(
      mistakes(() =>
        load(
          { ...properties('fw.x=1\na=${b}\nc=\\u'), ...env('FW_HTTP_PORT=x') },
          { given: { 'fw.rest.path': '/{id}' } },
        ),
      ).map(([code, concern]) => [code, concern]),
      [
        ['FW-CONF-004', 'application.properties line 3'],
        ['FW-CONF-001', 'fw.x (from application.properties line 1)'],
        ['FW-CONF-002', "fw.rest.path = '/{id}' (from given)"],
        ['FW-CONF-002', "fw.http.port = 'x' (from .env line 1)"],
        ['FW-CONF-003', 'a (from application.properties line 2)'],
      ],
    ))

  test('a file that is not in UTF-8', () =>
    assert.match(
      JSON.stringify(mistakes(() => load({ '.env': Uint8Array.of(0x41, 0x3d, 0xff) }))),
      /^\[\["FW-CONF-004","[^"]*\.env","make it a readable file in UTF-8 \([^"]+\)"\]\]$/,
    ))

  test('a directory instead of a file', () =>
    inDirectory({}, (directory) => {
      mkdirSync(join(directory, 'application.properties'))
      assert.match(
        JSON.stringify(mistakes(() => loadSettings({ directory, environment: {} }))),
        /^\[\["FW-CONF-004","[^"]*application\.properties","make it a readable file in UTF-8 \(EISDIR[^"]+\)"\]\]$/,
      )
    }))
})
