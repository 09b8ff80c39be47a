import { describe, table } from '../../support/describe.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { hostCheck } from '../../../src/compiler/settings/hosts.ts'
import * as Settings from '../../../src/compiler/settings/settings.ts'

const name = 'fw.http.allowed-hosts'

const read = (text: unknown): ReadonlyArray<string> | undefined => {
  const settings = Settings.readSettings({ [name]: text })
  return E.isRight(settings) ? settings.right[name] : undefined
}

describe('fw.http.allowed-hosts', (test) => {
  table<readonly [string, ReadonlyArray<string>]>(
    test,
    [
      ['', []],
      ['example.com', ['example.com']],
      ['Example.COM., a.example:8443', ['example.com', 'a.example:8443']],
      ['*.Example.com, *.b.example:80', ['*.example.com', '*.b.example:80']],
      ['[::1], [0:0::0001]:8080', ['[::1]', '[::1]:8080']],
      ['192.0.2.1,192.0.2.1:80', ['192.0.2.1', '192.0.2.1:80']],
      ['localhost, a_b-c', ['localhost', 'a_b-c']],
      ['bücher.example', ['xn--bcher-kva.example']],
    ],
    (text, expected) => {
      assert.equal(read(text), expected)
      assert.equal(read(expected), expected)
    },
  )
  test('accepts an array of normal forms only', () => assert.is(read(['Example.com']), undefined))
  table<readonly [string]>(
    test,
    [
      ['*'],
      ['*.'],
      ['a.*.example'],
      ['*example.com'],
      ['*.192.0.2.1'],
      ['*.[::1]'],
      ['https://example.com'],
      ['example.com/a'],
      ['example.com:'],
      ['example.com:0'],
      ['example.com:65536'],
      ['example.com:http'],
      ['example..com'],
      ['.example.com'],
      ['a b'],
      ['::1'],
      ['[::1'],
      ['[1:2]'],
      ['[::1%25eth0]'],
      ['127.1'],
      ['999.0.0.1'],
      ['ann@example.com'],
      ['ex%61mple.com'],
      ['example.com, *'],
    ],
    (text) => assert.is(read(text), undefined),
  )
})

const isAllowed = (hosts: string, origin: string) => hostCheck(read(hosts) ?? [])?.(origin)

describe('hostCheck', (test) => {
  table<readonly [string, string, boolean]>(
    test,
    [
      ['http://example.com', 'example.com', true],
      ['http://EXAMPLE.com:8080', 'example.com', true],
      ['https://example.com.', 'example.com', true],
      ['http://example.com.:81', 'example.com', true],
      ['http://example.com..', 'example.com', false],
      ['http://evil.example', 'example.com', false],
      ['http://a.example.com', 'example.com', false],
      ['http://example.com.evil.example', 'example.com', false],
      ['http://example.com', 'example.com:80', true],
      ['http://example.com:80', 'example.com:80', true],
      ['http://example.com:080', 'example.com:80', true],
      ['http://example.com:', 'example.com:80', true],
      ['https://example.com', 'example.com:443', true],
      ['https://example.com', 'example.com:80', false],
      ['http://example.com', 'example.com:443', false],
      ['http://example.com:8080', 'example.com:80', false],
      ['http://example.com:8443', 'a.example, example.com:8443', true],
      ['http://a.example.com', '*.example.com', true],
      ['http://a.b.example.com:8080', '*.example.com', true],
      ['http://a.example.com:8080', '*.example.com:8080', true],
      ['http://a.example.com', '*.example.com:8080', false],
      ['http://example.com', '*.example.com', false],
      ['http://evilexample.com', '*.example.com', false],
      ['http://[::1]', '[::1]', true],
      ['http://[0:0:0:0:0:0:0:0001]:8080', '[::1]', true],
      ['http://[::2]', '[::1]', false],
      ['http://[::ffff:127.0.0.1]', '127.0.0.1', false],
      ['http://[::FFFF:127.0.0.1]', '[::ffff:7f00:1]', true],
      ['http://127.0.0.1:8080', '127.0.0.1', true],
      ['http://127.1', '127.0.0.1', false],
      ['http://2130706433', '127.0.0.1', false],
      ['http://ex%61mple.com', 'example.com', false],
    ],
    (origin, hosts, expected) => assert.is(isAllowed(hosts, origin), expected),
  )
  test('is undefined for an empty list', () => assert.is(hostCheck([]), undefined))
})

const publicUrlName = 'fw.http.public-url'
const readUrl = (text: unknown) => Settings.readSettings({ [publicUrlName]: text })

describe('fw.http.public-url', (test) => {
  table<readonly [string, string | undefined]>(
    test,
    [
      ['', undefined],
      ['https://api.example.com', 'https://api.example.com'],
      ['https://api.example.com/', 'https://api.example.com'],
      ['HTTPS://API.Example.COM/V1', 'https://api.example.com/V1'],
      ['https://api.example.com/v1/', 'https://api.example.com/v1'],
      ['https://api.example.com:443/v1', 'https://api.example.com/v1'],
      ['http://api.example.com:8080/a/b', 'http://api.example.com:8080/a/b'],
      ['http://[::0001]:81', 'http://[::1]:81'],
      ['http://192.0.2.1', 'http://192.0.2.1'],
      ['https://bücher.example/%C3%A4', 'https://xn--bcher-kva.example/%C3%A4'],
    ],
    (text, expected) => {
      const settings = readUrl(text)
      assert.is(E.isRight(settings) ? settings.right[publicUrlName] : 'rejected', expected)
      assert.equal(
        E.isRight(settings) ? readUrl(settings.right[publicUrlName]) : undefined,
        settings,
      )
    },
  )
  table<readonly [string]>(
    test,
    [
      ['api.example.com'],
      ['//api.example.com'],
      ['/v1'],
      ['ftp://api.example.com'],
      ['https:api.example.com'],
      ['https:///v1'],
      ['https://'],
      ['https://:8080'],
      ['https://api.example.com:99999'],
      ['https://api.example.com:'],
      ['https://ann@api.example.com'],
      ['https://ann:secret@api.example.com'],
      ['https://api.example.com/v1?a'],
      ['https://api.example.com/v1?'],
      ['https://api.example.com#a'],
      ['https://api.example.com/a b'],
      ['https://api.example.com/a\\b'],
      ['https://api.example.com/%zz'],
      ['https://api.example.com/a/../b'],
      ['https://api.example.com//'],
      ['https://api.example.com/a//b'],
      ['https://*.example.com'],
      ['https://a.example.com, https://b.example.com'],
      ['https://999.0.0.1'],
      ['https://[::1'],
    ],
    (text) =>
      assert.equal(
        readUrl(text),
        E.left([
          {
            name: publicUrlName,
            expected:
              'an absolute URL such as https://api.example.com/v1, without user information, a query or a fragment',
          },
        ]),
      ),
  )
})
