import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Logger } from '../../../src/compiler/settings/logger.ts'
import { hasColors } from '../../../src/node/log/styles.ts'
import { textLogger } from '../../../src/node/log/text-logger.ts'
import { describe, law, table } from '../../support/describe.ts'
import { unicodeString } from '../../support/unicode-string.ts'

/** Returns the output of a logger without times. */
const outputOf = (use: (logger: Logger) => void, colors = false): string => {
  let text = ''
  use(textLogger({ write: (chunk) => (text += chunk) }, { colors }))
  return text.replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME')
}

const failing = (): never => {
  throw new Error('unreadable')
}

const access = { category: 'access', id: '1', method: 'GET', path: '/a', status: 200, duration: 1 }

describe('textLogger', (test) => {
  table<readonly [title: string, members: object, message: string, expected: string]>(
    test,
    [
      ['a message', {}, 'Started', 'TIME INFO  Started'],
      [
        'a category and members',
        { category: 'orders', id: '1', count: 2, ok: true, none: undefined },
        'listed',
        'TIME INFO  orders  listed  count=2 ok=true id=1',
      ],
      ['text with spaces', { note: 'a b' }, 'x', 'TIME INFO  x  note="a b"'],
      ['objects', { order: { ids: [1, 2n] } }, 'x', 'TIME INFO  x  order={"ids":[1,"2"]}'],
      ['an id in the message', { id: 'a-1' }, 'error ID: a-1', 'TIME INFO  error ID: a-1'],
      [
        'a request without members that its message has',
        { ...access, address: '::1', endpoint: 'a.get', principal: 'ann' },
        'GET /a 200 1.0 ms',
        'TIME INFO  access  GET /a 200 1.0 ms  endpoint=a.get principal=ann',
      ],
      [
        'control characters',
        { category: 'a\n', 'b\u009b': 'c\u001b[2J' },
        'd\r\n\u2028\u202e',
        'TIME INFO  a\\u000a  d\\u000d\\u000a\\u2028\\u202e  b\\u009b="c\\u001b[2J"',
      ],
      [
        'a getter that throws',
        Object.defineProperty({}, 'a', { enumerable: true, get: failing }),
        'x',
        'TIME INFO  x  a="[unreadable]"',
      ],
      ['a nested one', { a: { toJSON: failing } }, 'x', 'TIME INFO  x  a="[object Object]"'],
    ],
    (_, members, message, expected) =>
      assert.is(
        outputOf((logger) => Reflect.apply(logger.info, undefined, [members, message])),
        `${expected}\n`,
      ),
  )

  test('writes an error with its members, its cause and source lines', () => {
    const cause = Object.assign(new TypeError('inner\nline'), { code: '23505' })
    const error = new AggregateError([new Error('first'), 'second'], '', { cause })
    const lines = outputOf((logger) =>
      logger.error({ category: 'request', err: error }, 'failed'),
    ).split('\n')
    assert.equal(lines.slice(0, 2), ['TIME ERROR request  failed', '  AggregateError'])
    for (const line of [
      /^    > \d+ \|     const error = new AggregateError\(/,
      /^        +\| +\^$/,
      /^      at .*text-logger\.test\.(?:ts|js):\d+:\d+\)?$/,
      /^      … \d+ of packages and Node\.js$/,
      /^    \[cause\] TypeError: inner$/,
      /^      line$/,
      /^      code=23505$/,
      /^    \[errors 0\] Error: first$/,
      /^    \[errors 1\] value=second$/,
    ])
      assert.ok(
        lines.some((text) => line.test(text)),
        `${line} in\n${lines.join('\n')}`,
      )
    assert.not.match(lines.join('\n'), 'node_modules')
  })
  test('reads no file that a message names', () => {
    const error = new Error('a\n    at x (/etc/passwd:1:1)')
    assert.not.match(
      outputOf((logger) => logger.error({ err: error }, 'failed')),
      'root:',
    )
  })
  test('writes errors without frames of the application, a message or a stack', () => {
    const error = new Error('')
    error.stack = 'Error\n    at connect (node:net:1:2)\n    at /a/node_modules/b.js:1:2'
    assert.is(
      outputOf((logger) => logger.error({ err: error }, 'failed')),
      'TIME ERROR failed\n  Error\n      at connect (node:net:1:2)\n      at /a/node_modules/b.js:1:2\n',
    )
    Reflect.deleteProperty(error, 'stack')
    assert.is(
      outputOf((logger) => logger.error({ err: error }, 'failed')),
      'TIME ERROR failed\n  Error\n',
    )
  })
  test('writes colours of the level and the status', () => {
    const red = '\u001b[31m'
    assert.ok(outputOf((logger) => logger.error({}, 'x'), true).includes(`${red}ERROR`))
    const failed = { ...access, status: 500 }
    assert.ok(outputOf((logger) => logger.info(failed, 'GET'), true).includes(`${red}GET`))
  })

  law(
    test,
    'events have no control characters, and further lines are indented',
    fc.tuple(unicodeString, unicodeString, fc.jsonValue(), unicodeString),
    ([name, message, value, text]) => {
      const output = outputOf((logger) =>
        logger.error({ [name]: value, err: new Error(text) }, message),
      )
      const [first = '', ...others] = output.split('\n')
      assert.match(first, /^TIME ERROR/)
      assert.is(others.pop(), '')
      for (const line of [first, ...others]) assert.not.match(line, /\p{Cc}/u)
      for (const line of others) assert.match(line, /^  /)
    },
  )
})

