import type { Row } from '../../support/raw.ts'
import { head, open, raw, shut, to } from '../../support/raw.ts'

const forms: ReadonlyArray<Row> = [
  ['origin form', to('GET /target?a=1'), open([200, '/target a=1'])], // RFC 9112, 3.2.1
  ['an empty query', to('GET /target?'), open([200, '/target '])], // 3.2.1
  ['two question marks', to('GET /target?a?b'), open([200, '/target a?b'])], // RFC 3986, 3.4
  ['brackets in the query', to('GET /target?a[b]=1'), open([200, '/target a[b]=1'])], // browsers send them
  ['absolute form', to('GET http://b.example/target?a'), open([200, '/target a'])], // 3.2.2
  ['absolute form with a port', to('GET http://b.example:81/target'), open(200)], // 3.2.2
  ['absolute form in capitals', to('GET HTTP://B.EXAMPLE/target'), open(200)], // RFC 3986, 3.1
  ['absolute form of an address', to('GET http://[::1]/target'), open(200)], // RFC 3986, 3.2.2
  ['absolute form without a path', to('GET http://b.example'), open([200, 'root'])], // 3.2.1
  ['absolute form without Host', head('GET http://b.example/target HTTP/1.1'), shut(400)], // 3.2
  ['absolute form with user information', to('GET http://u:hunter2@b.example/'), shut(400)], // RFC 9110, 4.2.4
  ['absolute form without a host', to('GET http:///target'), shut(400)], // RFC 9110, 4.2.1
  ['absolute form with a port too large', to('GET http://b.example:65536/'), shut(400)], // RFC 3986, 3.2.3
  ['absolute form of another scheme', to('GET ftp://b.example/target'), shut(400)], // 3.2.2
  ['authority form with GET', to('GET b.example:80'), shut(400)], // 3.2.3
  ['authority form with CONNECT', to('CONNECT b.example:80'), shut([405, /./, { allow: '' }])], // RFC 9110, 9.3.6
  ['CONNECT and octets of a tunnel', `${to('CONNECT b.example:80')}\x16\x03\x01`, shut(405)], // RFC 9110, 9.3.6
  ['CONNECT behind a slow request', to('GET /slow') + to('CONNECT b.example:80'), shut(200, 405)], // 9.3.2
  ['CONNECT to a path', to('CONNECT /alive'), shut(405)], // 3.2.3
  ['asterisk form with OPTIONS', to('OPTIONS *'), open([204, ''])], // 3.2.4
  ['asterisk form by way of a proxy', to('OPTIONS http://b.example'), open([204, ''])], // 3.2.4
  ['asterisk form with GET', to('GET *'), shut(400)], // 3.2.4
  ['asterisk form with HEAD', to('HEAD *'), shut([400, ''])], // 3.2.4
  ['asterisk and more', to('OPTIONS *x'), shut(400)], // 3.2.4
  ['no slash', to('GET alive'), shut(400)], // 3.2.1
  ['a fragment', to('GET /target#hunter2'), shut(400)], // RFC 9110, 7.1: never sent
  ['a fragment behind a query', to('GET /target?a#hunter2'), shut(400)], // RFC 9110, 7.1
  ['an escape that is none', to('GET /segment/%zz'), shut(400)], // RFC 3986, 2.1
  ['an escape cut short', to('GET /segment/%4'), shut(400)], // RFC 3986, 2.1
  ['a percent sign alone', to('GET /target?100%'), shut(400)], // RFC 3986, 2.1
]

/** RFC 3986, 2 and appendix A: these stand nowhere in a URI. */
const strange = ['"', '<', '>', '\\', '^', '`', '{', '|', '}', '\0', '\x01', '\t', '\x7f', '\xe9']

/** RFC 3986, 3.3: brackets belong to addresses, and to queries by custom. */
const notInPaths = [...strange, '[', ']']

raw('target', 'RFC 9112, 3.2', [
  ...forms,
  ...notInPaths.map((char): Row => [`${char} in a path`, to(`GET /segment/a${char}`), shut(400)]),
  ...strange.map((char): Row => [`${char} in a query`, to(`GET /target?a${char}`), shut(400)]),
])
