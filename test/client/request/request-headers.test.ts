/** The precedence of header sources, with and without the shortcut for distinct names. */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import {
  overrideHeaders,
  requestHeaders,
  userAgent,
} from '../../../src/client/request/request-headers.ts'
import type { RequestBody } from '../../../src/client/request/written-body.ts'
import { describe } from '../../support/describe.ts'

type Fields = ReadonlyArray<string>

const plain = { url: 'http://a', authorization: undefined }
const secret = { url: 'http://a', authorization: 'Basic YTpi' }
const none: Fields = []
const body = (headers: Fields): RequestBody => ({ contentType: 'text/plain', content: '', headers })

describe('request headers', (test) => {
  const names = [none, ['x-trace'], ['accept'], ['x-always', 'x-trace']]
  const bodies = [undefined, body([]), body(['Content-Encoding', 'gzip'])]
  for (const always of [none, ['X-Always', '1'], ['Accept', 'a/b'], ['User-Agent', 'me']])
    for (const declared of names)
      for (const usual of [plain, secret])
        test(`client headers [${always.join()}], parameters [${declared.join()}] and credentials ${usual.authorization ?? 'none'} are combined by precedence`, () => {
          const create = requestHeaders('text/plain', usual, always, declared)
          for (const sent of bodies)
            for (const base of [usual, plain, secret])
              for (const own of [none, ['X-TRACE', 'own'], ['Authorization', 'own']]) {
                const given = declared.flatMap((name) => [name, `given ${name}`])
                const first = [
                  'accept',
                  'text/plain',
                  ...(sent === undefined ? [] : ['content-type', 'text/plain', ...sent.headers]),
                  'user-agent',
                  'espalier/0.1.0',
                  ...(base.authorization === undefined
                    ? []
                    : ['authorization', base.authorization]),
                ]
                assert.equal(
                  create({ body: sent, base, parameters: given, options: own }),
                  overrideHeaders([first, always, given, own]),
                )
              }
        })
})

describe('userAgent', (test) => {
  test('contains the version of the package', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly version: string
    }
    assert.is(userAgent(), `espalier/${version}`)
  })
  for (const name of ['document', 'WorkerGlobalScope'])
    test(`returns undefined if globalThis has ${name}`, () => {
      Object.defineProperty(globalThis, name, { value: {}, configurable: true })
      try {
        assert.is(userAgent(), undefined)
      } finally {
        Reflect.deleteProperty(globalThis, name)
      }
    })
})
