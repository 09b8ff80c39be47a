import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import type { Logger } from '../../../src/compiler/settings/logger.ts'
import { silentLogger, loggerWithoutErrors } from '../../../src/compiler/settings/logger.ts'
import { ask } from '../../support/ask.ts'
import { describe } from '../../support/describe.ts'
import { contract } from '../../support/contract.ts'

const broken = (): never => {
  throw new Error('the disk is full')
}
const failing: Logger = { trace: broken, debug: broken, info: broken, warn: broken, error: broken }

describe('Logger.unfailing', (test) => {
  test('hands every level on, as a method of the logger', () => {
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
  test('drops what a logger throws', () => {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error'] as const)
      assert.not.throws(() => loggerWithoutErrors(failing)[level]({}, ''))
  })
})

const boom = pipe(path('/boom'), get(), produces(text), handle(broken))

contract(
  'a logger that fails',
  routes({ boom }),
  (test, call) => {
    test('does not keep a client from its answer', async () =>
      assert.is((await ask(call, 'GET /boom')).status, 500))
  },
  { logger: failing },
)
