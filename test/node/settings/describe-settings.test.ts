import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import { describeSettings } from '../../../src/node/settings/describe-settings.ts'
import { loadSettings } from '../../../src/node/settings/load-settings.ts'
import { describe } from '../../support/describe.ts'

describe('describeSettings', (test) => {
  const lines = describeSettings(
    loadSettings({
      directory: import.meta.dirname,
      environment: { FW_HTTP_READ_TIMEOUT: '90' },
      given: { 'fw.rest.path': '/a/longer/path' },
    }),
  ).split('\n')

  test('has a line for every setting, in the order of the table', () =>
    assert.equal(
      lines.map((line) => line.split(' ')[0]),
      Settings.settingNames,
    ))

  test('says value and origin in columns', () => {
    const width = 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'.length
    const line = (name: string, value: string, origin: string) =>
      `${name.padEnd(width)}  ${value.padEnd('/a/longer/path'.length)}  ${origin}`
    assert.is(lines[0], line('fw.rest.path', '/a/longer/path', 'given'))
    assert.ok(
      lines.includes(line('fw.http.read-timeout', '90s', 'environment FW_HTTP_READ_TIMEOUT')),
    )
    assert.ok(lines.includes(line('fw.http.limits.max-connections', '80%', 'default')))
  })
})
