import * as assert from 'uvu/assert'
import * as IpAddress from '../../src/http/ip-address.ts'
import { describe, table } from '../support/describe.ts'

describe('IpAddress.family', (test) => {
  table(
    test,
    [
      ['192.0.2.16', 'ipv4'], // RFC 3986, 3.2.2
      ['0.0.0.0', 'ipv4'],
      ['255.255.255.255', 'ipv4'],
      ['256.0.0.1', undefined],
      ['01.2.3.4', undefined],
      ['1.2.3', undefined],
      ['1.2.3.4.5', undefined],
      ['2001:db8::7', 'ipv6'],
      ['::', 'ipv6'],
      ['::1', 'ipv6'],
      ['::ffff:192.0.2.1', 'ipv6'],
      ['1:2:3:4:5:6:7:8', 'ipv6'],
      ['1:2:3:4:5:6:7', undefined],
      ['1::2::3', undefined],
      ['[::1]', undefined],
      ['fe80::1%eth0', undefined], // zones have no meaning for other hosts
      ['example.org', undefined],
      ['', undefined],
      [' 1.2.3.4', undefined],
    ] as const,
    (text, expected) => assert.is(IpAddress.family(text), expected),
  )
})

const block = (family: IpAddress.Family, address: string, prefix: number) => ({
  address,
  family,
  prefix,
})

describe('IpAddress.parseCidr', (test) => {
  table(
    test,
    [
      ['10.0.0.0/8', block('ipv4', '10.0.0.0', 8)], // RFC 4632, 3.1
      ['10.1.2.3/8', block('ipv4', '10.1.2.3', 8)], // bits after the prefix may be set
      ['192.0.2.1', block('ipv4', '192.0.2.1', 32)],
      ['0.0.0.0/0', block('ipv4', '0.0.0.0', 0)],
      ['fd00::/8', block('ipv6', 'fd00::', 8)], // RFC 4291, 2.3
      ['::1', block('ipv6', '::1', 128)],
      ['::ffff:10.0.0.0/104', block('ipv6', '::ffff:10.0.0.0', 104)],
      ['10.0.0.0/33', undefined],
      ['::/129', undefined],
      ['10.0.0.0/', undefined],
      ['10.0.0.0/08', undefined],
      ['10.0.0.0/-1', undefined],
      ['10.0.0.0/8/8', undefined],
      ['10.0.0.0/255.0.0.0', undefined],
      ['/8', undefined],
      ['10/8', undefined],
      ['localhost', undefined],
      ['', undefined],
    ] as const,
    (text, expected) => assert.equal(IpAddress.parseCidr(text), expected),
  )
})

describe('IpAddress.unmapIpv4', (test) => {
  table(
    test,
    [
      ['::ffff:192.0.2.1', '192.0.2.1'], // RFC 4291, 2.5.5.2
      ['::FFFF:192.0.2.1', '192.0.2.1'],
      ['192.0.2.1', '192.0.2.1'],
      ['::1', '::1'],
      ['::ffff:1', '::ffff:1'],
      ['::fffe:192.0.2.1', '::fffe:192.0.2.1'],
    ] as const,
    (text, expected) => assert.is(IpAddress.unmapIpv4(text), expected),
  )
})

describe('IpAddress.subscriberNetwork', (test) => {
  table(
    test,
    [
      ['192.0.2.16', '192.0.2.16'],
      ['::ffff:192.0.2.16', '192.0.2.16'],
      ['::FFFF:192.0.2.16', '192.0.2.16'],
      ['::ffff:c000:210', '192.0.2.16'],
      ['0:0:0:0:0:ffff:c000:0210', '192.0.2.16'],
      ['0:0:0:0:0:ffff:192.0.2.16', '192.0.2.16'],
      ['::ffff:0:0', '0.0.0.0'],
      ['2001:db8:1:ff00::1', '2001:db8:1:ff00::/56'],
      ['2001:db8:1:ffff:1:2:3:4', '2001:db8:1:ff00::/56'],
      ['2001:0DB8:0001:FF42:0:0:0:0', '2001:db8:1:ff00::/56'],
      ['2001:db8:1:fe00::1', '2001:db8:1:fe00::/56'],
      ['2001:db8:1::', '2001:db8:1:0::/56'],
      ['::1', '0:0:0:0::/56'],
      ['::', '0:0:0:0::/56'],
      ['::1:2:3:4:5:6:7', '0:1:2:0::/56'],
      ['64:ff9b::192.0.2.16', '64:ff9b:0:0::/56'], // the address of a translator (RFC 6052) is not mapped
      ['::192.0.2.16', '0:0:0:0::/56'],
      ['fe80::1%eth0', 'fe80:0:0:0::/56'],
      ['unix:', 'unix:'],
      ['1::2::3', '1::2::3'],
    ] as const,
    (address, expected) => assert.is(IpAddress.subscriberNetwork(address), expected),
  )
})
