/** The levels of log categories from all sources. */
import * as assert from 'uvu/assert'
import { ConfigurationError } from '../../../src/endpoint/definition/configuration-error.ts'
import { levelOf } from '../../../src/compiler/settings/logger.ts'
import { describeSettings } from '../../../src/node/settings/load-settings.ts'
import type { LoadOptions } from '../../../src/node/settings/load-settings.ts'
import { describe, table } from '../../support/describe.ts'
import type { Files } from './directory.ts'
import { env, load, properties } from './directory.ts'

const quoted = 'fw.log.category."WebApplicationException".level'

describe('levels of log categories in loadSettings', (test) => {
  table<readonly [string, Files, LoadOptions, string, string]>(
    test,
    [
      ['no configuration', {}, {}, 'info', 'nowhere'],
      [
        'a property with quotes',
        properties(`${quoted}=DEBUG`),
        {},
        'debug',
        'application.properties, line 1',
      ],
      [
        'a property without quotes',
        properties('\nfw.log.category.WebApplicationException.level=debug'),
        {},
        'debug',
        'application.properties, line 2',
      ],
      [
        'a later line in another spelling',
        properties(`${quoted}=debug\nfw.log.category.WebApplicationException.level=warn`),
        {},
        'warn',
        'application.properties, line 2',
      ],
      [
        'the active profile',
        properties(`%dev.${quoted}=trace\n${quoted}=warn`),
        { profile: 'dev' },
        'trace',
        'application.properties, line 1',
      ],
      ['an inactive profile', properties(`%dev.${quoted}=trace`), {}, 'info', 'nowhere'],
      [
        'an expression',
        properties(`a=off\n${quoted}=\${a}`),
        {},
        'off',
        'application.properties, line 2',
      ],
      [
        '.env',
        {
          ...properties(`${quoted}=debug`),
          ...env('FW_LOG_CATEGORY__WEBAPPLICATIONEXCEPTION__LEVEL=error'),
        },
        {},
        'error',
        '.env, line 1',
      ],
      [
        'a variable with single underscores',
        {},
        { environment: { FW_LOG_CATEGORY_WEBAPPLICATIONEXCEPTION_LEVEL: 'error' } },
        'error',
        'nowhere', // variables are case-insensitive: it sets the level of webapplicationexception
      ],
      [
        'options',
        {},
        {
          environment: { FW_LOG_CATEGORY__WEBAPPLICATIONEXCEPTION__LEVEL: 'error' },
          settings: { [quoted]: 'trace' },
        },
        'trace',
        'options',
      ],
    ],
    (_, files, options, expected, origin) => {
      const loaded = load(files, options)
      assert.is(levelOf(loaded.settings, 'WebApplicationException'), expected)
      if (origin !== 'nowhere') assert.is(loaded.origin(quoted), origin)
    },
  )

  table<readonly [string, Files, LoadOptions, ReadonlyArray<string>]>(
    test,
    [
      [
        'an invalid level',
        properties(`${quoted}=loud`),
        {},
        ['FW-CONF-002', `${quoted} = 'loud' (from application.properties, line 1)`],
      ],
      [
        'an unresolvable expression',
        properties(`${quoted}=\${a}`),
        {},
        ['FW-CONF-003', `${quoted} (from application.properties, line 1)`],
      ],
      [
        'an unknown setting of a category',
        properties('fw.log.category."a".min-level=debug'),
        {},
        ['FW-CONF-001', 'fw.log.category."a".min-level (from application.properties, line 1)'],
      ],
    ],
    (_, files, options, expected) => {
      try {
        load(files, options)
        assert.unreachable()
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        assert.equal(
          error.issues.flatMap(({ code, concerns }) => [code, ...concerns]),
          expected,
        )
      }
    },
  )

  test('describeSettings lists levels after the other settings', () => {
    const lines = describeSettings(load(properties('fw.log.category.a.level=DEBUG'))).split('\n')
    assert.match(
      lines.at(-1) ?? '',
      /^fw\.log\.category\."a"\.level +debug +application\.properties, line 1$/,
    )
  })
})
