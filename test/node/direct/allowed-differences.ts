/** The differences between `fw.http.connection=node` and `direct`, which the guide lists (`src/guide/deployment.md`, "Connections"). */
import { METHODS } from 'node:http'
import type { RawResponse } from '../../support/raw-response.ts'
import { headerOf } from '../../support/raw-response.ts'
import { head, rawRequest, requestWithBody } from '../../support/raw.ts'

/** The first responses to the same request that differ. `undefined` means that the connection has closed without a response. */
export interface Difference {
  /** The message from the beginning of the request. */
  readonly text: string
  readonly node: RawResponse | undefined
  readonly direct: RawResponse | undefined
}

/** A difference with its reason. */
export interface AllowedDifference {
  readonly reason: string
  /** The beginning of its row in the guide. Several differences can have the same row. */
  readonly row: string
  /** Messages for which the responses differ. A list contains the packets of a message. */
  readonly examples: ReadonlyArray<string | ReadonlyArray<string>>
  readonly applies: (difference: Difference) => boolean
}

/** Whether a response rejects the request, and ends the connection. */
export const isRejection = (
  response: RawResponse | undefined,
  ...statuses: ReadonlyArray<number>
): boolean =>
  response !== undefined &&
  statuses.includes(response.status) &&
  headerOf(response, 'connection') === 'close'

/** The request line, after empty lines of any kind. */
const lineOf = (text: string): string => /^[\r\n]*([^\r\n]*)/.exec(text)?.[1] ?? ''

const isUnknownMethod = (text: string): boolean => {
  const [method] = /^[^ ]+(?= )/.exec(lineOf(text)) ?? []
  return method !== undefined && !METHODS.includes(method)
}

/** The upgrade header and option that make the parser of Node.js drop the bytes behind a request. */
const upgrades = (text: string): boolean =>
  /^Upgrade:/im.test(text) && /^Connection:.*upgrade/im.test(text)

const chunked = (message: string): string =>
  rawRequest('POST /text', 'Transfer-Encoding: chunked') + message

export const allowedDifferences: ReadonlyArray<AllowedDifference> = [
  {
    reason:
      'the parser of Node.js ends the connection as soon as it reads a method that it does not know',
    row: 'a method that `node:http` does not know',
    examples: [rawRequest('BREW /alive'), rawRequest('BREW /alive', 'A : b')],
    applies: ({ text, node, direct }) =>
      isUnknownMethod(text) &&
      isRejection(node, 501) &&
      (direct?.status === 501 || isRejection(direct, 400, 414, 417, 431, 505)),
  },
  {
    reason: 'with an unknown method, Node.js does not report an unsupported version',
    row: 'a method that `node:http` does not know',
    examples: [head('BREW /alive HTTP/2.0', 'Host: a')],
    applies: ({ text, node, direct }) =>
      isUnknownMethod(text) && isRejection(node, 400) && isRejection(direct, 505),
  },
  {
    reason: 'empty lines before a request must end in CRLF (RFC 9112, 2.2)',
    row: 'empty lines before a request that end in LF or CR only',
    examples: [`\n${rawRequest('GET /alive')}`],
    applies: ({ text, direct }) =>
      /^(?:\r\n)*(?:\n|\r(?!\n))/.test(text) && isRejection(direct, 400),
  },
  {
    reason: 'one space separates the parts of the request line (RFC 9112, 3)',
    row: 'several spaces between the parts of the request line',
    examples: [rawRequest('GET  /alive')],
    applies: ({ text, direct }) => / {2}/.test(lineOf(text)) && isRejection(direct, 400),
  },
  {
    reason: 'a request line has a version (RFC 9112, 3)',
    row: 'a request line without a version (HTTP/0.9)',
    examples: [head('GET /alive')],
    applies: ({ text, node, direct }) =>
      /^[^ ]+ +[^ ]*$/.test(lineOf(text)) && isRejection(node, 505) && isRejection(direct, 400),
  },
  {
    reason:
      'a higher minor version is processed as 1.1 (RFC 9110, 2.5), and Node.js rejects it before it reads the rest of the line',
    row: 'the versions HTTP/1.2 to HTTP/1.9',
    examples: [head('GET /alive HTTP/1.2', 'Host: a'), head('GET /alive HTTP/1.2\t', 'Host: a')],
    applies: ({ text, node, direct }) =>
      / HTTP\/1\.[2-9]/.test(lineOf(text)) &&
      isRejection(node, 505) &&
      (isRejection(direct, 400) || / HTTP\/1\.[2-9]$/.test(lineOf(text))),
  },
  {
    reason:
      'Node.js searches the value of `Expect` for `100-continue`, and ignores other values next to it',
    row: '`Expect` with a value other than `100-continue`',
    examples: [requestWithBody('POST /text', 'abc', 'Expect: 100-continue, a')],
    applies: ({ text, direct }) => /^Expect:/im.test(text) && isRejection(direct, 417),
  },
  {
    reason: 'the parser of Node.js drops the bytes behind a request that changes the protocol',
    row: '`Connection: Upgrade` with `Upgrade`',
    examples: [
      rawRequest('GET /alive', 'Connection: Upgrade', 'Upgrade: x') + rawRequest('GET /alive'),
    ],
    applies: ({ text, node }) =>
      upgrades(text) && (node === undefined || headerOf(node, 'connection') === 'close'),
  },
  {
    reason:
      'whitespace around a value includes tabs (RFC 9110, 5.6.3), which Node.js does not remove',
    row: 'a tab after the value of `Content-Length`, `Transfer-Encoding` or `Connection`',
    examples: [
      rawRequest('POST /text', 'Content-Length: 3\t') + 'abc',
      rawRequest('POST /text', 'Transfer-Encoding: chunked\t') + '3\r\nabc\r\n0\r\n\r\n',
      rawRequest('GET /alive', 'Connection: close\t') + rawRequest('GET /alive'),
    ],
    applies: ({ text }) => /^(?:Content-Length|Transfer-Encoding|Connection):.*\t/im.test(text),
  },
  {
    reason: 'the parser of Node.js counts only names and values',
    row: 'whitespace around values, and the separators in a trailer section',
    examples: [
      rawRequest('GET /alive', `X:${' '.repeat(17_000)}a`),
      rawRequest('GET /alive', `X: a${' '.repeat(17_000)}`),
      chunked(`0\r\n${'a: b\r\n'.repeat(3000)}\r\n`),
    ],
    applies: ({ text, direct }) => text.length > 16 * 1024 && isRejection(direct, 431),
  },
  {
    reason: 'the parser of Node.js limits the extensions of each chunk',
    row: 'the extensions of all chunks of a body',
    examples: [chunked(`${`1;a=${'b'.repeat(9000)}\r\nc\r\n`.repeat(2)}0\r\n\r\n`)],
    applies: ({ text, direct }) => text.length > 16 * 1024 && isRejection(direct, 413),
  },
  {
    reason: 'Node.js does not report in which part of the head its limit was exceeded',
    row: 'a request target above the limits of line and section together',
    examples: [
      [`GET /${'a'.repeat(15_000)}`, ...Array.from({ length: 4 }, () => 'a'.repeat(15_000))],
    ],
    applies: ({ text, node, direct }) =>
      text.length > 24 * 1024 && isRejection(node, 431) && isRejection(direct, 414),
  },
]
