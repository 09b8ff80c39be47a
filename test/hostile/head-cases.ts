/** Request targets and headers. */
import type { HostileCase } from './hostile-case.ts'
import { fill, got, headerSize, targetSize } from './hostile-case.ts'

type Row = readonly [
  title: string,
  expected: 2 | 3 | 4,
  target: string,
  ...headers: ReadonlyArray<string>,
]

const maxPairs = 1000
const pairs = (pair: string, separator = '&'): string =>
  `${pair}${separator}`
    .repeat(Math.min(maxPairs, Math.floor(targetSize / (pair.length + 1))))
    .slice(0, -1)
const query = (text: string): string => `/query?${text.slice(0, targetSize)}`
const numbered = (count: number, of: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => of(at)).join('')

const queries: ReadonlyArray<Row> = [
  ['names', 2, query(pairs('a'))],
  ['too many names', 4, query(fill('a&', targetSize))],
  ['pairs', 2, query(pairs('a=1'))],
  ['separators', 2, query(fill('&', targetSize))],
  ['empty pairs', 4, query(fill('=&', targetSize))],
  ['equals signs', 2, query(`a=${fill('=', targetSize - 2)}`)],
  ['escapes', 2, query(`a=${fill('%41', targetSize - 4)}`)],
  ['plus signs', 2, query(`a=${fill('+', targetSize - 4)}`)],
  ['escapes that are not UTF-8', 4, query(`a=${fill('%ff', targetSize - 4)}`)],
  ['escaped names', 2, query(pairs('%61=1'))],
  ['different names', 2, query(numbered(900, (at) => `f${at}=1&`))],
  ['brackets', 2, query(`a${fill('[x]', targetSize - 10)}=1`)],
  ['many brackets', 2, query(pairs('a[b][c]=1'))],
  ['integers', 2, query(pairs('n=12'))],
  ['no integers', 4, query(pairs('n=x'))],
  ['a long integer', 4, query(`n=${fill('1', targetSize - 2)}x`)],
  ['a number of many digits', 4, query(`x=${fill('1', targetSize - 3)}e`)],
  ['numbers', 2, query(pairs('x=1.5'))],
  ['no numbers', 4, query(pairs('x=-'))],
  ['instants', 2, query(pairs('d=2026-02-28T12:34:56Z'))],
  ['no instants', 4, query(pairs('d=2026-02-31T12:34:56Z'))],
  ['a long instant', 4, query(`d=${fill('2026-02-28T', targetSize - 2)}`)],
  ['a long fraction of a second', 4, query(`d=2026-02-28T12:34:56.${fill('1', targetSize - 40)}`)],
  ['UUIDs', 2, query(pairs('u=00112233-4455-6677-8899-aabbccddeeff'))],
  ['no UUIDs', 4, query(pairs('u=0'))],
  ['a set', 2, query(numbered(900, (at) => `s=${at}&`))],
  ['a sorted set', 2, query(numbered(900, (at) => `o=${900 - at}&`))],
  ['separated integers', 2, query(`c=1${fill(',1', targetSize - 4)}`)],
  ['separators of values', 2, query(`c=${fill(',', targetSize - 4)}`)],
  ['decimals', 2, query(pairs('b=1.5'))],
  ['a long decimal', 4, query(`b=${fill('1', targetSize - 4)}`)],
  ['no decimal', 4, query(`b=${fill('1', targetSize - 4)}x`)],
  ['durations', 2, query(pairs('t=PT1S'))],
  ['a long duration', 4, query(`t=P${fill('1D', targetSize - 4)}`)],
  ['a pattern', 2, query(pairs('m=abcdef-ghijkl'))],
  ['no pattern', 4, query(`m=${fill('a', targetSize - 4)}`)],
  ['hyphens for a pattern', 4, query(`m=${fill('a-', targetSize - 4)}`)],
  ['a map', 2, `/query-map?${pairs('a=1')}`],
  ['a map of different names', 2, `/query-map?${numbered(900, (at) => `f${at}=1&`)}`],
  ['an undeclared query', 2, `/path/int/1?${fill('a&', targetSize - 20)}`],
]

