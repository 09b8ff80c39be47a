import * as assert from 'uvu/assert'
import * as Forwarded from '../../src/http/forwarded.ts'
import { describe, law, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

/** Returns the members of an element that are not `undefined`. */
const definedParameters = (text: string): ReadonlyArray<Partial<Forwarded.ForwardedElement>> =>
  Forwarded.parse(text).map((element) =>
    Object.fromEntries(Object.entries(element).filter(([, value]) => value !== undefined)),
  )

describe('Forwarded.parse', (test) => {
  table(
    test,
    [
      ['for="_gazonk"', [{ for: '_gazonk' }]], // RFC 7239, 4
      ['For="[2001:db8:cafe::17]:4711"', [{ for: '[2001:db8:cafe::17]:4711' }]],
      [
        'for=192.0.2.60;proto=http;by=203.0.113.43',
        [{ for: '192.0.2.60', proto: 'http', by: '203.0.113.43' }],
      ],
      ['for=192.0.2.43, for=198.51.100.17', [{ for: '192.0.2.43' }, { for: '198.51.100.17' }]],
      ['for=_hidden, for=_SEVKISEK', [{ for: '_hidden' }, { for: '_SEVKISEK' }]], // 6.3
      [
        'for=192.0.2.43,for="[2001:db8:cafe::17]",for=unknown', // 7.1
        [{ for: '192.0.2.43' }, { for: '[2001:db8:cafe::17]' }, { for: 'unknown' }],
      ],
      ['host="a.example:8080";proto=https', [{ host: 'a.example:8080', proto: 'https' }]],
      ['for="a,b;c"', [{ for: 'a,b;c' }]], // separators inside a quoted string
      [String.raw`host="a\"b"`, [{ host: 'a"b' }]],
      [';for=192.0.2.43;;', [{ for: '192.0.2.43' }]], // a pair may be missing
      ['for=a ; proto=http', [{ for: 'a', proto: 'http' }]],
      ['for=a;ext=1', [{ for: 'a' }]], // 5.5: extension parameters
      ['for=a, , for=b', [{ for: 'a' }, { for: 'b' }]],
      ['', []],
      [',', []],
      ['for=a;for=b', [{}]], // a duplicate parameter
      ['for=a;For=b', [{}]],
      ['for=2001:db8::1', [{}]], // a colon must be quoted
      ['for', [{}]],
      ['for=', [{}]],
      ['for = a', [{}]],
      ['for=a b', [{}]],
      ['for="a', [{}]],
      ['for=a, not a pair, for=b', [{ for: 'a' }, {}, { for: 'b' }]],
      ['for=", for=192.0.2.43', [{}]], // an unterminated quoted string
    ] as const,
    (text, expected) => assert.equal(definedParameters(text), expected),
  )
  law(test, 'never throws', unicodeString, (text) => {
    for (const { for: node = '' } of Forwarded.parse(text)) Forwarded.addressOf(node)
  })
})

describe('Forwarded.addressOf', (test) => {
  table(
    test,
    [
      ['192.0.2.43', '192.0.2.43'], // RFC 7239, 6
      ['192.0.2.43:47011', '192.0.2.43'],
      ['[2001:db8:cafe::17]', '2001:db8:cafe::17'],
      ['[2001:db8:cafe::17]:47011', '2001:db8:cafe::17'],
      ['192.0.2.43:_port', '192.0.2.43'], // 6: an obfuscated port
      ['2001:db8:cafe::17', '2001:db8:cafe::17'], // as in X-Forwarded-For
      ['unknown', undefined], // 6.2
      ['_hidden', undefined], // 6.3
      ['192.0.2.256', undefined],
      ['192.0.2.43:', undefined],
      ['192.0.2.43:123456', undefined],
      ['[192.0.2.43]', undefined],
      ['[2001:db8:cafe::17', undefined],
      ['[fe80::1%eth0]', undefined],
      ['example.org', undefined],
      ['', undefined],
    ] as const,
    (node, expected) => assert.is(Forwarded.addressOf(node), expected),
  )
})
