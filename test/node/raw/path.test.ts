import type { Expected, Row } from '../../support/raw.ts'
import { open, raw, shut, to } from '../../support/raw.ts'

const paths: ReadonlyArray<readonly [path: string, expected: Expected]> = [
  ['/', open([200, 'root'])],
  ['/alive', open([200, 'alive'])],
  ['/alive/', open([200, 'alive'])], // a slash at the end makes no difference
  ['/alive//', open(404)], // an empty segment does
  ['//alive', open(404)],
  ['//a.example/alive', open(404)], // a path, not an authority
  ['/ALIVE', open(404)], // RFC 3986, 6.2.2.1: paths have a case
  ['/%61live', open([200, 'alive'])], // RFC 3986, 6.2.2.2
  ['/%61LIVE', open(404)],
  ['/alive%2F', open(404)], // RFC 3986, 2.2: an escaped slash separates nothing
  ['%2Falive', shut(400)],
  ['/alive%00', open(404)],
  ['/alive%20', open(404)],
  ['/alive.', open(404)],
  ['/./alive', open(404)], // RFC 3986, 5.2.4 is for references; the path is taken as it came
  ['/x/../alive', open(404)],
  ['/../alive', open(404)],
  ['/%2e%2e/alive', open(404)],
  ['/alive/..', open(404)],
  ['/..%2falive', open(404)],
  ['/..%5calive', open(404)],
  ['/etc/passwd', open(404)],
  ['/__proto__', open(404)],
  ['/constructor', open(404)],
  ['/segment/a', open([200, 'a'])], // RFC 3986, 3.3
  ['/segment/a/', open([200, 'a'])],
  ['/segment', open(404)],
  ['/segment/', open(404)],
  ['/segment//', open(404)],
  ['/segment//a', open(404)],
  ['/segment/a/b', open(404)],
  ['/segment/__proto__', open([200, '__proto__'])],
  ['/segment/a%20b', open([200, 'a b'])], // RFC 3986, 2.1
  ['/segment/a+b', open([200, 'a+b'])], // a plus is a plus outside forms
  ['/segment/%E2%82%ac', open([200, '€'])], // RFC 3986, 2.1: digits have no case
  ['/segment/%F0%9F%98%80', open([200, '😀'])],
  ["/segment/-._~!$&'()*,=:@", open([200, "-._~!$&'()*,=:@"])],
  ['/segment/a%2Fb', open([200, 'a/b'])],
  ['/segment/a%252Fb', open([200, 'a%2Fb'])], // decoded once
  ['/segment/..', open([200, '..'])],
  ['/segment/%2e%2e', open([200, '..'])],
  ['/segment/%5C', open([200, '\\'])],
  ['/segment/%00', open([200, '\0'])],
  ['/segment/%0D%0AX:1', open([200, '\r\nX:1', { x: undefined }])],
  ['/segment/%C0%AF', open(400)], // RFC 3629, 3: overlong
  ['/segment/%C1%81', open(400)],
  ['/segment/%E0%80%AF', open(400)],
  ['/segment/%ED%A0%80', open(400)], // RFC 3629, 3: a surrogate
  ['/segment/%F4%90%80%80', open(400)], // RFC 3629, 3: beyond U+10FFFF
  ['/segment/hunter2%FF', open(400)],
  ['/segment/%E2%82', open(400)], // cut short
  ['/nothing/%FF', open(400)],
  ['/rest/a', open([200, '["a"]'])],
  ['/rest/a/b%2Fc/..', open([200, '["a","b/c",".."]'])],
  ['/rest/a/', open([200, '["a"]'])],
  ['/rest/a//b', open(404)],
  ['/rest', open(404)],
  ['/number/1', open([200, '1'])],
  ['/number/%31', open([200, '1'])],
  ['/number/-1', open([200, '-1'])],
  ['/number/hunter2', open([404, /"in":"path","name":"n","detail":"must be an integer"/])],
  ['/number/1.5', open(404)],
  ['/number/0x10', open(404)],
  ['/number/1%20', open(404)],
  ['/number/9007199254740991', open([200, '9007199254740991'])],
  ['/number/9007199254740993', open(404)], // no double is that number
  ['/digits/123', open([200, '3'])],
  ['/digits/12a', open(404)],
  ['/digits/١٢٣', shut(400)],
  ['/digits/%D9%A1', open(404)], // a digit of another script
]

/** An expression is not tried against more than 1,024 characters. */
const lengths: ReadonlyArray<Row> = [
  ['1,023 digits', to(`GET /digits/${'1'.repeat(1023)}`), open([200, '1023'])],
  ['1,024 digits', to(`GET /digits/${'1'.repeat(1024)}`), open([200, '1024'])],
  ['1,025 digits', to(`GET /digits/${'1'.repeat(1025)}`), open(404)],
  ['6,000 digits', to(`GET /digits/${'1'.repeat(6000)}`), open(404)],
  ['6,000 digits and a letter', to(`GET /digits/${'1'.repeat(6000)}a`), open(404)],
  ['a segment of 6,000 letters', to(`GET /segment/${'a'.repeat(6000)}`), open([200, /^a{6000}$/])],
  ['3,000 segments', to(`GET /rest${'/a'.repeat(3000)}`), open([200, /^\["a"/])],
  ['3,000 segments that lead nowhere', to(`GET ${'/a'.repeat(3000)}`), open(404)],
  ['6,000 slashes', to(`GET ${'/'.repeat(6000)}`), open(404)],
]

/** RFC 3986, 3.3: parameters of a segment. */
const matrix: ReadonlyArray<readonly [path: string, expected: Expected]> = [
  ['/cars/a', open([200, 'a -'])],
  ['/cars/a;colour=red', open([200, 'a red'])],
  ['/cars;colour=red/a', open([200, 'a red'])],
  ['/cars;colour=blue/a;colour=red', open([200, 'a red'])],
  ['/cars/a;colour=red;colour=blue', open([200, 'a red'])],
  ['/cars/a;Colour=red', open([200, 'a -'])],
  ['/cars/a;;x;colour=r%3Bd', open([200, 'a r;d'])],
  ['/cars/a%3Bcolour=red', open([200, 'a;colour=red -'])],
  ['/cars/a;colour=hunter2%FF', open(400)],
  ['/cars/a;__proto__=1', open([200, 'a -'])],
  ['/cars/;colour=red', open(404)],
  ['/alive;v=1', open([200, 'alive'])],
]

const get = ([path, expected]: readonly [path: string, expected: Expected]): Row => [
  path,
  to(`GET ${Buffer.from(path).toString('latin1')}`),
  expected,
]

raw('paths', 'RFC 3986, 3.3', paths.map(get))
raw('length of paths', 'RFC 9110, 4.1', lengths)
raw('matrix parameters', 'RFC 3986, 3.3', matrix.map(get))