const paths: ReadonlyArray<Row> = [
  ['slashes', 4, fill('/', targetSize)],
  ['dots', 4, `/${fill('../', targetSize - 1)}`],
  ['segments', 4, fill('/a', targetSize)],
  ['escapes', 4, `/${fill('%41', targetSize - 1)}`],
  ['escaped slashes', 4, `/path/int/${fill('%2F', targetSize - 20)}`],
  ['escapes that are not UTF-8', 4, `/path/int/${fill('%ff', targetSize - 20)}`],
  ['a long integer', 4, `/path/int/${fill('1', targetSize - 20)}`],
  ['a long decimal', 4, `/path/decimal/${fill('1', targetSize - 20)}`],
  ['a long text instead of an instant', 4, `/path/instant/${fill('2026-', targetSize - 20)}`],
  ['hyphens between variables', 2, `/path/several/${fill('a-', 200)}b`],
  ['many hyphens between variables', 4, `/path/several/${fill('a-', targetSize - 20)}b`],
  ['hyphens alone', 4, `/path/several/${fill('-', targetSize - 20)}`],
  ['an expression that matches', 2, `/path/regex/${fill('a', 200)}1`],
  ['an expression for a long text', 4, `/path/regex/${fill('a', targetSize - 20)}1`],
  ['an expression that nearly matches', 4, `/path/regex/${fill('a', targetSize - 20)}-`],
  ['an expression with many starts', 4, `/path/regex/${fill('a1', targetSize - 20)}`],
  ['segments of a variable', 2, `/path/rest${fill('/1', targetSize - 20)}`],
  ['segments that are not numbers', 4, `/path/rest${fill('/x', targetSize - 20)}`],
  ['segments in front of an end', 4, `/path/tail${fill('/x', targetSize - 20)}/end`],
  ['many ends', 4, `/path/tail${fill('/end', targetSize - 20)}/end`],
  ['no end', 4, `/path/tail${fill('/x', targetSize - 20)}`],
  ['matrix parameters', 2, `/matrix/x${fill(';a=1', 3900)}`],
  ['too many matrix parameters', 4, `/matrix/x${fill(';a=1', targetSize - 20)}`],
  ['semicolons', 2, `/matrix/x${fill(';', targetSize - 20)}`],
  ['matrix parameters in other segments', 4, `/matrix${fill(';b=1', targetSize - 30)}/x`],
  ['matrix parameters of escapes', 2, `/matrix/x;a=${fill('%41', targetSize - 20)}`],
  ['matrix parameters that are not numbers', 4, `/matrix/x${fill(';n=x', 3900)}`],
]

const many = (fragment: string, size = headerSize): string =>
  fill(fragment, size).replace(/[,;] ?$/, '')
const lines = (line: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, () => line)

