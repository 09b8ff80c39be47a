import * as assert from 'uvu/assert'
import type { Condition, Inclusion } from '../../../src/endpoint/condition.ts'
import { allOf, anyOf, not, profile, property } from '../../../src/endpoint/condition.ts'
import {
  conditionCheck,
  formatCondition,
  isFulfilled,
} from '../../../src/compiler/conditions/condition.ts'
import type { Configuration } from '../../../src/compiler/settings/configuration.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

const held: ReadonlyMap<string, string> = new Map([
  ['on', 'on'],
  ['true', 'true'],
  ['false', 'false'],
  ['FALSE', 'FALSE'],
  ['empty', ''],
  ['db.password', 'x'],
])
const configuration: Configuration = { profile: 'dev', property: (name) => held.get(name) }
const missing = { ifMissing: true }

type Row = readonly [name: string, condition: Condition, expected: boolean]
const rows: ReadonlyArray<Row> = [
  ['the profile', profile('dev'), true],
  ['one of several profiles', profile('prod', 'dev'), true],
  ['another profile', profile('prod'), false],
  ['a profile in capitals', profile('DEV'), false],
  ['a text', property('on', 'on'), true],
  ['another text', property('on', 'off'), false],
  ['another text, or missing', property('on', 'off', missing), false],
  ['a text in capitals', property('on', 'ON'), false],
  ['no text', property('empty', ''), true],
  ['missing', property('none', 'on'), false],
  ['missing is not empty', property('none', ''), false],
  ['missing, which counts', property('none', 'on', missing), true],
  ['missing, which does not count', property('none', 'on', { ifMissing: false }), false],
  ['true', property('true'), true],
  ['any text', property('on'), true],
  ['no text is any text', property('empty'), true],
  ['false', property('false'), false],
  ['false in capitals is any text', property('FALSE'), true],
  ['any text, missing', property('none'), false],
  ['any text, missing, which counts', property('none', undefined, missing), true],
  ['not', not(profile('dev')), false],
  ['not, missing', not(property('none', 'on')), true],
  ['not, missing, which counts', not(property('none', 'on', missing)), false],
  ['all', allOf(profile('dev'), property('on')), true],
  ['not all', allOf(profile('dev'), property('none')), false],
  ['any', anyOf(profile('prod'), property('on')), true],
  ['not any', anyOf(profile('prod'), property('none')), false],
]

describe('Condition.holds', (test) => {
  table<Row>(test, rows, (_, condition, expected) =>
    assert.is(isFulfilled(condition, configuration), expected),
  )
})

const when = (condition: Condition): Inclusion => ({ _tag: 'When', condition })
const disabled = property('on', 'on')

describe('Condition.allowing', (test) => {
  const heeded = conditionCheck(configuration, defaultSettings)
  const unheeded = conditionCheck(configuration, {
    ...defaultSettings,
    'fw.rest.build-time-condition-aware': false,
  })
  table<Row>(test, rows, (_, condition, expected) =>
    assert.equal([heeded(when(condition)), unheeded(when(condition))], [expected, true]),
  )
  test('what is disabled, whatever the setting', () => {
    const said: Inclusion = { _tag: 'DisabledWhen', condition: disabled }
    const other: Inclusion = { _tag: 'DisabledWhen', condition: property('on', 'off') }
    assert.equal([heeded(said), unheeded(said)], [false, false])
    assert.equal([heeded(other), unheeded(other)], [true, true])
  })
})

describe('Condition.format', (test) => {
  table<readonly [text: string, inclusion: Inclusion]>(
    test,
    [
      ['when profile dev or test (the profile is dev)', when(profile('dev', 'test'))],
      ['when on is "off" (on is "on")', when(property('on', 'off'))],
      ['when none is "on" (none is not set)', when(property('none', 'on'))],
      ['when false is set to anything but "false" (false is "false")', when(property('false'))],
      ['when none is "" or missing (none is not set)', when(property('none', '', missing))],
      ['when db.password is *** (db.password is ***)', when(property('db.password', 'y'))],
      ['when not (profile dev) (the profile is dev)', when(not(profile('dev')))],
      [
        'when (profile a) and ((on is "1") or (not (on is "2"))) (the profile is dev, on is "on")',
        when(allOf(profile('a'), anyOf(property('on', '1'), not(property('on', '2'))))),
      ],
      ['disabled when on is "on" (on is "on")', { _tag: 'DisabledWhen', condition: disabled }],
    ],
    (text, inclusion) =>
      assert.is(formatCondition(inclusion, configuration, defaultSettings), text),
  )
  test('where `when` is not heeded, nothing is looked up for it', () => {
    const settings = { ...defaultSettings, 'fw.rest.build-time-condition-aware': false }
    assert.equal(
      [when(disabled), { _tag: 'DisabledWhen', condition: disabled } as const].map((one) =>
        formatCondition(one, configuration, settings),
      ),
      [
        'when on is "on" (not evaluated, fw.rest.build-time-condition-aware is false)',
        'disabled when on is "on" (on is "on")',
      ],
    )
  })
})
