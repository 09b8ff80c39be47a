/** Texts, bytes and files, compressed bodies, and bodies in many chunks. */
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import type { HostileCase } from './hostile-case.ts'
import { fill, filled, parsedBodySize, posted } from './hostile-case.ts'

/** The default of `fw.http.limits.max-body-size`. */
const bodySize = 10_240 * 1024

type Row = readonly [
  title: string,
  expected: 2 | 4 | 413,
  target: string,
  mediaType: string,
  body: () => string | Uint8Array,
]

const binary = 'application/octet-stream'
const utf8 = 'text/plain;charset=utf-8'
const bytes = (size: number, ...values: ReadonlyArray<number>): Uint8Array =>
  Uint8Array.from({ length: size }, (_, at) => values[at % values.length] ?? 0)

const plain: ReadonlyArray<Row> = [
  ['a text', 2, '/text', utf8, () => fill('x', parsedBodySize)],
  [
    'a text of long characters',
    2,
    '/text',
    utf8,
    () => bytes(parsedBodySize, 0xf0, 0x9f, 0x8d, 0x90),
  ],
  ['a text that is not UTF-8', 4, '/text', utf8, () => bytes(parsedBodySize, 0xff)],
  [
    'a text in UTF-16',
    2,
    '/text',
    'text/plain;charset=utf-16le',
    () => bytes(parsedBodySize, 0x41, 0),
  ],
  [
    'a text in UTF-16 of lone surrogates',
    4,
    '/text',
    'text/plain;charset=utf-16le',
    () => bytes(parsedBodySize, 0, 0xd8),
  ],
  [
    'a text in ISO-8859-1',
    2,
    '/text',
    'text/plain;charset=iso-8859-1',
    () => bytes(parsedBodySize, 0xe4),
  ],
  [
    'a text in another charset',
    4,
    '/text',
    'text/plain;charset=x-none',
    () => fill('x', parsedBodySize),
  ],
  ['a page', 2, '/html', 'text/html;charset=utf-8', () => fill('<p>', parsedBodySize)],
  ['a number of many digits', 4, '/int', 'text/plain', () => fill('1', parsedBodySize)],
  ['a number in white space', 4, '/int', 'text/plain', () => `${fill(' ', parsedBodySize - 1)}1`],
  ['raw JSON', 2, '/raw-json', 'application/json', () => fill('[', parsedBodySize)],
  ['bytes', 2, '/bytes', binary, () => bytes(parsedBodySize, 1)],
  ['bytes for a reader', 2, '/own', 'application/own', () => bytes(parsedBodySize, 1)],
  ['a stream of bytes', 2, '/byte-stream', binary, () => bytes(bodySize, 1)],
  ['a stream of text', 2, '/text-stream', utf8, () => fill('x', bodySize)],
  [
    'a stream of long characters',
    2,
    '/text-stream',
    utf8,
    () => bytes(bodySize, 0xf0, 0x9f, 0x8d, 0x90),
  ],
  ['a stream of bytes that are not text', 4, '/text-stream', utf8, () => bytes(bodySize, 0xff)],
  ['a file', 2, '/file', binary, () => bytes(bodySize, 1)],
  ['JSON that is not UTF-8', 4, '/unknown', 'application/json', () => bytes(parsedBodySize, 0xff)],
  [
    'JSON with byte order marks',
    4,
    '/unknown',
    'application/json',
    () => bytes(parsedBodySize - 1, 0xef, 0xbb, 0xbf),
  ],
  ['too much JSON', 413, '/unknown', 'application/json', () => filled('[', '0', ']', bodySize)],
  ['too much text', 413, '/text', utf8, () => fill('x', bodySize)],
  ['too many bytes', 413, '/bytes', binary, () => bytes(bodySize, 1)],
  ['too much XML', 413, '/xml', 'application/xml', () => fill('<item/>', bodySize)],
  [
    'too large a form',
    413,
    '/form',
    'application/x-www-form-urlencoded',
    () => fill('a&', bodySize),
  ],
]

