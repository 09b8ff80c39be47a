/** Describes the responses of an operation: declared ones, those of filters and mappers, and errors. */
import { acceptsRanges } from '../../http/method.ts'
import type { ResponsePlan } from '../../body/body-plan.ts'
import { responsesByStatus } from '../../body/create-body-plans.ts'
import { describes } from '../../body/body-formats.ts'
import { declaredByFilters } from '../../compiler/filter-chain.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Headers from '../../http/headers.ts'
import * as Status from '../../http/status.ts'
import type { ResponseObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { withExamples } from './examples.ts'
import { describeBody, describeContent, essenceOf } from './media-types.ts'
import { describeLinks } from './operation-links.ts'
import { possibleErrors } from './possible-errors.ts'
import { describeHeaders, fileHeaders, isConditionalFile, textHeader } from './response-headers.ts'
import { uniteResponses } from './unite-content.ts'
import { present } from '../schema/present.ts'

/** Responses by status. */
export type Responses = Readonly<Record<string, ResponseObject>>

/**
 * Returns the responses of an operation. A declared response takes precedence over an error with the same status, and contains the
 * media types of both.
 */
export const describeResponses = (plan: Plan, context: DocumentContext): Responses => {
  const byStatus = new Map<number, ResponseObject>()
  const add = (status: number, response: ResponseObject): void => {
    const earlier = byStatus.get(status)
    byStatus.set(
      status,
      earlier === undefined ? response : uniteResponses(earlier, response, (first) => first),
    )
  }
  for (const response of plan.responses.values())
    for (const [status, described] of describeResponse(plan, response, context))
      add(status, described)
  // a handler that returns `undefined` sends 204
  if (!plan.responses.has(204) && plan.success.alternatives.some(describes(undefined)))
    add(204, { description: Status.title(204) })
  if (!context.areWebhooks) {
    for (const response of additionalResponses(plan))
      for (const [status, described] of describeResponse(undeclared(plan), response, context))
        add(status, described)
    for (const { status, response } of possibleErrors(plan, context)) add(status, response)
  }
  return Object.fromEntries([...byStatus].toSorted(([a], [b]) => a - b))
}

/**
 * Returns the responses that filters and error mappers declare. A mapper concerns all operations in its subtree, because the errors
 * of an operation are not known: handlers can throw any error, and `raises` declares a type only.
 */
const additionalResponses = ({ chain }: Plan): ReadonlyArray<ResponsePlan> =>
  [...new Set(declaredByFilters(chain))].flatMap((response) => [
    ...responsesByStatus([response], chain.entities).values(),
  ])

/** The plan of an operation without what it adds to its own responses only. */
const undeclared = (plan: Plan): Plan => ({
  ...plan,
  headers: Headers.empty,
  cacheControl: undefined,
  preconditions: undefined,
})

type DescribedResponse = readonly [status: number, response: ResponseObject]

/** Describes a response. A file is described by several responses, because a client can request a part of it. */
const describeResponse = (
  plan: Plan,
  response: ResponsePlan,
  context: DocumentContext,
): ReadonlyArray<DescribedResponse> => {
  const { status, alternatives } = response
  const sentType = Headers.first(plan.headers, 'content-type')
  const hasBody = plan.method !== 'HEAD' && Status.allowsBody(status)
  const content = describeContent(
    hasBody ? alternatives : [],
    (body) =>
      withExamples(
        { plan, body, version: context.version },
        'response',
        status,
      )(describeBody(context, 'output', body)),
    sentType === undefined ? undefined : essenceOf(sentType),
  )
  const headers = describeHeaders(plan, response, context)
  const links = describeLinks(plan, response, context)
  const described: ResponseObject = {
    description: Status.title(status),
    ...present({ headers, content, links }),
  }
  if (!isConditionalFile(plan, response)) return [[status, described]]
  const partial: ResponseObject = {
    description: 'The requested ranges of bytes.',
    headers: {
      ...fileHeaders,
      'Content-Range': textHeader('The range, unless several ranges are sent.'),
    },
    content: {
      ...content,
      'multipart/byteranges': { schema: { type: 'string', format: 'binary' } },
    },
  }
  return [[status, described], ...(acceptsRanges(plan.method) ? [[206, partial] as const] : [])]
}
