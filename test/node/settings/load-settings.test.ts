import { join } from 'node:path'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import { loadSettings } from '../../../src/node/settings/load-settings.ts'
import { describe, table } from '../../support/describe.ts'
import { env, inDirectory, load, properties } from './directory.ts'

const port = 'fw.http.port'

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
      assert.is(loaded.origin(port), origin)
    },
  )

  test('uses the defaults without a directory', () =>
    inDirectory({}, (directory) =>
      assert.equal(
        loadSettings({ directory: join(directory, 'none'), environment: {} }).settings,
        Settings.defaultSettings,
      ),
    ))

  test('memoizes values', () => {
    const environment: Record<string, string> = { FW_HTTP_PORT: '1' }
    const loaded = load({}, { environment })
    environment['FW_HTTP_PORT'] = '2'
    assert.is(loaded.property(port), '1')
  })
})

describe('loadSettings, properties of the program', (test) => {
  const beta = 'features.beta'
  table(
    test,
    [
      ['nothing is said', {}, {}, undefined],
      ['a file', properties('features.beta=file'), {}, 'file'],
      [
        'a file, for the profile',
        properties('%dev.features.beta=file'),
        { profile: 'dev' },
        'file',
      ],
      ['a file, for another profile', properties('%dev.features.beta=file'), {}, undefined],
      ['.env', { ...properties('features.beta=file'), ...env('FEATURES_BETA=env') }, {}, 'env'],
      [
        'the environment',
        env('FEATURES_BETA=env'),
        { environment: { FEATURES_BETA: 'environment' } },
        'environment',
      ],
      [
        'the program',
        env('features.beta=env'),
        { environment: { FEATURES_BETA: 'environment' }, properties: { [beta]: 'given' } },
        'given',
      ],
      [
        'the program, undefined',
        properties('features.beta=file'),
        { properties: { [beta]: undefined } },
        'file',
      ],
      [
        'the program, with expressions',
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

  test('may be settings, over which options take precedence', () => {
    const all = { [port]: '1', 'fw.rest.path': '/api' }
    const { settings, origin } = load(env('FW_HTTP_PORT=3'), {
      properties: all,
      given: { [port]: 2 },
    })
    assert.equal([settings[port], settings['fw.rest.path']], [2, '/api'])
    assert.equal([origin(port), origin('fw.rest.path')], ['given', 'given properties'])
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
        'from .env when the environment has a blank one',
        env('FW_PROFILE=dev'),
        { environment: { FW_PROFILE: ' ' } },
        'dev',
        'localhost',
        'default of profile dev',
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
      assert.is(loaded.origin('fw.http.host'), origin)
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
