import * as assert from 'uvu/assert'
import { loggersByCategory } from '../../../src/compiler/settings/log-category.ts'
import type { Logger } from '../../../src/compiler/settings/logger.ts'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import type { LogLevels } from '../../../src/compiler/settings/log-level.ts'
import type { Settings } from '../../../src/compiler/settings/settings.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

type Changes = Partial<Pick<Settings, 'fw.log.level'>> & LogLevels
type Line = readonly [level: string, members: unknown, message: string]

const recording = (): readonly [lines: ReadonlyArray<Line>, logger: Logger] => {
  const lines: Line[] = []
  return [
    lines,
    loggerByLevel((level) => (members, message) => lines.push([level, members, message])),
  ]
}

/** The levels that a category writes. */
const written = (settings: Changes, category: string): string => {
  const [lines, logger] = recording()
  const of = loggersByCategory(logger, { ...defaultSettings, ...settings })(category)
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) of[level]({}, '')
  return lines.map(([level]) => level).join(' ')
}

describe('Category.loggers', (test) => {
  const httpError = { 'fw.log.category."HttpError".level': 'error' } as const
  const alias = { 'fw.log.category."WebApplicationException".level': 'trace' } as const
  table<readonly [string, Changes, string, string]>(
    test,
    [
      ['by default from info on', {}, 'request', 'info warn error'],
      ['by the level of all', { 'fw.log.level': 'error' }, 'request', 'error'],
      [
        'by the level of the category',
        { 'fw.log.level': 'error', 'fw.log.category."request".level': 'debug' },
        'request',
        'debug info warn error',
      ],
      ['not by that of another', { 'fw.log.category."a".level': 'off' }, 'b', 'info warn error'],
      ['off', { 'fw.log.category."request".level': 'off' }, 'request', ''],
      ['HttpError, by its other name', alias, 'HttpError', 'trace debug info warn error'],
      ['HttpError, its own name wins', { ...alias, ...httpError }, 'HttpError', 'error'],
    ],
    (_, settings, category, expected) => assert.is(written(settings, category), expected),
  )

  test('lines say their category, unless they say another', () => {
    const [lines, logger] = recording()
    const of = loggersByCategory(logger, defaultSettings)
    of('a').info({ b: 1 }, 'said')
    of('a').info({ category: 'c' }, 'said')
    assert.equal(lines, [
      ['info', { category: 'a', b: 1 }, 'said'],
      ['info', { category: 'c' }, 'said'],
    ])
  })

  test('a logger with children decides itself, by the level of the category', () => {
    const made: unknown[] = []
    const [lines, child] = recording()
    const [own, parent] = recording()
    const logger: Logger = {
      ...parent,
      child(this: Logger, members, options) {
        made.push([this === logger, members, options])
        return child
      },
    }
    const of = loggersByCategory(logger, {
      ...defaultSettings,
      'fw.log.category."a".level': 'debug',
    })
    of('a').debug({ b: 1 }, 'said')
    of('a').trace({}, 'not said')
    assert.equal(made, [[true, { category: 'a' }, { level: 'debug' }]])
    assert.equal(lines, [['debug', { b: 1 }, 'said']])
    assert.equal(own, [])
  })

  test('what a logger throws is dropped', () => {
    const broken = loggerByLevel(() => () => {
      throw new Error('the disk is full')
    })
    assert.not.throws(() => loggersByCategory(broken, defaultSettings)('a').error({}, ''))
  })
})
