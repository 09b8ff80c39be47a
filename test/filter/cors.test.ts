import * as assert from 'uvu/assert'
import type { CorsOptions } from '../../src/index.ts'
import { cors } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

describe('cors, what cannot be meant', (test) => {
  table<readonly [string, CorsOptions, RegExp]>(
    test,
    [
      ['R-380 everybody with credentials', { origins: '*', credentials: true }, /list the origins/],
      ['* among others', { origins: ['*'] }, /origins: '\*'/],
      ['a slash at the end', { origins: ['https://a.example/'] }, /write https:\/\/a\.example$/],
      ['a path', { origins: ['https://a.example/b'] }, /write https:\/\/a\.example$/],
      ['capitals', { origins: ['https://A.example'] }, /write https:\/\/a\.example$/],
      ['the default port', { origins: ['https://a.example:443'] }, /write https:\/\/a\.example$/],
      ['no scheme', { origins: ['a.example'] }, /"a.example" is not an origin$/],
      ['nothing', { origins: [''] }, /"" is not an origin$/],
      ['a pattern as text', { origins: ['https://*.a.example'] }, /is not an origin$/],
      [
        'an expression that a name holds up',
        { origins: [/https:\/\/([a-z-]+\.?)+\.example/] },
        /in several ways/,
      ],
      [
        'an expression that takes the cube of the length',
        { origins: [/https:\/\/[a-z-]+[a-z-]+[a-z-]+\.example/] },
        /distinguishable: .* power 3 of its length$/,
      ],
      ['an expression for anybody', { origins: [/.*/] }, /name the hosts/],
      ['an expression for anybody with a scheme', { origins: [/https:\/\/.+/] }, /name the hosts/],
      ['a method that is none', { origins: [], methods: ['GET, PUT'] }, /"GET, PUT"/],
      ['a field that is none', { origins: [], headers: ['a\r\nb'] }, /"a\\r\\nb"/],
      ['an exposed field that is none', { origins: [], exposedHeaders: [''] }, /""/],
      ['seconds below 0', { origins: [], maxAge: -1 }, /seconds, not -1/],
      ['part of a second', { origins: [], maxAge: 0.5 }, /seconds, not 0.5/],
    ],
    (_, options, message) => assert.throws(() => cors(options), message),
  )

  test('what can be meant', () => {
    assert.not.throws(() =>
      cors({
        origins: [
          'null',
          'http://localhost:3000',
          'chrome-extension://abcdef',
          /https:\/\/a/,
          /https:\/\/[a-z-]+[a-z-]+\.example/,
        ],
        maxAge: 0,
        credentials: true,
      }),
    )
  })
})
