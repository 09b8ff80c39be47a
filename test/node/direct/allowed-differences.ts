/** The differences between `fw.http.connection=node` and `direct`, which the guide lists (`src/guide/deployment.md`, "Connections"). */
import { METHODS } from 'node:http'
import type { RawResponse } from '../../support/raw-response.ts'
import { headerOf } from '../../support/raw-response.ts'

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

export const allowedDifferences: ReadonlyArray<AllowedDifference> = [
  {
    reason:
      'the parser of Node.js ends the connection as soon as it reads a method that it does not know',
    applies: ({ text, node, direct }) =>
      isUnknownMethod(text) &&
      isRejection(node, 501) &&
      (direct?.status === 501 || isRejection(direct, 400, 414, 417, 431, 505)),
  },
  {
    reason: 'with an unknown method, Node.js does not report an unsupported version',
    applies: ({ text, node, direct }) =>
      isUnknownMethod(text) && isRejection(node, 400) && isRejection(direct, 505),
  },
  {
    reason: 'empty lines before a request must end in CRLF (RFC 9112, 2.2)',
    applies: ({ text, direct }) =>
      /^(?:\r\n)*(?:\n|\r(?!\n))/.test(text) && isRejection(direct, 400),
  },
  {
    reason: 'one space separates the parts of the request line (RFC 9112, 3)',
    applies: ({ text, direct }) => / {2}/.test(lineOf(text)) && isRejection(direct, 400),
  },
  {
    reason: 'a request line has a version (RFC 9112, 3)',
    applies: ({ text, node, direct }) =>
      /^[^ ]+ +[^ ]*$/.test(lineOf(text)) && isRejection(node, 505) && isRejection(direct, 400),
  },
  {
    reason:
      'Node.js searches the value of `Expect` for `100-continue`, and ignores other values next to it',
    applies: ({ text, direct }) => /^Expect:/im.test(text) && isRejection(direct, 417),
  },
]
