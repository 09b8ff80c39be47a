import type { Expected, Row } from '../../support/raw.ts'
import { keepsOpen, rawRequests, closes, rawRequest } from '../../support/raw.ts'

const paths: ReadonlyArray<readonly [path: string, expected: Expected]> = [
  ['/', keepsOpen([200, 'root'])],
  ['/alive', keepsOpen([200, 'alive'])],
  ['/alive/', keepsOpen([200, 'alive'])], // a trailing slash is ignored
  ['/alive//', keepsOpen(404)], // an empty segment is not
  ['//alive', keepsOpen(404)],
  ['//a.example/alive', keepsOpen(404)], // a path, not an authority
  ['/ALIVE', keepsOpen(404)], // RFC 3986, 6.2.2.1: paths are case-sensitive
  ['/%61live', keepsOpen([200, 'alive'])], // RFC 3986, 6.2.2.2
  ['/%61LIVE', keepsOpen(404)],
  ['/alive%2F', keepsOpen(404)], // RFC 3986, 2.2: an escaped slash is not a separator
  ['%2Falive', closes(400)],
  ['/alive%00', keepsOpen(404)],
  ['/alive%20', keepsOpen(404)],
  ['/alive.', keepsOpen(404)],
  ['/./alive', keepsOpen(404)], // RFC 3986, 5.2.4 applies to references; the path is used unchanged
  ['/x/../alive', keepsOpen(404)],
  ['/../alive', keepsOpen(404)],
  ['/%2e%2e/alive', keepsOpen(404)],
  ['/alive/..', keepsOpen(404)],
  ['/..%2falive', keepsOpen(404)],
  ['/..%5calive', keepsOpen(404)],
  ['/etc/passwd', keepsOpen(404)],
  ['/__proto__', keepsOpen(404)],
  ['/constructor', keepsOpen(404)],
  ['/segment/a', keepsOpen([200, 'a'])], // RFC 3986, 3.3
  ['/segment/a/', keepsOpen([200, 'a'])],
  ['/segment', keepsOpen(404)],
  ['/segment/', keepsOpen(404)],
  ['/segment//', keepsOpen(404)],
  ['/segment//a', keepsOpen(404)],
  ['/segment/a/b', keepsOpen(404)],
  ['/segment/__proto__', keepsOpen([200, '__proto__'])],
  ['/segment/a%20b', keepsOpen([200, 'a b'])], // RFC 3986, 2.1
  ['/segment/a+b', keepsOpen([200, 'a+b'])], // `+` encodes a space only in forms
  ['/segment/%E2%82%ac', keepsOpen([200, '€'])], // RFC 3986, 2.1: hexadecimal digits are case-insensitive
  ['/segment/%F0%9F%98%80', keepsOpen([200, '😀'])],
  ["/segment/-._~!$&'()*,=:@", keepsOpen([200, "-._~!$&'()*,=:@"])],
  ['/segment/a%2Fb', keepsOpen([200, 'a/b'])],
  ['/segment/a%252Fb', keepsOpen([200, 'a%2Fb'])], // decoded once
  ['/segment/..', keepsOpen([200, '..'])],
  ['/segment/%2e%2e', keepsOpen([200, '..'])],
  ['/segment/%5C', keepsOpen([200, '\\'])],
  ['/segment/%00', keepsOpen([200, '\0'])],
  ['/segment/%0D%0AX:1', keepsOpen([200, '\r\nX:1', { x: undefined }])],
  ['/segment/%C0%AF', keepsOpen(400)], // RFC 3629, 3: overlong
  ['/segment/%C1%81', keepsOpen(400)],
  ['/segment/%E0%80%AF', keepsOpen(400)],
  ['/segment/%ED%A0%80', keepsOpen(400)], // RFC 3629, 3: a surrogate
  ['/segment/%F4%90%80%80', keepsOpen(400)], // RFC 3629, 3: beyond U+10FFFF
  ['/segment/hunter2%FF', keepsOpen(400)],
  ['/segment/%E2%82', keepsOpen(400)], // truncated
  ['/nothing/%FF', keepsOpen(400)],
  ['/rest/a', keepsOpen([200, '["a"]'])],
  ['/rest/a/b%2Fc/..', keepsOpen([200, '["a","b/c",".."]'])],
  ['/rest/a/', keepsOpen([200, '["a"]'])],
  ['/rest/a//b', keepsOpen(404)],
  ['/rest', keepsOpen(404)],
  ['/number/1', keepsOpen([200, '1'])],
  ['/number/%31', keepsOpen([200, '1'])],
  ['/number/-1', keepsOpen([200, '-1'])],
  ['/number/hunter2', keepsOpen([404, /"in":"path","name":"n","detail":"must be an integer"/])],
  ['/number/1.5', keepsOpen(404)],
  ['/number/0x10', keepsOpen(404)],
  ['/number/1%20', keepsOpen(404)],
  ['/number/9007199254740991', keepsOpen([200, '9007199254740991'])],
  ['/number/9007199254740993', keepsOpen(404)], // not representable as a double
  ['/digits/123', keepsOpen([200, '3'])],
  ['/digits/12a', keepsOpen(404)],
  ['/digits/١٢٣', closes(400)],
  ['/digits/%D9%A1', keepsOpen(404)], // a digit of another script
]

