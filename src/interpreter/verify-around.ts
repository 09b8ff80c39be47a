/** Looks for mistakes in what is put around trees: in the answers that filters and mappers declare. */
import type { Response } from '../endpoint/endpoint.ts'
import type { AnyNode, Wrap } from '../endpoint/routes.ts'
import * as Status from '../http/status.ts'
import type { Code, Mistake } from './mistake.ts'
import { outermost, within } from './place.ts'
import { isMalformed } from './verify.ts'

/** Everything that is wrong around a tree and the trees in it, once for each tree. */
export const verifyAround = (
  node: AnyNode,
  keys: ReadonlyArray<string> = [],
): ReadonlyArray<Mistake> =>
  node._tag === 'Endpoint'
    ? []
    : [
        ...answersOf(node.wraps)
          .flatMap(wrongWith)
          .map(([code, remedy]) => ({
            code,
            concerns: [`around ${keys.length === 0 ? 'the whole tree' : keys.join('.')}`],
            remedy,
          })),
        ...[...node.children].flatMap(([key, child]) => verifyAround(child, [...keys, key])),
      ]

/** What filters and mappers of one tree declare. Those that `mapTagged` makes of one declaration share it. */
const answersOf = (wraps: ReadonlyArray<Wrap>): ReadonlyArray<Response> => {
  const { around, mappers } = within(outermost('/'), wraps)
  const declaring = [
    ...around.flatMap((one) =>
      one._tag === 'Filter' && one.filter._tag !== 'ResponseFilter' ? [one.filter] : [],
    ),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ]
  return [...new Set(declaring.map(({ responses }) => responses))].flat()
}

const wrongWith = ({
  status,
  representations,
}: Response): ReadonlyArray<readonly [code: Code, remedy: string]> => [
  ...(Status.isStatus(status)
    ? []
    : [['FW-RESP-001', `${status} is not a status: use an integer from 200 to 999`] as const]),
  ...(representations.length > 0 && !Status.hasContent(status)
    ? [
        [
          'FW-RESP-001',
          `a response with status ${status} has no content: declare it without a representation`,
        ] as const,
      ]
    : []),
  ...representations
    .filter(isMalformed)
    .map(({ mediaType }) => ['FW-MEDIA-001', `"${mediaType}" is not a media type`] as const),
  ...representations
    .filter(({ format }) => format._tag === 'Custom' && format.write === undefined)
    .map(
      ({ mediaType }) =>
        ['FW-MEDIA-001', `${mediaType} has no write function, so it cannot be sent`] as const,
    ),
]
