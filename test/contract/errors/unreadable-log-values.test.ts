/** Values that cannot be read, in log events and as errors: they neither fail requests nor lose lines. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  accessLog,
  get,
  handle,
  int,
  path,
  produces,
  routes,
  text,
  withFilter,
} from '../../../src/index.ts'
import { loggerByLevel } from '../../../src/compiler/settings/logger.ts'
import type { Logger } from '../../../src/compiler/settings/logger.ts'
import { jsonLogger } from '../../../src/node/log/json-logger.ts'
import { contract } from '../../support/contract.ts'
import { table } from '../../support/describe.ts'
import { sendRequest } from '../../support/send-request.ts'
import { waitUntil } from '../../support/wait-until.ts'

const fail = (): never => {
  throw new Error('unreadable')
}

/** Adds members that cannot be read. */
const unreadable = <A extends object>(target: A, ...names: ReadonlyArray<string>): A =>
  names.reduce(
    (value, name) => Object.defineProperty(value, name, { enumerable: true, get: fail }),
    target,
  )

const trapped = <A extends object>(target: A): A =>
  new Proxy(target, {
    get: fail,
    has: fail,
    ownKeys: fail,
    getOwnPropertyDescriptor: fail,
    getPrototypeOf: fail,
  })

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const cyclic: { self?: unknown } = {}
cyclic.self = cyclic

const unreadableError = () =>
  unreadable(new Error('x'), 'stack', 'name', 'message', 'cause', 'code', 'errors')

type Row = readonly [title: string, create: () => object]

const values: ReadonlyArray<Row> = [
  ['a getter that throws', () => unreadable({ a: 1 }, 'b')],
  ['a nested getter that throws', () => ({ order: unreadable({ id: 1 }, 'total') })],
  ['toJSON that throws', () => ({ order: { toJSON: fail } })],
  ['members whose toJSON throws', () => ({ toJSON: fail })],
  ['a revoked proxy', revoked],
  ['a nested revoked proxy', () => ({ a: revoked() })],
  ['a proxy with traps that throw', () => trapped({})],
  ['a nested proxy with traps that throw', () => ({ a: trapped({}) })],
  ['an error that cannot be read', () => ({ err: unreadableError() })],
  ['an error behind a proxy', () => ({ err: trapped(new Error('x')) })],
  ['a bigint', () => ({ a: 1n })],
  ['a cycle', () => cyclic],
  ['an object without a prototype', () => ({ a: Object.create(null) })],
]

const indexed = (at: number): object => values[at]?.[1]() ?? {}

/** Returns an error in the value with the given index, or otherwise the value. */
const thrown = (at: number): unknown =>
  values[at]?.[0].startsWith('an error') ? Reflect.get(indexed(at), 'err') : indexed(at)

const api = pipe(
  routes({
    logged: pipe(
      path('/logged/{at}', { at: int }),
      get(),
      produces(text),
      handle(({ path: { at } }, { logger }) => {
        Reflect.apply(logger('orders').info, undefined, [indexed(at), 'listed'])
        return 'ok'
      }),
    ),
    thrown: pipe(
      path('/thrown/{at}', { at: int }),
      get(),
      handle(({ path: { at } }) => {
        throw thrown(at)
      }),
    ),
  }),
  withFilter(accessLog({ headers: ['x-id'] })),
)

const lines: string[] = []

/** Loggers of applications. Those that cannot write a value throw. */
const loggers: ReadonlyArray<readonly [title: string, logger: Logger, writes: boolean]> = [
  ['the JSON logger', jsonLogger({ write: (line) => lines.push(line) }), true],
  [
    'a logger that throws for these values',
    loggerByLevel(() => (members, message) => {
      lines.push(`${message} ${JSON.stringify(members)}`)
    }),
    true,
  ],
  [
    'a logger whose children throw for these values',
    {
      ...loggerByLevel(() => fail),
      child: () =>
        loggerByLevel(() => (members, message) => {
          lines.push(`${message} ${JSON.stringify(members)}`)
        }),
    },
    true,
  ],
  ['a logger that always throws', loggerByLevel(() => fail), false],
  ['a logger that rejects', loggerByLevel(() => () => Promise.reject(new Error('full'))), false],
  [
    'a logger that creates no child',
    {
      ...loggerByLevel(() => (_, message) => {
        lines.push(message)
      }),
      child: fail,
    },
    true,
  ],
]

for (const [title, logger, writes] of loggers)
  contract(
    `values that cannot be logged, with ${title}`,
    api,
    (test, call) => {
      table<Row>(test, values, async (name) => {
        const at = values.findIndex(([other]) => other === name)
        lines.length = 0
        const logged = await sendRequest(call, `GET /logged/${at}`)
        assert.equal([logged.status, await logged.text()], [200, 'ok'])
        assert.is((await sendRequest(call, `GET /thrown/${at}`)).status, 500)
        if (!writes) return
        await waitUntil(() => lines.some((line) => line.includes(`GET /thrown/${at}`)))
        for (const message of ['listed', `HTTP request to /thrown/${at}`])
          assert.ok(
            lines.some((line) => line.includes(message)),
            message,
          )
      })
    },
    { logger },
  )
