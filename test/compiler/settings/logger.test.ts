import * as assert from 'uvu/assert'
import * as Level from '../../../src/compiler/settings/logger.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'
import { pipe } from 'fp-ts/lib/function.js'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import type { Logger } from '../../../src/compiler/settings/logger.ts'
import { silentLogger, loggerWithoutErrors } from '../../../src/compiler/settings/logger.ts'
import { sendRequest } from '../../support/send-request.ts'
import { contract } from '../../support/contract.ts'

describe('isAtLeast', (test) => {
  table(
    test,
    [
      ['debug', 'debug', true],
      ['debug', 'trace', true],
      ['debug', 'info', false],
      ['error', 'warn', true],
      ['error', 'off', false],
    ] as const,
    (level, threshold, expected) => assert.is(Level.isAtLeast(level, threshold), expected),
  )
})

describe('categoryOf', (test) => {
  table(
    test,
    [
      ['fw.log.category."access".level', 'access'],
      ['fw.log.category.access.level', 'access'],
      ['fw.log.category."com.example".level', 'com.example'],
      ['fw.log.category.com.example.level', 'com.example'],
      ['fw.log.category."WebApplicationException".level', 'WebApplicationException'],
      ['fw.log.category."a.level', undefined],
      ['fw.log.category.a".level', undefined],
      ['fw.log.category."".level', undefined],
      ['fw.log.category..level', undefined],
      ['fw.log.category.level', undefined],
      ['fw.log.level', undefined],
      ['fw.log.category."a".levels', undefined],
    ] as const,
    (name, expected) => assert.is(Level.categoryOf(name), expected),
  )
})

describe('levelOf', (test) => {
  const settings = {
    ...defaultSettings,
    'fw.log.category."Orders".level': 'warn',
    'fw.log.category."my_own".level': 'debug',
  } as const
  table(
    test,
    [
      ['Orders', 'warn'],
      ['orders', 'info'], // names of categories are case-sensitive
      ['my.own', 'debug'], // except for those read from environment variables
      ['My Own', 'debug'],
      ['other', 'info'],
    ] as const,
    (category, expected) => assert.is(Level.levelOf(settings, category), expected),
  )
  test('uses the first name that has a level', () =>
    assert.is(Level.levelOf(settings, 'other', 'Orders', 'my.own'), 'warn'))
})

const broken = (): never => {
  throw new Error('the disk is full')
}
const failing: Logger = { trace: broken, debug: broken, info: broken, warn: broken, error: broken }

describe('loggerWithoutErrors', (test) => {
  test('calls the methods of the logger with `this`', () => {
    const lines: unknown[] = []
    const logger = {
      ...silentLogger,
      level: 'debug',
      debug(this: { readonly level: string }, members: unknown, message: string) {
        lines.push([this.level, members, message])
      },
    }
    loggerWithoutErrors(logger).debug({ a: 1 }, 'done')
    assert.equal(lines, [['debug', { a: 1 }, 'done']])
  })
  test('ignores errors of every level', () => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const)
      assert.not.throws(() => loggerWithoutErrors(failing)[level]({}, ''))
  })
})

const boom = pipe(path('/boom'), get(), produces(text), handle(broken))

contract(
  'a logger that throws',
  routes({ boom }),
  (test, call) => {
    test('does not prevent the response', async () =>
      assert.is((await sendRequest(call, 'GET /boom')).status, 500))
  },
  { logger: failing },
)
