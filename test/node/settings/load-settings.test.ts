import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import { loadSettings, describeSettings } from '../../../src/node/settings/load-settings.ts'
import { describe, table } from '../../support/describe.ts'
import { env, withDirectory, load, properties } from './directory.ts'

const port = 'fw.http.port'

describe('sources of settings in loadSettings', (test) => {
  table(
    test,
    [
      ['no configuration', {}, {}, 8080, 'default'],
      ['a property', properties('\nfw.http.port=1'), {}, 1, 'application.properties, line 2'],
      [
        'a later line',
        properties('fw.http.port=1\nfw.http.port=2'),
        {},
        2,
        'application.properties, line 2',
      ],
      [
        'the active profile',
        properties('%dev.fw.http.port=2\nfw.http.port=1'),
        { profile: 'dev' },
        2,
        'application.properties, line 1',
      ],
      [
        'another profile',
        properties('%dev.fw.http.port=2\nfw.http.port=1'),
        {},
        1,
        'application.properties, line 2',
      ],
      [
        '.env',
        { ...properties('%prod.fw.http.port=1'), ...env('# x\nFW_HTTP_PORT=2') },
        {},
        2,
        '.env, line 2',
      ],
      ['an exported variable in .env', env('A=1\nexport FW_HTTP_PORT="2"'), {}, 2, '.env, line 2'],
      ['an exact name in .env', env('fw.http.port=2'), {}, 2, '.env, line 1'],
      [
        'the environment',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: '3' } },
        3,
        'environment variable FW_HTTP_PORT',
      ],
      [
        'an undefined variable',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: undefined } },
        2,
        '.env, line 1',
      ],
      [
        'a typed option',
        env('FW_HTTP_PORT=2'),
        { environment: { FW_HTTP_PORT: '3' }, settings: { [port]: 4 } },
        4,
        'options',
      ],
      ['an option as text', {}, { settings: { [port]: '4' } }, 4, 'options'],
      [
        'an undefined option',
        properties('fw.http.port=1'),
        { settings: { [port]: undefined } },
        1,
        'application.properties, line 1',
      ],
      [
        'a byte order mark',
        properties('\ufefffw.http.port=1'),
        {},
        1,
        'application.properties, line 1',
      ],
    ] as const,
    (_, files, options, value, origin) => {
      const loaded = load(files, options)
      assert.is(loaded.settings[port], value)
      assert.is(loaded.origin(port), origin)
    },
  )

  test('a missing directory results in the defaults', () =>
    withDirectory({}, (directory) =>
      assert.equal(
        loadSettings({ directory: join(directory, 'none'), environment: {} }).settings,
        Settings.defaultSettings,
      ),
    ))

  test('the value of a property is memoized', () => {
    const environment: Record<string, string> = { FW_HTTP_PORT: '1' }
    const loaded = load({}, { environment })
    environment['FW_HTTP_PORT'] = '2'
    assert.is(loaded.property(port), '1')
  })
})

describe('application properties in loadSettings', (test) => {
  const beta = 'features.beta'
  table(
    test,
    [
      ['a property that is not set', {}, {}, undefined],
      ['a property in a file', properties('features.beta=file'), {}, 'file'],
      [
        'a property of the active profile',
        properties('%dev.features.beta=file'),
        { profile: 'dev' },
        'file',
      ],
      ['a property of an inactive profile', properties('%dev.features.beta=file'), {}, undefined],
      [
        'a property in .env',
        { ...properties('features.beta=file'), ...env('FEATURES_BETA=env') },
        {},
        'env',
      ],
      [
        'a property in the environment',
        env('FEATURES_BETA=env'),
        { environment: { FEATURES_BETA: 'environment' } },
        'environment',
      ],
      [
        'a property in options.properties',
        env('features.beta=env'),
        { environment: { FEATURES_BETA: 'environment' }, properties: { [beta]: 'option' } },
        'option',
      ],
      [
        'an undefined property in options.properties',
        properties('features.beta=file'),
        { properties: { [beta]: undefined } },
        'file',
      ],
      [
        'a property with expressions in options.properties',
        properties('features.all=on'),
        {
          properties: { [beta]: '${features.all} at ${fw.http.port} ${HOME}' },
          environment: { HOME: '/${x' },
        },
        'on at 8080 /${x',
      ],
    ] as const,
    (_, files, options, expected) => assert.is(load(files, options).property(beta), expected),
  )

  test('set settings, with a lower precedence than options', () => {
    const all = { [port]: '1', 'fw.rest.path': '/api' }
    const { settings, origin } = load(env('FW_HTTP_PORT=3'), {
      properties: all,
      settings: { [port]: 2 },
    })
    assert.equal([settings[port], settings['fw.rest.path']], [2, '/api'])
    assert.equal([origin(port), origin('fw.rest.path')], ['options', 'options.properties'])
  })
})

