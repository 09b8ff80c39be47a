/** Announces the deprecation of an operation in the headers of its responses. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { ResponseFilter } from '../../endpoint/filter.ts'
import { defaultOrder } from '../../endpoint/filter.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import * as Link from '../../http/link.ts'
import { requestInfoOf } from '../context/exchange-context.ts'
import type { DeprecationPlan } from '../../compiler/plan.ts'

/**
 * Creates a response filter that adds the headers of a deprecation to all responses of an operation. As headers of the context, they
 * are also sent with the response to an error of a later filter.
 */
export const addDeprecation = (
  { headers, successorPath }: DeprecationPlan,
  publicUrl: string | undefined,
): ResponseFilter => {
  const run = (_: AnyReply, context: ResponseContext): undefined => {
    const info = requestInfoOf(context)
    if (info === undefined) return
    const { captures, exchange } = info
    const path = successorPath?.map((part) =>
      typeof part === 'string' ? part : (captures[part]?.raw ?? ''),
    )
    const target = path && [publicUrl ?? exchange.prefix(), ...path].join('')
    info.addedHeaders = [
      ...info.addedHeaders,
      ...headers,
      ...(target === undefined ? [] : ['Link', Link.format({ target, rel: successor })]),
    ]
  }
  return { _tag: 'ResponseFilter', ...defaultOrder, run }
}

/** The relation of the link to the operation that replaces a deprecated one (RFC 5829, 3.3). */
const successor = 'successor-version'
