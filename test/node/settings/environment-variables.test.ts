import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import * as Environment from '../../../src/node/settings/environment-variables.ts'
import { describe, table } from '../../support/describe.ts'

describe('variableName', (test) => {
  table(
    test,
    [
      ['fw.http.port', 'FW_HTTP_PORT'],
      ['fw.http.limits.max-body-size', 'FW_HTTP_LIMITS_MAX_BODY_SIZE'],
      ['fw.log.category."x.y".level', 'FW_LOG_CATEGORY__X_Y__LEVEL'],
      ['größe', 'GR__E'],
    ] as const,
    (name, expected) => assert.is(Environment.variableName(name), expected),
  )

  test('is different for all settings', () =>
    assert.is(
      new Set(Settings.settingNames.map(Environment.variableName)).size,
      Settings.settingNames.length,
    ))
})

describe('variableNames', (test) => {
  table(
    test,
    [
      ['fw.http.port', ['fw.http.port', 'FW_HTTP_PORT']],
      ['path', ['path']],
    ] as const,
    (name, expected) => assert.equal(Environment.variableNames(name), expected),
  )
})

describe('isReserved', (test) => {
  table(
    test,
    [
      ['fw.http.port', true],
      ['FW_HTTP_PORT', true],
      ['FW_PROFILE', true],
      ['fwd.port', false],
      ['FWD_PORT', false],
      ['my.fw.port', false],
      ['fw', false],
    ] as const,
    (name, expected) => assert.is(Environment.isReserved(name), expected),
  )
})
