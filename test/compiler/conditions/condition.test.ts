import * as assert from 'uvu/assert'
import type { Condition, AppliedCondition } from '../../../src/endpoint/condition.ts'
import { allOf, anyOf, not, profile, property } from '../../../src/endpoint/condition.ts'
import { conditionCheck, formatCondition, isFulfilled } from '../../../src/compiler/conditions.ts'
import type { Configuration } from '../../../src/compiler/settings/resolve-expressions.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

const properties: ReadonlyMap<string, string> = new Map([
  ['on', 'on'],
  ['true', 'true'],
  ['false', 'false'],
  ['FALSE', 'FALSE'],
  ['empty', ''],
  ['db.password', 'x'],
])
const configuration: Configuration = { profile: 'dev', property: (name) => properties.get(name) }
const missing = { ifMissing: true }

type Row = readonly [name: string, condition: Condition, expected: boolean]
const rows: ReadonlyArray<Row> = [
  ['the active profile', profile('dev'), true],
  ['the active profile in a list', profile('prod', 'dev'), true],
  ['another profile', profile('prod'), false],
  ['a profile in capitals', profile('DEV'), false],
  ['an equal value', property('on', 'on'), true],
  ['a different value', property('on', 'off'), false],
  ['a different value with ifMissing', property('on', 'off', missing), false],
  ['a value in another case', property('on', 'ON'), false],
  ['an equal empty value', property('empty', ''), true],
  ['a missing property', property('none', 'on'), false],
  ['a missing property and an empty value', property('none', ''), false],
  ['a missing property with ifMissing: true', property('none', 'on', missing), true],
  ['a missing property with ifMissing: false', property('none', 'on', { ifMissing: false }), false],
  ['the value true', property('true'), true],
  ['any value', property('on'), true],
  ['an empty value, if any is expected', property('empty'), true],
  ['the value false', property('false'), false],
  ['the value FALSE', property('FALSE'), true],
  ['a missing property, if any value is expected', property('none'), false],
  [
    'a missing property with ifMissing: true, if any value is expected',
    property('none', undefined, missing),
    true,
  ],
  ['a negated condition', not(profile('dev')), false],
  ['a negated missing property', not(property('none', 'on')), true],
  ['a negated missing property with ifMissing: true', not(property('none', 'on', missing)), false],
  ['allOf with true conditions', allOf(profile('dev'), property('on')), true],
  ['allOf with a false condition', allOf(profile('dev'), property('none')), false],
  ['anyOf with a true condition', anyOf(profile('prod'), property('on')), true],
  ['anyOf with false conditions', anyOf(profile('prod'), property('none')), false],
]

describe('isFulfilled', (test) => {
  table<Row>(test, rows, (_, condition, expected) =>
    assert.is(isFulfilled(condition, configuration), expected),
  )
})

const when = (condition: Condition): AppliedCondition => ({ _tag: 'When', condition })
const disabled = property('on', 'on')

describe('conditionCheck', (test) => {
  const isAllowed = conditionCheck(configuration, defaultSettings)
  const isAllowedWithoutWhen = conditionCheck(configuration, {
    ...defaultSettings,
    'fw.rest.build-time-condition-aware': false,
  })
  table<Row>(test, rows, (_, condition, expected) =>
    assert.equal(
      [isAllowed(when(condition)), isAllowedWithoutWhen(when(condition))],
      [expected, true],
    ),
  )
  test('evaluates disabledWhen with both values of the setting', () => {
    const disabling: AppliedCondition = { _tag: 'DisabledWhen', condition: disabled }
    const other: AppliedCondition = { _tag: 'DisabledWhen', condition: property('on', 'off') }
    assert.equal([isAllowed(disabling), isAllowedWithoutWhen(disabling)], [false, false])
    assert.equal([isAllowed(other), isAllowedWithoutWhen(other)], [true, true])
  })
})

describe('formatCondition', (test) => {
  table<readonly [text: string, condition: AppliedCondition]>(
    test,
    [
      ['when profile dev or test (the profile is dev)', when(profile('dev', 'test'))],
      ['when on is "off" (on is "on")', when(property('on', 'off'))],
      ['when none is "on" (none is not set)', when(property('none', 'on'))],
      [
        'when false is set to a value other than "false" (false is "false")',
        when(property('false')),
      ],
      ['when none is "" or is not set (none is not set)', when(property('none', '', missing))],
      ['when db.password is *** (db.password is ***)', when(property('db.password', 'y'))],
      ['when not (profile dev) (the profile is dev)', when(not(profile('dev')))],
      [
        'when (profile a) and ((on is "1") or (not (on is "2"))) (the profile is dev, on is "on")',
        when(allOf(profile('a'), anyOf(property('on', '1'), not(property('on', '2'))))),
      ],
      ['disabled when on is "on" (on is "on")', { _tag: 'DisabledWhen', condition: disabled }],
    ],
    (text, condition) =>
      assert.is(formatCondition(condition, configuration, defaultSettings), text),
  )
  test('omits actual values of `when` if it is not evaluated', () => {
    const settings = { ...defaultSettings, 'fw.rest.build-time-condition-aware': false }
    assert.equal(
      [when(disabled), { _tag: 'DisabledWhen', condition: disabled } as const].map((condition) =>
        formatCondition(condition, configuration, settings),
      ),
      [
        'when on is "on" (not evaluated because fw.rest.build-time-condition-aware is false)',
        'disabled when on is "on" (on is "on")',
      ],
    )
  })
})
