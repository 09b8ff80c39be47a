import * as assert from 'uvu/assert'
import type { CorsOptions } from '../../src/index.ts'
import { cors } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

describe('cors, invalid options', (test) => {
  table<readonly [string, CorsOptions, RegExp]>(
    test,
    [
      [
        'all origins with credentials',
        { origins: '*', credentials: true },
        /list the allowed origins/,
      ],
      ['* in a list', { origins: ['*'] }, /set origins to '\*'/],
      ['a trailing slash', { origins: ['https://a.example/'] }, /use https:\/\/a\.example$/],
      ['a path', { origins: ['https://a.example/b'] }, /use https:\/\/a\.example$/],
      ['upper case', { origins: ['https://A.example'] }, /use https:\/\/a\.example$/],
      ['the default port', { origins: ['https://a.example:443'] }, /use https:\/\/a\.example$/],
      ['no scheme', { origins: ['a.example'] }, /invalid origin "a.example"$/],
      ['an empty string', { origins: [''] }, /invalid origin ""$/],
      ['a wildcard', { origins: ['https://*.a.example'] }, /invalid origin /],
      [
        'an expression with exponential backtracking',
        { origins: [/https:\/\/([a-z-]+\.?)+\.example/] },
        /in more than one way/,
      ],
      [
        'an expression with cubic backtracking',
        { origins: [/https:\/\/[a-z-]+[a-z-]+[a-z-]+\.example/] },
        /the same text: .* to the power of 3$/,
      ],
      ['an expression that matches every text', { origins: [/.*/] }, /specify the hosts/],
      ['an expression that matches every host', { origins: [/https:\/\/.+/] }, /specify the hosts/],
      ['an invalid method', { origins: [], methods: ['GET, PUT'] }, /"GET, PUT"/],
      ['an invalid header name', { origins: [], headers: ['a\r\nb'] }, /"a\\r\\nb"/],
      ['an invalid exposed header name', { origins: [], exposedHeaders: [''] }, /""/],
      ['a negative maxAge', { origins: [], maxAge: -1 }, /seconds, got -1/],
      ['a fractional maxAge', { origins: [], maxAge: 0.5 }, /seconds, got 0.5/],
    ],
    (_, options, message) => assert.throws(() => cors(options), message),
  )

  test('valid options are accepted', () => {
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