const gzip = (body: string | Uint8Array): Uint8Array => gzipSync(body)
const brotli = (body: string | Uint8Array): Uint8Array =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
const deflate = (body: string | Uint8Array): Uint8Array => deflateSync(body)

type Coded = readonly [coding: string, compress: (body: string | Uint8Array) => Uint8Array]
const codings: ReadonlyArray<Coded> = [
  ['gzip', gzip],
  ['br', brotli],
  ['deflate', deflate],
]

const toCompress: ReadonlyArray<Row> = [
  ['a bomb of bytes', 413, '/bytes', binary, () => new Uint8Array(10 * bodySize)],
  ['a bomb of streamed bytes', 413, '/byte-stream', binary, () => new Uint8Array(10 * bodySize)],
  ['a bomb of a file', 413, '/file', binary, () => new Uint8Array(10 * bodySize)],
  ['a bomb of JSON', 413, '/unknown', 'application/json', () => fill('[', 5 * bodySize)],
  ['zeros', 2, '/unknown', 'application/json', () => filled('[', '0', ']')],
  ['unclosed JSON', 4, '/unknown', 'application/json', () => fill('[[],', parsedBodySize)],
  ['a form', 413, '/form', 'application/x-www-form-urlencoded', () => fill('a&', parsedBodySize)],
  ['XML', 2, '/xml', 'application/xml', () => `<root>${fill('<item/>', 250_000)}</root>`],
  [
    'many small files',
    413,
    '/parts',
    'multipart/form-data; boundary=XX',
    () =>
      fill(
        '--XX\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n',
        5 * parsedBodySize,
      ),
  ],
]

/** Compressed once, when it is sent for the first time. */
const compressedRow = ([
  title,
  expected,
  target,
  mediaType,
  body,
]: Row): ReadonlyArray<HostileCase> =>
  codings.map(([coding, compress]) => ({
    name: `${coding}: ${title}`,
    family: 'compressed',
    expected,
    request: () => posted(target, mediaType, compress(body()), [`Content-Encoding: ${coding}`]),
  }))

const damaged: ReadonlyArray<HostileCase> = codings.map(([coding]) => ({
  name: `${coding}: bytes in no coding`,
  family: 'compressed',
  expected: 4,
  request: () =>
    posted('/bytes', binary, bytes(parsedBodySize, 7), [`Content-Encoding: ${coding}`]),
}))

/** The size of bodies that are sent in chunks of one byte, each of which costs Node.js about 2 µs. */
const chunkedSize = 64 * 1024

const chunked: ReadonlyArray<HostileCase> = (
  [
    ['bytes', 2, '/bytes', binary, () => bytes(chunkedSize, 1)],
    ['JSON', 2, '/unknown', 'application/json', () => filled('[', '0', ']', chunkedSize)],
    ['a stream', 2, '/byte-stream', binary, () => bytes(chunkedSize, 1)],
    ['a text stream', 2, '/text-stream', utf8, () => fill('x', chunkedSize)],
    ['a file', 2, '/file', binary, () => bytes(chunkedSize, 1)],
    [
      'a form',
      2,
      '/parts',
      'multipart/form-data; boundary=XX',
      () =>
        `${'--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(900)}--XX--\r\n`,
    ],
  ] as const satisfies ReadonlyArray<Row>
).map(([title, expected, target, mediaType, body]) => ({
  name: `chunks of one byte: ${title}`,
  family: 'small chunks',
  expected,
  request: () => ({ ...posted(target, mediaType, body()), chunkSize: 1 }),
}))

export const bodies: ReadonlyArray<HostileCase> = [
  ...plain.map(([title, expected, target, mediaType, body]) => ({
    name: `body: ${title}`,
    family: 'text, bytes, files',
    expected,
    request: () => posted(target, mediaType, body()),
  })),
  ...toCompress.flatMap(compressedRow),
  ...damaged,
  ...chunked,
]
