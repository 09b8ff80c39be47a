import * as assert from 'uvu/assert'
import { loggerByLevel, loggersByCategory } from '../../../src/compiler/settings/logger.ts'
import type { Logger, LogLevels } from '../../../src/compiler/settings/logger.ts'
import type { Settings } from '../../../src/compiler/settings/settings.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

type Changes = Partial<Pick<Settings, 'fw.log.level'>> & LogLevels
type Line = readonly [level: string, members: unknown, message: string]

const recordingLogger = (): readonly [lines: ReadonlyArray<Line>, logger: Logger] => {
  const lines: Line[] = []
  return [
    lines,
    loggerByLevel((level) => (members, message) => lines.push([level, members, message])),
  ]
}

/** Returns the levels that a category writes. */
const writtenLevels = (settings: Changes, category: string): string => {
  const [lines, logger] = recordingLogger()
  const loggerOf = loggersByCategory(logger, { ...defaultSettings, ...settings })(category)
  for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const) loggerOf[level]({}, '')
  return lines.map(([level]) => level).join(' ')
}

describe('loggersByCategory', (test) => {
  const httpError = { 'fw.log.category."HttpError".level': 'error' } as const
  const alias = { 'fw.log.category."WebApplicationException".level': 'trace' } as const
  table<readonly [string, Changes, string, string]>(
    test,
    [
      ['the default level', {}, 'request', 'info warn error'],
      ['the level of all categories', { 'fw.log.level': 'error' }, 'request', 'error'],
      [
        'the level of the category',
        { 'fw.log.level': 'error', 'fw.log.category."request".level': 'debug' },
        'request',
        'debug info warn error',
      ],
      [
        'the level of another category',
        { 'fw.log.category."a".level': 'off' },
        'b',
        'info warn error',
      ],
      ['the level off', { 'fw.log.category."request".level': 'off' }, 'request', ''],
      ['the alias of HttpError', alias, 'HttpError', 'trace debug info warn error'],
      ['HttpError and its alias', { ...alias, ...httpError }, 'HttpError', 'error'],
    ],
    (_, settings, category, expected) => assert.is(writtenLevels(settings, category), expected),
  )

  test('adds the category to lines without one', () => {
    const [lines, logger] = recordingLogger()
    const loggerOf = loggersByCategory(logger, defaultSettings)
    loggerOf('a').info({ b: 1 }, 'text')
    loggerOf('a').info({ category: 'c' }, 'text')
    assert.equal(lines, [
      ['info', { category: 'a', b: 1 }, 'text'],
      ['info', { category: 'c' }, 'text'],
    ])
  })

  test('a logger with child() gets the level of the category', () => {
    const children: unknown[] = []
    const [lines, child] = recordingLogger()
    const [parentLines, parent] = recordingLogger()
    const logger: Logger = {
      ...parent,
      child(this: Logger, members, options) {
        children.push([this === logger, members, options])
        return child
      },
    }
    const loggerOf = loggersByCategory(logger, {
      ...defaultSettings,
      'fw.log.category."a".level': 'debug',
    })
    loggerOf('a').debug({ b: 1 }, 'text')
    loggerOf('a').trace({}, 'discarded')
    assert.equal(children, [[true, { category: 'a' }, { level: 'debug' }]])
    assert.equal(lines, [['debug', { b: 1 }, 'text']])
    assert.equal(parentLines, [])
  })

  test('ignores errors of a logger', () => {
    const broken = loggerByLevel(() => () => {
      throw new Error('the disk is full')
    })
    assert.not.throws(() => loggersByCategory(broken, defaultSettings)('a').error({}, ''))
  })
})
