/** The precedence of header sources, with and without the shortcut for distinct names. */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import {
  headerWriter,
  overrideHeaders,
  requestHeaders,
  userAgent,
} from '../../../src/client/request/request-headers.ts'
import type { RequestBody } from '../../../src/client/request/plain-body.ts'
import type { ValidationError } from '../../../src/http/failure.ts'
import { string } from '../../../src/index.ts'
import { describe, table } from '../../support/describe.ts'

type Fields = ReadonlyArray<string>

const plain = { url: 'http://a', authorization: undefined }
const secret = { url: 'http://a', authorization: 'Basic YTpi' }
const none: Fields = []
const body = (headers: Fields): RequestBody => ({ contentType: 'text/plain', content: '', headers })

describe('requestHeaders', (test) => {
  const names = [none, ['x-trace'], ['accept'], ['x-always', 'x-trace']]
  const bodies = [undefined, body([]), body(['Content-Encoding', 'gzip'])]
  for (const always of [none, ['X-Always', '1'], ['Accept', 'a/b'], ['User-Agent', 'me']])
    for (const declared of names)
      for (const base of [plain, secret])
        test(`client headers [${always.join()}], parameters [${declared.join()}] and credentials ${base.authorization ?? 'none'} are combined by precedence`, () => {
          const create = requestHeaders('text/plain', base, always, declared)
          for (const sent of bodies)
            for (const actual of [base, plain, secret])
              for (const options of [none, ['X-TRACE', 'options'], ['Authorization', 'options']]) {
                const parameters = declared.flatMap((name) => [name, `parameter ${name}`])
                const first = [
                  'accept',
                  'text/plain',
                  ...(sent === undefined ? [] : ['content-type', 'text/plain', ...sent.headers]),
                  'user-agent',
                  'espalier/0.1.0',
                  ...(actual.authorization === undefined
                    ? []
                    : ['authorization', actual.authorization]),
                ]
                assert.equal(
                  create({ body: sent, base: actual, parameters, options }),
                  overrideHeaders([first, always, parameters, options]),
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

describe('headerWriter', (test) => {
  const latin =
    'must contain only characters up to U+00FF (Latin-1), got another one at position 2: encode it, for example with encodeURIComponent'
  table<readonly [value: string, detail: string | undefined]>(
    test,
    [
      ['é\tÿ', undefined],
      ['ab€', latin],
      ['ab🎈', latin],
      ['a\nb', 'must not contain control characters, got one at position 1'],
      ['a\x7f', 'must not contain control characters, got one at position 1'],
      [' a', 'must not have whitespace at its start or end'],
    ],
    (value, detail) => {
      const errors: ValidationError[] = []
      const written = headerWriter(new Map([['name', string]]), () => 'x-name')(
        { header: { name: value } },
        errors,
      )
      assert.equal(written, detail === undefined ? ['x-name', value] : [])
      assert.equal(errors, detail === undefined ? [] : [{ in: 'header', name: 'x-name', detail }])
    },
  )
})