describe('hasColors', (test) =>
  table<readonly [isTTY: boolean, environment: Record<string, string>, expected: boolean]>(
    test,
    [
      [true, {}, true],
      [false, {}, false],
      [true, { NO_COLOR: '1' }, false],
      [true, { NO_COLOR: '' }, true],
      [true, { TERM: 'dumb' }, false],
      [false, { FORCE_COLOR: '' }, true],
      [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
      [true, { FORCE_COLOR: '0' }, false],
      [true, { FORCE_COLOR: 'false' }, false],
    ],
    (isTTY, environment, expected) => assert.is(hasColors({ isTTY }, environment), expected),
  ))

const program = fileURLToPath(new URL('../../programs/logging.js', import.meta.url))

const text =
  /^[\d:.]{12} ERROR request  HTTP request to \/book failed.*\n  Error: no book\n(?:.*\n)*    \[cause\] Error: duplicate\n      code=23505\n(?:.*\n)*[\d:.]{12} INFO  access  GET \/book 500 [\d.]+ ms  endpoint=book\n$/
const json = /^\{"time":.*"level":"error".*"code":"23505".*\}\n$/

describe('the default logger', (test) =>
  table<
    readonly [
      title: string,
      args: ReadonlyArray<string>,
      environment: Record<string, string>,
      expected: RegExp,
    ]
  >(
    test,
    [
      ['writes text in the profile dev', [], { FW_PROFILE: 'dev' }, text],
      ['writes each request once with accessLog', ['filtered'], { FW_PROFILE: 'dev' }, text],
      ['writes text in the profile dev when mounted', ['mounted'], { FW_PROFILE: 'dev' }, text],
      ['writes JSON in the profile prod, without requests', [], {}, json],
      [
        'writes text with direct connections',
        [],
        { FW_PROFILE: 'dev', FW_HTTP_CONNECTION: 'direct' },
        text,
      ],
      ['writes JSON if it is set', [], { FW_PROFILE: 'dev', FW_LOG_FORMAT: 'json' }, json],
      [
        'writes text if it is set, and colours if they are forced',
        [],
        { FW_LOG_FORMAT: 'text', FORCE_COLOR: '1' },
        // oxlint-disable-next-line no-control-regex
        /\u001b\[31mERROR\u001b\[39m/,
      ],
      [
        'writes the number of the instance',
        [],
        { FW_PROFILE: 'dev', FW_HTTP_INSTANCES: '2' },
        /ERROR request  HTTP request to \/book failed.* instance=\d\n  Error: no book\n/,
      ],
    ],
    async (_, args, environment, expected) => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
        env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ...environment },
      })
      assert.match(stdout, expected)
    },
  ))
