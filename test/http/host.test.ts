import * as assert from 'uvu/assert'

import { describe, law, roundTrip, table } from '../support/describe.ts'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as Host from '../../src/http/host.ts'
import { cpuTime } from '../support/cpu-time.ts'

describe('Host.parseUrl', (test) => {
  test('parses absolute and relative URLs', () => {
    assert.is(Host.parseUrl('http://a.example/b')?.href, 'http://a.example/b')
    assert.is(Host.parseUrl('../c?d', 'http://a.example/b/')?.href, 'http://a.example/c?d')
  })
  test('returns undefined for an invalid URL', () => {
    assert.is(Host.parseUrl('/b'), undefined)
    assert.is(Host.parseUrl('http://a b/'), undefined)
    assert.is(Host.parseUrl('c', 'no base'), undefined)
  })
  test('parses characters beyond ASCII after many calls', () => {
    for (let index = 0; index < 200_000; index++)
      if (Host.parseUrl('http://b\u00fccher.example/\u00e9')?.hostname !== 'xn--bcher-kva.example')
        throw new Error(`call ${index} failed`)
  })
})

const host = (name: string, port?: number): O.Option<Host.Host> =>
  O.some({ host: name, port: O.fromNullable(port) })

describe('Host.parse', (test) => {
  table(
    test,
    [
      ['www.example.org', host('www.example.org')], // RFC 9110, 7.2
      ['www.example.org:8001', host('www.example.org', 8001)],
      ['WWW.Example.ORG', host('www.example.org')], // RFC 3986, 3.2.2: case-insensitive
      ['localhost', host('localhost')],
      ['a_b~c-d', host('a_b~c-d')],
      ["!$&'()*+,;=", host("!$&'()*+,;=")], // sub-delims
      ['caf%C3%A9.example', host('caf%c3%a9.example')],
      ['example.org.', host('example.org.')],
      ['192.0.2.16', host('192.0.2.16')], // 1.1.2
      ['192.0.2.16:80', host('192.0.2.16', 80)],
      ['999.0.0.1', host('999.0.0.1')], // not an IPv4 address, so a reg-name
      ['example.org:', host('example.org')], // 3.2.3: port = *DIGIT
      ['example.org:0', host('example.org', 0)],
      ['example.org:00080', host('example.org', 80)],
      ['example.org:65535', host('example.org', 65535)],
      ['example.org:65536', O.none],
      ['example.org:99999999999999999999', O.none],
      ['example.org:-1', O.none],
      ['example.org:8o', O.none],
      ['example.org:80:80', O.none],
      ['example.org: 80', O.none],
      ['', O.none], // RFC 9110, 4.2.1: not empty
      [':80', O.none],
      ['user@example.org', O.none], // 4.2.4
      ['user:secret@example.org', O.none],
      ['@example.org', O.none],
      ['caf%C3%A', O.none],
      ['caf%', O.none],
      ['a%zz', O.none],
      ['café.example', O.none],
      ['a b', O.none],
      [' a', O.none],
      ['a/b', O.none],
      ['a?b', O.none],
      ['a#b', O.none],
      ['a\\b', O.none],
      ['a"b', O.none],
      ['a<b>', O.none],
      ['a\n', O.none],
      ['a\0', O.none],
      ['http://a', O.none],
    ] as const,
    (text, expected) => assert.equal(Host.parse(text), expected),
  )
})

describe('Host.parse with IPv6 addresses', (test) => {
  table(
    test,
    [
      ['[2001:db8::7]', host('[2001:db8::7]')], // RFC 3986, 1.1.2
      ['[2001:DB8::7]:443', host('[2001:db8::7]', 443)],
      ['[::1]:', host('[::1]')],
      ['[::]', host('[::]')],
      [
        '[ABCD:EF01:2345:6789:ABCD:EF01:2345:6789]',
        host('[abcd:ef01:2345:6789:abcd:ef01:2345:6789]'),
      ], // RFC 4291, 2.2
      ['[2001:DB8:0:0:8:800:200C:417A]', host('[2001:db8:0:0:8:800:200c:417a]')],
      ['[2001:DB8::8:800:200C:417A]', host('[2001:db8::8:800:200c:417a]')],
      ['[FF01::101]', host('[ff01::101]')],
      ['[0:0:0:0:0:0:13.1.68.3]', host('[0:0:0:0:0:0:13.1.68.3]')],
      ['[::FFFF:129.144.52.38]', host('[::ffff:129.144.52.38]')],
      ['[::13.1.68.3]', host('[::13.1.68.3]')],
      ['[1:2:3:4:5::13.1.68.3]', host('[1:2:3:4:5::13.1.68.3]')],
      ['[1:2:3:4:5:6:7::]', host('[1:2:3:4:5:6:7::]')],
      ['[::2:3:4:5:6:7:8]', host('[::2:3:4:5:6:7:8]')],
      ['[1:2:3:4:5:6:7]', O.none],
      ['[1:2:3:4:5:6:7:8:9]', O.none],
      ['[1:2:3:4:5:6:7:8::]', O.none], // `::` replaces at least one group
      ['[1:2:3:4::5:6:7:8]', O.none],
      ['[1::2::3]', O.none],
      ['[:::]', O.none],
      ['[1:::2]', O.none],
      ['[:1:2:3:4:5:6:7]', O.none],
      ['[1:2:3:4:5:6:7:]', O.none],
      ['[12345::]', O.none],
      ['[::g]', O.none],
      ['[::256.1.1.1]', O.none],
      ['[::1.2.3]', O.none],
      ['[::01.2.3.4]', O.none],
      ['[::1.2.3.4.5]', O.none],
      ['[::a1.2.3.4]', O.none],
      ['[1.2.3.4::]', O.none], // IPv4 is allowed only at the end
      ['[1:2:3:4:5:6:7:1.2.3.4]', O.none],
      ['[1.2.3.4]', O.none],
      ['[fe80::1%25eth0]', O.none], // RFC 6874: zones have no meaning for other hosts
      ['[fe80::1%eth0]', O.none],
      ['[v1.fe80::a+en1]', O.none], // IPvFuture
      ['[]', O.none],
      ['[::1', O.none],
      ['::1', O.none],
      ['[::1]80', O.none],
      ['[::1]:65536', O.none],
      ['[::1]a', O.none],
      ['a[::1]', O.none],
    ] as const,
    (text, expected) => assert.equal(Host.parse(text), expected),
  )
})

describe('Host', (test) => {
  const named = fc.oneof(
    fc.domain(),
    fc.ipV4(),
    fc.ipV6().map((address) => `[${address}]`),
  )
  roundTrip(
    test,
    fc.tuple(named, fc.option(fc.nat(65535), { nil: undefined })),
    ([name, port]) => Host.format({ host: name, port: O.fromNullable(port) }),
    Host.parse,
    (actual, [name, port]) => assert.equal(actual, host(name.toLowerCase(), port)),
  )

  const near = fc.string({ unit: fc.constantFrom(...'[]:.%@/aF09 é\n'.split('')), maxLength: 24 })
  law(test, 'parse returns the same value for the formatted result', near, (text) => {
    const parsed = Host.parse(text)
    if (O.isSome(parsed)) assert.equal(Host.parse(Host.format(parsed.value)), parsed)
  })

  test('parse takes linear time', () => {
    for (const text of [
      '1'.repeat(65536),
      '[' + ':'.repeat(65536),
      '%41'.repeat(65536),
      '[' + '1.'.repeat(65536) + ']',
    ]) {
      const start = cpuTime()
      Host.parse(`${text}\n`)
      assert.ok(cpuTime() - start < 1000)
    }
  })
})
