/** The precedence of header sources. */
import { readFileSync } from 'node:fs'
import * as assert from 'uvu/assert'
import {
  headerWriter,
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
  const agent = ['user-agent', 'espalier/0.1.0']
  const accept = ['accept', 'text/plain']
  table<
    readonly [
      title: string,
      client: Fields,
      sources: Partial<Parameters<ReturnType<typeof requestHeaders>>[0]>,
      expected: Fields,
    ]
  >(
    test,
    [
      ['no other source', none, {}, [...accept, ...agent]],
      [
        'a body, with headers of its own',
        none,
        { body: body(['Content-Encoding', 'gzip']) },
        [...accept, 'content-type', 'text/plain', 'content-encoding', 'gzip', ...agent],
      ],
      [
        'credentials in the base URL',
        none,
        { base: secret },
        [...accept, ...agent, 'authorization', 'Basic YTpi'],
      ],
      ['headers of the client', ['X-Always', '1'], {}, [...accept, ...agent, 'x-always', '1']],
      [
        'client headers replace defaults',
        ['User-Agent', 'me'],
        {},
        [...accept, 'user-agent', 'me'],
      ],
      [
        'parameters replace client headers',
        ['X-Trace', 'client', 'X-Always', '1'],
        { parameters: ['x-trace', 'parameter'] },
        [...accept, ...agent, 'x-always', '1', 'x-trace', 'parameter'],
      ],
      [
        'options replace all other headers',
        ['X-Trace', 'client'],
        {
          base: secret,
          parameters: ['x-trace', 'parameter', 'x-other', '1'],
          options: ['X-TRACE', 'options', 'Authorization', 'options'],
        },
        [...accept, ...agent, 'x-other', '1', 'x-trace', 'options', 'authorization', 'options'],
      ],
      [
        'repeated headers are kept',
        none,
        { parameters: ['x-a', '1', 'x-a', '2'], options: ['X-B', '1', 'X-B', '2'] },
        [...accept, ...agent, 'x-a', '1', 'x-a', '2', 'x-b', '1', 'x-b', '2'],
      ],
    ],
    (_, client, sources, expected) =>
      assert.equal(
        requestHeaders(
          'text/plain',
          client,
        )({
          isKeyed: false,
          body: undefined,
          base: plain,
          parameters: none,
          options: none,
          ...sources,
        }),
        expected,
      ),
  )
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
