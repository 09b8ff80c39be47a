/**
 * Problem documents: what a client is told when it is refused. They say what to do differently; they never repeat a value
 * that was refused and never show anything of the program.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
import type { Failure, Fault } from './failure.ts'
import * as Failures from './failure.ts'
import * as Status from './status.ts'

export interface Problem {
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** Identifies this occurrence, so that the log can be searched for it. */
  readonly instance?: string
  /** What is wrong with each input, and where. */
  readonly errors?: ReadonlyArray<Fault>
  /** Whether there were more errors than are listed. */
  readonly truncated?: true
  /** What would have been accepted: media types or methods. */
  readonly supported?: ReadonlyArray<string>
}

/** The problem of a status without anything to add. */
export const ofStatus = (status: number, detail?: string): Problem => ({
  title: Status.title(status),
  status,
  ...(detail === undefined ? {} : { detail }),
})

/** The problem that tells of a failure. */
export const ofFailure = (failure: Failure): Problem => {
  const status = Failures.status(failure)
  switch (failure._tag) {
    case 'MalformedRequest':
    case 'ContentTooLarge':
      return ofStatus(status, failure.detail)
    case 'InvalidInput':
      return {
        ...ofStatus(status, 'The request does not have the inputs that this operation takes.'),
        ...listed(failure),
      }
    case 'NotFound':
      return failure.faults.length === 0
        ? ofStatus(status)
        : {
            ...ofStatus(
              status,
              'The path names nothing: a part of it is not of the form expected.',
            ),
            ...listed(failure),
          }
    case 'MethodNotAllowed':
      return {
        ...ofStatus(status, 'The resource does not have this method.'),
        supported: failure.allow,
      }
    case 'NotAcceptable':
      return {
        ...ofStatus(status, 'None of the media types in Accept is available.'),
        supported: failure.available,
      }
    case 'UnsupportedMediaType':
      return { ...ofStatus(status, failure.detail), supported: failure.supported }
    case 'UnsupportedContentCoding':
      return ofStatus(status, 'The content is coded; send it without a Content-Encoding.')
    case 'UriTooLong':
    case 'ExpectationFailed':
    case 'HeaderFieldsTooLarge':
    case 'RequestTimeout':
    case 'InternalError':
    case 'TransferCodingNotImplemented':
    case 'ServiceUnavailable':
    case 'VersionNotSupported':
      return ofStatus(status)
  }
}

const listed = ({
  faults,
  more,
}: {
  readonly faults: ReadonlyArray<Fault>
  readonly more: boolean
}): Pick<Problem, 'errors' | 'truncated'> =>
  more ? { errors: faults, truncated: true } : { errors: faults }

/** `application/problem+json`. The type is `about:blank`, which means that the status says what kind of problem it is. */
export const toJson = (problem: Problem): string =>
  JSON.stringify({ type: 'about:blank', ...problem })

/** `text/plain`, a line for each statement. */
export const toText = (problem: Problem): string => `${lines(problem).join('\n')}\n`

/** `text/html`, for a person with a browser. */
export const toHtml = (problem: Problem): string => {
  const [heading = '', ...rest] = lines(problem).map(escape)
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${heading}</title></head>`,
    `<body><h1>${heading}</h1>${rest.map((line) => `<p>${line}</p>`).join('')}</body></html>\n`,
  ].join('\n')
}

const lines = ({
  status,
  title,
  detail,
  errors = [],
  truncated,
  supported = [],
  instance,
}: Problem): ReadonlyArray<string> => [
  `${status} ${title}`,
  ...(detail === undefined ? [] : [detail]),
  ...errors.map((fault) => `${fault.in} ${fault.name ?? fault.pointer ?? ''}: ${fault.detail}`),
  ...(truncated ? ['There are more errors.'] : []),
  ...(supported.length === 0 ? [] : [`Available: ${supported.join(', ')}`]),
  ...(instance === undefined ? [] : [instance]),
]

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char] ?? char)