const headers: ReadonlyArray<Row> = [
  ['Accept: media types', 2, '/negotiated', `Accept: */*, ${many('text/plain;q=0.1, ', 14_000)}`],
  [
    'Accept: different media types',
    4,
    '/negotiated',
    `Accept: ${numbered(900, (at) => `a/b${at}, `)}a/b`,
  ],
  ['Accept: parameters', 4, '/negotiated', `Accept: application/json${many(';a=b')}`],
  ['Accept: quoted parameters', 4, '/negotiated', `Accept: application/json;a="${many('\\"')}"`],
  ['Accept: an unclosed quote', 4, '/negotiated', `Accept: application/json;a="${many('a')}`],
  ['Accept: weights', 2, '/negotiated', `Accept: ${many('*/*;q=0.123, ')}`],
  ['Accept: commas', 2, '/negotiated', `Accept: ${fill(',', headerSize)}*/*`],
  ['Accept: white space', 2, '/negotiated', `Accept: */*${fill(' ', headerSize)}, a/b`],
  ['Accept: in many headers', 2, '/negotiated', ...lines('Accept: application/json;q=0.5', 190)],
  ['Accept: letters', 4, '/negotiated', `Accept: ${fill('a', headerSize)}`],
  ['Accept-Encoding', 2, '/negotiated', `Accept-Encoding: ${many('gzip;q=0.5, ')}`],
  ['Accept-Encoding: commas', 2, '/negotiated', `Accept-Encoding: ${fill(',', headerSize)}`],
  ['Accept-Language', 2, '/negotiated', `Accept-Language: ${many('de-AT;q=0.5, ')}`],
  ['Accept-Charset', 2, '/negotiated', `Accept-Charset: ${many('utf-8;q=0.5, ')}`],
  ['If-None-Match: tags', 2, '/tagged', `If-None-Match: ${many('"a", ')}`],
  ['If-None-Match: weak tags', 3, '/tagged', `If-None-Match: ${many('W/"a", ')}, W/"v7"`],
  ['If-None-Match: one long tag', 2, '/tagged', `If-None-Match: "${fill('a', headerSize)}"`],
  ['If-None-Match: quotes', 2, '/tagged', `If-None-Match: ${fill('"', headerSize)}`],
  ['If-None-Match: commas', 2, '/tagged', `If-None-Match: ${fill(',', headerSize)}`],
  ['If-Match: tags', 4, '/tagged', `If-Match: ${many('"a", ')}`],
  ['If-Modified-Since: letters', 2, '/tagged', `If-Modified-Since: ${fill('Sun, ', headerSize)}`],
  ['If-Range', 2, '/sent-file', `If-Range: "${fill('a', headerSize)}"`, 'Range: bytes=0-0'],
  ['Range: ranges', 2, '/sent-file', `Range: bytes=${many('0-0,')}`],
  ['Range: overlapping ranges', 2, '/sent-file', `Range: bytes=${many('0-,')}`],
  ['Range: digits', 4, '/sent-file', `Range: bytes=${fill('1', headerSize)}-`],
  ['Range: commas', 2, '/sent-file', `Range: bytes=${fill(',', headerSize)}`],
  ['Authorization: Basic', 4, '/basic', `Authorization: Basic ${fill('YTph', headerSize)}`],
  ['Authorization: no base64', 4, '/basic', `Authorization: Basic ${fill('=', headerSize)}`],
  ['Authorization: Bearer', 4, '/bearer', `Authorization: Bearer ${fill('a.', headerSize)}`],
  ['Authorization: a scheme without end', 4, '/bearer', `Authorization: ${fill('a', headerSize)}`],
  ['Authorization: white space', 4, '/bearer', `Authorization: Bearer${fill(' ', headerSize)}a`],
  ['Cookie: cookies', 2, '/cookies', `Cookie: ${many('a=1; ', 5000)}`],
  ['Cookie: too many', 4, '/cookies', `Cookie: ${numbered(1100, (at) => `c${at}=1; `)}a=1`],
  ['Cookie: semicolons', 2, '/cookies', `Cookie: ${fill(';', headerSize)}`],
  ['Cookie: equals signs', 2, '/cookies', `Cookie: ${fill('=', headerSize)}`],
  ['Cookie: escapes', 2, '/cookies', `Cookie: a=${fill('%41', headerSize)}`],
  ['Cookie: quotes', 2, '/cookies', `Cookie: a=${fill('"', headerSize)}`],
  ['Cookie: no numbers', 4, '/cookies', `Cookie: ${many('n=x; ', 4900)}`],
  ['a header of texts', 2, '/headers', `X-A: ${many('a,')}`],
  ['many headers of texts', 2, '/headers', ...lines('X-A: a', 190)],
  ['a header of numbers', 4, '/headers', `X-N: ${many('1,')}`],
  ['many headers of numbers', 2, '/headers', ...lines('X-N: 1', 190)],
  ['many headers that are not numbers', 4, '/headers', ...lines('X-N: x', 190)],
  ['many headers of instants', 2, '/headers', ...lines('X-D: 2026-02-28T12:34:56Z', 190)],
  ['a long instant', 4, '/headers', `X-D: ${fill('2026-', headerSize)}`],
  ['separated numbers', 2, '/headers', `X-C: ${many('1,')}`],
  ['a long decimal', 4, '/headers', `X-B: ${fill('1', headerSize)}`],
  ['headers that are not declared', 2, '/headers', ...lines(`Y: ${'y'.repeat(60)}`, 190)],
  ['Last-Event-ID', 2, '/last-event', `Last-Event-ID: ${fill('a', headerSize)}`],
  ['Forwarded', 2, '/query', `Forwarded: ${many('for=192.0.2.1;proto=http, ')}`],
  ['Forwarded: quotes', 2, '/query', `Forwarded: for="${many('\\"')}`],
  ['Forwarded: semicolons', 2, '/query', `Forwarded: ${fill(';', headerSize)}`],
  ['X-Forwarded-For', 2, '/query', `X-Forwarded-For: ${many('192.0.2.1, ')}`],
  ['X-Forwarded-For: IPv6', 2, '/query', `X-Forwarded-For: ${many('2001:db8::1, ')}`],
  ['X-Forwarded-For: colons', 2, '/query', `X-Forwarded-For: ${fill(':', headerSize)}`],
  ['X-Forwarded-Host', 2, '/query', `X-Forwarded-Host: ${many('a.')}`],
  ['Origin', 4, '/query', `Origin: https://${fill('a', headerSize)}`],
  ['Cache-Control', 2, '/query', `Cache-Control: ${many('max-age=0, ')}`],
  ['Content-Type: parameters', 2, '/query', `Content-Type: text/plain${many(';a=b')}`],
  ['Connection: options', 2, '/query', `Connection: ${many('a, ')}, close`],
  ['TE', 2, '/query', `TE: ${many('trailers, ')}`],
  ['Via', 2, '/query', `Via: ${many('1.1 a, ')}`],
]

const family = (name: string, rows: ReadonlyArray<Row>): ReadonlyArray<HostileCase> =>
  rows.map(([title, expected, target, ...fields]) => ({
    name: `${name}: ${title}`,
    family: name,
    expected,
    request: () => got(target, ...fields),
  }))

export const heads: ReadonlyArray<HostileCase> = [
  ...family('query', queries),
  ...family('path', paths),
  ...family('headers', headers),
]