describe('the profile in loadSettings', (test) => {
  table(
    test,
    [
      ['the default profile', {}, {}, 'prod', '0.0.0.0', 'default'],
      [
        'a profile in .env',
        env('FW_PROFILE=dev'),
        {},
        'dev',
        'localhost',
        'the default for the dev profile',
      ],
      [
        'a profile in the environment',
        env('FW_PROFILE=dev'),
        { environment: { FW_PROFILE: 'test' } },
        'test',
        'localhost',
        'the default for the test profile',
      ],
      [
        'a profile in options',
        env('FW_PROFILE=dev'),
        { profile: 'prod' },
        'prod',
        '0.0.0.0',
        'default',
      ],
      [
        'a blank profile in the environment',
        env('FW_PROFILE=dev'),
        { environment: { FW_PROFILE: ' ' } },
        'dev',
        'localhost',
        'the default for the dev profile',
      ],
      [
        'an empty profile in .env',
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
      assert.is(loaded.origin('fw.http.host'), origin)
    },
  )
})

describe('Configuration.property', (test) => {
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
      settings: { 'fw.http.read-timeout': 1500, 'fw.http.limits.max-connections': 'unbounded' },
    },
  )
  table(
    test,
    [
      ['app.url', 'http://example.org:9000/v1'],
      ['app.home', '/home/me'],
      ['app.shell', '${debian_chroot'], // variables of other programs may contain `${`
      ['DATABASE', '${HOME}'],
      ['app.name', 'environment'], // the environment takes precedence over files
      ['home', 'x'], // a name without a dot does not match a variable in upper case
      ['HOME', '/home/me'],
      ['app.wait', '1500ms'], // a typed value is converted to text
      ['fw.http.read-timeout', '1500ms'],
      ['fw.http.keep-alive-timeout', '10s'], // a default is converted too
      ['fw.http.limits.max-connections', 'unbounded'],
      ['fw.http.limits.max-body-size', '10M'],
      ['nothing', undefined],
      ['toString', undefined],
      ['__proto__', undefined],
    ] as const,
    (name, expected) => assert.is(property(name), expected),
  )
})

describe('describeSettings', (test) => {
  const lines = describeSettings(
    loadSettings({
      directory: import.meta.dirname,
      environment: { FW_HTTP_READ_TIMEOUT: '90' },
      settings: { 'fw.rest.path': '/a/much/longer/path' },
    }),
  ).split('\n')

  test('returns one line per setting in the order of the table', () =>
    assert.equal(
      lines.map((line) => line.split(' ')[0]),
      Settings.settingNames,
    ))

  test('aligns values and origins in columns', () => {
    const width = Math.max(...Settings.settingNames.map(({ length }) => length))
    const line = (name: string, value: string, origin: string) =>
      `${name.padEnd(width)}  ${value.padEnd('/a/much/longer/path'.length)}  ${origin}`
    assert.is(lines[0], line('fw.rest.path', '/a/much/longer/path', 'options'))
    assert.ok(
      lines.includes(
        line('fw.http.read-timeout', '90s', 'environment variable FW_HTTP_READ_TIMEOUT'),
      ),
    )
    assert.ok(lines.includes(line('fw.http.limits.max-connections', '80%', 'default')))
  })
})
