import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import * as Settings from '../../../src/compiler/settings/settings.ts'
import { describe, table } from '../../support/describe.ts'

const name = 'fw.http.public-url'
const read = (text: unknown) => Settings.readSettings({ [name]: text })

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
      const settings = read(text)
      assert.is(E.isRight(settings) ? settings.right[name] : 'rejected', expected)
      assert.equal(E.isRight(settings) ? read(settings.right[name]) : undefined, settings)
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
        read(text),
        E.left([
          {
            name,
            expected:
              'an absolute URL such as https://api.example.com/v1, without user information, query and fragment',
          },
        ]),
      ),
  )
})
