/** The log of requests in the format `text`: for one program, unless `accessLog` or another format logs them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { accessLog, get, handle, path, routes, withFilter } from '../../../src/index.ts'
import { defaultSettings } from '../../../src/compiler/settings/settings.ts'
import type { SettingsInput } from '../../../src/compiler/settings/settings.ts'
import { interpret } from '../../../src/interpreter/pipeline.ts'
import { compile } from '../../../src/interpreter/program.ts'
import { logRequests } from '../../../src/node/log/request-log.ts'
import { describe, table } from '../../support/describe.ts'
import { exchangeOf } from '../../support/exchange.ts'
import { createRecorder } from '../../support/recorder.ts'

const hello = pipe(
  path('/hello'),
  get(),
  handle(() => undefined),
)
const plain = routes({ hello })
const filtered = pipe(routes({ hello }), withFilter(accessLog()))

type Api = typeof plain | typeof filtered

/** Compiles a tree. Returns a function that requests `GET /hello`, and the messages of the log. */
const start = (api: Api, settings: SettingsInput) => {
  const { lines, logger } = createRecorder()
  const program = compile(api, { ...defaultSettings, ...settings } as typeof defaultSettings, {
    logger,
  })
  const run = interpret(program)
  return {
    stop: logRequests(program),
    request: (): void => {
      const ends: Array<() => void> = []
      run(
        exchangeOf({ path: '/hello', onEnd: (end) => void ends.push(end) }, () =>
          ends.forEach((end) => end()),
        ),
      )
    },
    messages: () => lines.map(({ message }) => message.replace(/[\d.]+ ms/, 'TIME')),
  }
}

const line = 'GET /hello 204 TIME'

describe('logRequests', (test) => {
  table<readonly [title: string, api: Api, settings: SettingsInput, count: number]>(
    test,
    [
      ['text', plain, { 'fw.log.format': 'text' }, 1],
      ['text with accessLog', filtered, { 'fw.log.format': 'text' }, 1],
      ['JSON', plain, { 'fw.log.format': 'json' }, 0],
      [
        'a disabled category',
        plain,
        { 'fw.log.format': 'text', 'fw.log.category."access".level': 'off' },
        0,
      ],
    ],
    (_, api, settings, count) => {
      const { request, messages, stop } = start(api, settings)
      request()
      stop()
      assert.equal(
        messages(),
        Array.from({ length: count }, () => line),
      )
    },
  )
  test('logs only the requests of its program, until it is stopped', () => {
    const first = start(plain, { 'fw.log.format': 'text' })
    const second = start(plain, { 'fw.log.format': 'text' })
    first.request()
    assert.equal([first.messages(), second.messages()], [[line], []])
    first.stop()
    first.request()
    second.request()
    second.stop()
    assert.equal([first.messages(), second.messages()], [[line], [line]])
  })
})
