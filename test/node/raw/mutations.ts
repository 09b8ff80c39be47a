/** Generates randomly mutated requests. */
import * as fc from 'fast-check'
import { chunkedRequest, head, rawRequest, requestWithBody } from '../../support/raw.ts'

const json = 'Content-Type: application/json'
const form = 'Content-Type: application/x-www-form-urlencoded'

const messages = [
  rawRequest('GET /alive'),
  rawRequest('GET /target?{a|b}^`[c]\\%'),
  rawRequest('GET /segment/a%20b;c=d?e=f', 'Accept: text/plain;q=0.5, */*;q=0.1'),
  rawRequest('GET http://b.example:81/target?a=b'),
  rawRequest('GET /query?n=1&q=a+b&tag=c&tag=%C3%A9'),
  rawRequest('GET /header', 'X-One: a', 'X-All: b', 'X-All: c', 'Authorization: Basic YQ=='),
  rawRequest('GET /cookie', 'Cookie: id=1; other="2"'),
  rawRequest('OPTIONS *'),
  rawRequest('DELETE /thing', 'Connection: close'),
  head('GET /alive HTTP/1.0', 'Connection: keep-alive'),
  requestWithBody('POST /text', 'abcdef', 'Content-Type: text/plain; charset="utf-8"'),
  requestWithBody('POST /text', 'abcdef', 'Expect: 100-continue'),
  requestWithBody('POST /json', '{"name":"a\\u00e9","b":[1,2.5e3,null]}', json),
  requestWithBody('POST /form', 'name=a%20b&tag=1&tag=2', form),
  chunkedRequest('POST /text', ['abc', 'def']),
  chunkedRequest('POST /text', ['abc']).replace('3\r\n', '00000000000000003\r\n'),
  rawRequest('POST /text', 'Content-Length:\t3 ') + 'abc' + rawRequest('GET /alive'),
  rawRequest('GET /alive', 'Connection: Upgrade', 'Upgrade: x') + rawRequest('GET /alive'),
  head('GET /alive HTTP/1.2', 'Host: a'),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  chunkedRequest('POST /bytes', ['abc']).replace('0\r\n\r\n', '0;a="b"\r\nX: 1\r\n\r\n'),
  rawRequest('GET /alive') +
    requestWithBody('POST /text', 'abc') +
    rawRequest('GET /choice', 'Accept: text/html'),
]

/** Strings that break parsers more often than random bytes do. */
const delimiter = fc.constantFrom(
  ...'\r\n\0 \t:;,"%/?#0{[\\\xff\x7f'.split(''),
  '\r\n',
  '\r\n\r\n',
  '//',
  '..',
  '-1',
  'ffffffffffffffff',
  '%00',
  '%ff',
  '__proto__',
)
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))

/** A change at a position, which is a fraction of the length of the text. */
const change: fc.Arbitrary<(text: string) => string> = fc
  .record({
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    width: fc.nat({ max: 12 }),
    kind: fc.constantFrom('replace', 'insert', 'delete', 'repeat', 'flip'),
    inserted: fc.oneof(byte, delimiter),
  })
  .map(({ from, width, kind, inserted }) => (text) => {
    const at = Math.floor(from * text.length)
    const [before, taken, after] = [
      text.slice(0, at),
      text.slice(at, at + width),
      text.slice(at + width),
    ]
    switch (kind) {
      case 'replace':
        return before + inserted + text.slice(at + 1)
      case 'insert':
        return before + inserted + taken + after
      case 'delete':
        return before + after
      case 'repeat':
        return before + taken + taken + after
      case 'flip':
        return (
          before +
          String.fromCharCode(text.charCodeAt(at) ^ (1 << (width % 8))) +
          text.slice(at + 1)
        )
    }
  })

/** Requests for `test/programs/raw-api.ts` with one to three random changes. */
export const mutatedMessages: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...messages), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([message, changes]) => changes.reduce((text, apply) => apply(text), message))