/** Regular expressions are not applied to more than 1,024 characters. */
const lengths: ReadonlyArray<Row> = [
  ['1,023 digits', rawRequest(`GET /digits/${'1'.repeat(1023)}`), keepsOpen([200, '1023'])],
  ['1,024 digits', rawRequest(`GET /digits/${'1'.repeat(1024)}`), keepsOpen([200, '1024'])],
  ['1,025 digits', rawRequest(`GET /digits/${'1'.repeat(1025)}`), keepsOpen(404)],
  ['6,000 digits', rawRequest(`GET /digits/${'1'.repeat(6000)}`), keepsOpen(404)],
  ['6,000 digits and a letter', rawRequest(`GET /digits/${'1'.repeat(6000)}a`), keepsOpen(404)],
  [
    'a segment of 6,000 letters',
    rawRequest(`GET /segment/${'a'.repeat(6000)}`),
    keepsOpen([200, /^a{6000}$/]),
  ],
  ['3,000 segments', rawRequest(`GET /rest${'/a'.repeat(3000)}`), keepsOpen([200, /^\["a"/])],
  ['3,000 segments of an unknown path', rawRequest(`GET ${'/a'.repeat(3000)}`), keepsOpen(404)],
  ['6,000 slashes', rawRequest(`GET ${'/'.repeat(6000)}`), keepsOpen(404)],
]

/** RFC 3986, 3.3: parameters of a path segment. */
const matrix: ReadonlyArray<readonly [path: string, expected: Expected]> = [
  ['/cars/a', keepsOpen([200, 'a -'])],
  ['/cars/a;colour=red', keepsOpen([200, 'a red'])],
  ['/cars;colour=red/a', keepsOpen([200, 'a red'])],
  ['/cars;colour=blue/a;colour=red', keepsOpen([200, 'a red'])],
  ['/cars/a;colour=red;colour=blue', keepsOpen([200, 'a red'])],
  ['/cars/a;Colour=red', keepsOpen([200, 'a -'])],
  ['/cars/a;;x;colour=r%3Bd', keepsOpen([200, 'a r;d'])],
  ['/cars/a%3Bcolour=red', keepsOpen([200, 'a;colour=red -'])],
  ['/cars/a;colour=hunter2%FF', keepsOpen(400)],
  ['/cars/a;__proto__=1', keepsOpen([200, 'a -'])],
  ['/cars/;colour=red', keepsOpen(404)],
  ['/alive;v=1', keepsOpen([200, 'alive'])],
]

const get = ([path, expected]: readonly [path: string, expected: Expected]): Row => [
  path,
  rawRequest(`GET ${Buffer.from(path).toString('latin1')}`),
  expected,
]

rawRequests('paths', 'RFC 3986, 3.3', paths.map(get))
rawRequests('path length', 'RFC 9110, 4.1', lengths)
rawRequests('matrix parameters', 'RFC 3986, 3.3', matrix.map(get))
