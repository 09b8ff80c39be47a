import * as assert from 'uvu/assert'
import { defaultConfiguration } from '../../../src/compiler/settings/configuration.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

describe('settingsAlone', (test) => {
  const { profile, property } = defaultConfiguration({ ...defaultSettings, 'fw.rest.path': '/api' })
  test('is of the profile prod', () => assert.is(profile, 'prod'))
  table(
    test,
    [
      ['fw.rest.path', '/api'],
      ['fw.http.read-timeout', '1m'],
      ['fw.http.limits.max-connections', '80%'],
      ['features.beta', undefined],
      ['toString', undefined],
    ] as const,
    (name, text) => assert.is(property(name), text),
  )
})
