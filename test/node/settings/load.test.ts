import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { MistakesError } from '../../../src/interpreter/mistake.ts'
import * as Settings from '../../../src/interpreter/settings.ts'
import { loadSettings, type LoadOptions } from '../../../src/node/settings/load.ts'
import { describe, table } from '../../support/describe.ts'

type Files = Readonly<Record<string, string | Uint8Array>>

const inDirectory = <A>(files: Files, use: (directory: string) => A): A => {
  const directory = mkdtempSync(join(tmpdir(), 'settings-'))
  try {
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, name), content)
    return use(directory)
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const load = (files: Files, options: LoadOptions = {}) =>
  inDirectory(files, (directory) => loadSettings({ directory, environment: {}, ...options }))

const mistakes = (load: () => unknown): ReadonlyArray<readonly [string, ...string[]]> => {
  try {
    load()
  } catch (error) {
    if (!(error instanceof MistakesError)) throw error
    return error.mistakes.map(({ code, concerns, remedy }) => [code, ...concerns, remedy] as const)
  }
  return []
}

const port = 'fw.http.port'
const properties = (text: string): Files => ({ 'application.properties': text })
const env = (text: string): Files => ({ '.env': text })

describe('loadSettings, sources', (test) => {
  table(
    test,
    [
      ['nothing is said', {}, {}, 8080, 'default'],
      ['a property', properties('\nfw.http.port=1'), {}, 1, 'application.properties line 2'],
      [
        'a later line',
        properties('fw.http.port=1\nfw.http.port=2'),
        {},
        2,
        'application.properties line 2',
      ],
      [
        'the active profile',
        properties('%dev.fw.http.port=2\nfw.http.port=1'),
        { profile: 'dev' },
        2,
        'application.properties line 1',
      ],
      [
        'another profile',
        properties('%dev.fw.http.port=2\nfw.http.port=1'),
        {},
        1,
        'application.properties line 2',
      ],
      [
        '.env',
        { ...properties('%prod.fw.http.port=1'), ...env('# x\nFW_HTTP_PORT=2') },
        {},
        2,
        '.env line 2',
      ],
      ['.env, exported', env('A=1\nexport FW_HTTP_PORT="2"'), {}, 2, '.env line 2'],
      ['.env, by the exact name', env('fw.http.port=2'), {}, 2, '.env line 1'],
      [
        'the environment',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: '3' } },
        3,
        'environment FW_HTTP_PORT',
      ],
      [
        'a variable that is undefined',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: undefined } },
        2,
        '.env line 1',
      ],
      [
        'the program, typed',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: '3' }, given: { [port]: 4 } },
        4,
        'given',
      ],
      ['the program, as text', {}, { given: { [port]: '4' } }, 4, 'given'],
      [
        'the program, undefined',
        properties('fw.http.port=1'),
        { given: { [port]: undefined } },
        1,
        'application.properties line 1',
      ],
      [
        'a byte order mark',
        properties('\ufefffw.http.port=1'),
        {},
        1,
        'application.properties line 1',
      ],
    ] as const,
    (_, files, options, value, origin) => {
      const loaded = load(files, options)
      assert.is(loaded.settings[port], value)
      assert.is(loaded.origins[port], origin)
    },
  )

  test('takes the defaults when there is no directory', () =>
    inDirectory({}, (directory) =>
      assert.equal(
        loadSettings({ directory: join(directory, 'none'), environment: {} }).settings,
        Settings.defaults,
      ),
    ))

  test('keeps what it has read', () => {
    const environment: Record<string, string> = { FW_HTTP_PORT: '1' }
    const loaded = load({}, { environment })
    environment['FW_HTTP_PORT'] = '2'
    assert.is(loaded.property(port), '1')
  })
})

describe('loadSettings, profile', (test) => {
  table(
    test,
    [
      ['prod by default', {}, {}, 'prod', '0.0.0.0', 'default'],
      ['from .env', env('FW_PROFILE=dev'), {}, 'dev', 'localhost', 'default of profile dev'],
      [
        'from the environment',
        env('FW_PROFILE=dev'),
        { environment: { FW_PROFILE: 'test' } },
        'test',
        'localhost',
        'default of profile test',
      ],
      [
        'from the program',
        env('FW_PROFILE=dev'),
        { profile: 'prod' },
        'prod',
        '0.0.0.0',
        'default',
      ],
      [
        'prod when empty',
        env('FW_PROFILE='),
        { environment: { FW_PROFILE: ' ' } },
        'prod',
        '0.0.0.0',
        'default',
      ],
    ] as const,
    (_, files, options, profile, host, origin) => {
      const loaded = load(files, options)
      assert.is(loaded.profile, profile)
      assert.is(loaded.settings['fw.http.host'], host)
      assert.is(loaded.origins['fw.http.host'], origin)
    },
  )
})

describe('loadSettings, property', (test) => {
  const { property } = load(
    {
      ...properties(
        [
          'app.url=http://${fw.http.host}:${fw.http.port}/${app.path:v1}',
          '%prod.app.home=${HOME}',
          'app.shell=${PS1}',
          'app.name=file',
          'app.wait=${fw.http.read-timeout}',
          'home=x',
          'fw.http.keep-alive-timeout=${fw.http.header-timeout}',
          'fw.http.port=${PORT:9000}',
        ].join('\n'),
      ),
      ...env('HOST_NAME=example.org\nDATABASE=${HOME}\nFW_HTTP_HOST=${HOST_NAME}'),
    },
    {
      environment: { HOME: '/home/me', PS1: '${debian_chroot', APP_NAME: 'environment' },
      given: { 'fw.http.read-timeout': 1500, 'fw.http.limits.max-connections': 'unbounded' },
    },
  )
  table(
    test,
    [
      ['app.url', 'http://example.org:9000/v1'],
      ['app.home', '/home/me'],
      ['app.shell', '${debian_chroot'], // the text of other programs is not ours to read
      ['DATABASE', '${HOME}'],
      ['app.name', 'environment'], // as for a setting, the environment wins
      ['home', 'x'], // a name without a dot is no variable in capitals
      ['HOME', '/home/me'],
      ['app.wait', '1500ms'], // a typed value reads the same as text
      ['fw.http.read-timeout', '1500ms'],
      ['fw.http.keep-alive-timeout', '10s'], // a default, too
      ['fw.http.limits.max-connections', 'unbounded'],
      ['fw.http.limits.max-body-size', '10M'],
      ['nothing', undefined],
      ['toString', undefined],
      ['__proto__', undefined],
    ] as const,
    (name, expected) => assert.is(property(name), expected),
  )
})

describe('loadSettings, mistakes', (test) => {
  const unknown = (concern: string, remedy: string) => [['FW-CONF-001', concern, remedy]]
  const refused = (concern: string, remedy: string) => [['FW-CONF-002', concern, remedy]]
  const unreadable = (concern: string, remedy: string) => [['FW-CONF-004', concern, remedy]]
  const portRange = 'give it a whole number from 0 to 65535'
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
        unknown('fw.x (from application.properties line 1)', 'remove it, nothing reads it'),
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
        { given: { [port]: 65_536 } },
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

  test('expressions, each where it stands, once', () =>
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

  test('all at once', () =>
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

  test('a folder in the place of a file', () =>
    inDirectory({}, (directory) => {
      mkdirSync(join(directory, 'application.properties'))
      assert.match(
        JSON.stringify(mistakes(() => loadSettings({ directory, environment: {} }))),
        /^\[\["FW-CONF-004","[^"]*application\.properties","make it a readable file in UTF-8 \(EISDIR[^"]+\)"\]\]$/,
      )
    }))
})
