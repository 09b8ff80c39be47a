import { descriptionOf } from '../../docs/reference.ts'
import { pipe } from 'fp-ts/lib/function.js'
import { interpretedBackEnd } from '../../../src/codec/compiled/interpreted-back-end.ts'
import { generatedBackEnd } from '../../../src/codec/compiled/generator/generated-back-end.ts'
import { get, handle, json, list, optional, path, produces, routes } from '../../../src/index.ts'
import { codecBackEnd } from '../../../src/compiler/settings/settings.ts'
import { inMemory } from '../../../src/testing.ts'
import { sendRequest } from '../../support/send-request.ts'
import { describe, table } from '../../support/describe.ts'
import * as t from 'io-ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'

describe('defaultSettings', (test) => {
  table(
    test,
    [
      ['fw.rest.path', '/'],
      ['fw.rest.conversion-failure', 'problem'],
      ['fw.rest.duplicate-scalar', 'first'],
      ['fw.rest.fail-on-duplicate', true],
      ['fw.rest.jsonlib.fail-on-unknown-properties', false],
      ['fw.rest.absolute-location', false],
      ['fw.http.host', '0.0.0.0'],
      ['fw.http.port', 8080],
      ['fw.http.proxy.trusted', []],
      ['fw.rest.multipart.input-part.default-charset', 'utf-8'],
      ['fw.http.limits.max-header-size', 16_384],
      ['fw.http.limits.max-header-fields', 200],
      ['fw.http.limits.max-initial-line-length', 8192],
      ['fw.http.limits.max-body-size', 10_485_760],
      ['fw.http.limits.max-form-attribute-size', 2048],
      ['fw.http.limits.max-parameters', 1000],
      ['fw.http.limits.max-json-depth', 100],
      ['fw.http.limits.max-json-keys', 10_000],
      ['fw.http.limits.max-connections', { percent: 80 }],
      ['fw.http.limits.max-buffered-size', { percent: 25 }],
      ['fw.http.limits.min-body-rate', 1024],
      ['fw.http.overload.enabled', true],
      ['fw.http.overload.max-loop-delay', 250],
      ['fw.http.overload.max-loop-utilization', 98],
      ['fw.http.handler-timeout', 0],
      ['fw.http.header-timeout', 10_000],
      ['fw.http.read-timeout', 60_000],
      ['fw.http.idle-timeout', 1_800_000],
      ['fw.http.write-timeout', 30_000],
      ['fw.http.keep-alive-timeout', 72_000],
      ['fw.http.enable-compression', false],
      [
        'fw.http.compress-media-types',
        [
          'text/html',
          'text/plain',
          'text/xml',
          'text/css',
          'text/javascript',
          'application/javascript',
        ],
      ],
      ['fw.http.compressors', ['gzip', 'deflate', 'br', 'zstd']],
      ['fw.http.compression-level', 6],
      ['fw.http.compression-threshold', 0],
      ['fw.log.level', 'info'],
      ['fw.worker.threads', undefined],
      ['fw.worker.queue', undefined],
      ['fw.worker.timeout', 30_000],
      ['fw.worker.heap', 268_435_456],
      ['fw.loop.stall', 250],
      ['fw.shutdown.grace', 5000],
      ['fw.shutdown.timeout', 30_000],
    ] as const,
    (name, expected) => assert.equal(Settings.defaultSettings[name], expected),
  )
})

describe('settingsTable', (test) => {
  table(
    test,
    Settings.settingNames.map((name): [Settings.SettingName] => [name]),
    (name) => {
      const { text } = Settings.settingsTable[name]
      assert.match(descriptionOf(name), /^[A-Z].*\.$/)
      assert.equal(
        Settings.readSettings({ [name]: O.toUndefined(text(Settings.defaultSettings[name])) }),
        E.right(Settings.defaultSettings),
      )
    },
  )
})

describe('readSettings', (test) => {
  test('accepts strings and typed values', () => {
    const { defaultSettings } = Settings
    assert.equal(
      Settings.readSettings({ 'fw.http.port': '9000', 'fw.http.read-timeout': 500 }),
      E.right({ ...defaultSettings, 'fw.http.port': 9000, 'fw.http.read-timeout': 500 }),
    )
  })

  test('ignores unknown names', () =>
    assert.equal(Settings.readSettings({ 'fw.http.prot': 1 }), E.right(Settings.defaultSettings)))

  test('decodes levels of categories', () =>
    assert.equal(
      Settings.readSettings({ 'fw.log.level': 'WARN', 'fw.log.category."a.b".level': 'Debug' }),
      E.right({
        ...Settings.defaultSettings,
        'fw.log.level': 'warn',
        'fw.log.category."a.b".level': 'debug',
      }),
    ))

  test('rejects an invalid level of a category', () =>
    assert.equal(
      Settings.readSettings({ 'fw.http.port': 'x', 'fw.log.category."a".level': 'loud' }),
      E.left([
        { name: 'fw.http.port', expected: 'an integer from 0 to 65535' },
        {
          name: 'fw.log.category."a".level',
          expected: 'trace, debug, info, warn, error or off',
        },
      ]),
    ))

  test('lists all invalid settings once, with the expected values', () =>
    assert.equal(
      Settings.readSettings({ 'fw.http.port': 'x', 'fw.rest.duplicate-scalar': 1 }),
      E.left([
        { name: 'fw.rest.duplicate-scalar', expected: 'first or reject' },
        { name: 'fw.http.port', expected: 'an integer from 0 to 65535' },
      ]),
    ))
})

describe('profileDefaults', (test) => {
  table(
    test,
    [
      ['dev', { 'fw.http.host': 'localhost', 'fw.shutdown.grace': 0, 'fw.log.format': 'text' }],
      ['test', { 'fw.http.host': 'localhost', 'fw.shutdown.grace': 0 }],
      ['prod', {}],
      ['staging', {}],
    ] as const,
    (profile, expected) => assert.equal(Settings.profileDefaults(profile), expected),
  )
})

describe('isSettingName', (test) => {
  table(
    test,
    [
      ['fw.http.port', true],
      ['fw.http', false],
      ['toString', false],
      ['__proto__', false],
    ] as const,
    (name, expected) => assert.is(Settings.isSettingName(name), expected),
  )
})

const forbidden = process.execArgv.includes('--disallow-code-generation-from-strings')
const name = 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'

describe('codecBackEnd', (test) => {
  test('returns the generated back end if code generation is allowed', () =>
    assert.is(
      codecBackEnd(Settings.defaultSettings),
      forbidden ? interpretedBackEnd : generatedBackEnd,
    ))
  test('returns the interpreted back end if the setting is false', () =>
    assert.is(codecBackEnd({ [name]: false }), interpretedBackEnd))
  test('does not change responses', async () => {
    const Book = t.type({ title: t.string, pages: t.number, authors: list(optional(t.string)) })
    const book = { title: 'Emma "1"', pages: 1e21, authors: ['Jane', undefined], more: true }
    const api = routes({
      book: pipe(
        path('/'),
        get(),
        produces(json(Book)),
        handle(() => book),
      ),
    })
    const sent = [true, false].map(async (isOn) =>
      (await sendRequest(inMemory(api, { [name]: isOn }), 'GET /')).text(),
    )
    const expected = '{"title":"Emma \\"1\\"","pages":1e+21,"authors":["Jane",null]}'
    assert.equal(await Promise.all(sent), [expected, expected])
  })
})
