/** Plans the deprecation of operations: the headers of their responses, and the operations that replace them. */
import * as E from 'fp-ts/lib/Either.js'
import type { Deprecation } from '../endpoint/definition/deprecation.ts'
import { isNode } from '../endpoint/internal/combinator.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { operationTitle } from '../endpoint/definition/configuration-error.ts'
import * as Template from '../endpoint/definition/path-template.ts'
import type { Headers } from '../http/headers.ts'
import * as HttpDate from '../http/http-date.ts'
import * as Link from '../http/link.ts'
import { messageOf } from '../http/platform-value.ts'
import * as UriReference from '../http/uri-reference.ts'
import type { FindOperation } from './find-operation.ts'
import { operationFinder } from './find-operation.ts'
import type { DeprecationPlan, Plan } from './plan.ts'

/** The result of {@link planDeprecations}. */
export interface PlannedDeprecations {
  readonly plans: ReadonlyArray<Plan>
  readonly errors: ReadonlyArray<ConfigurationIssue>
}

/** Adds the deprecations that are declared as attributes to plans. If there are none, the plans are not changed. */
export const planDeprecations = (plans: ReadonlyArray<Plan>): PlannedDeprecations => {
  if (plans.every(({ attributes }) => !attributes.deprecation)) return { plans, errors: [] }
  const find = operationFinder(plans)
  const errors: ConfigurationIssue[] = []
  const planned = plans.map((plan) => {
    const { deprecation } = plan.attributes
    if (!deprecation) return plan
    const created = deprecationPlan(plan, deprecation, find)
    if (E.isRight(created)) return { ...plan, deprecation: created.right }
    errors.push({ code: 'FW-DOC-003', concerns: [operationTitle(plan)], remedy: created.left })
    return plan
  })
  return { plans: planned, errors }
}

const deprecationPlan = (
  plan: Plan,
  { since, sunset, replacedBy, deprecationDocs, sunsetDocs }: Deprecation,
  find: FindOperation,
): E.Either<string, DeprecationPlan> => {
  if (since !== undefined && sunset !== undefined && sunset < since)
    return E.left('the sunset must not be before the date since which the operation is deprecated')
  const successor = E.tryCatch(
    () =>
      isNode(replacedBy) && replacedBy._tag === 'Endpoint'
        ? find(replacedBy.definition, undefined, plan.name)
        : typeof replacedBy === 'string'
          ? replacedBy
          : undefined,
    (error) => `invalid replacedBy: ${messageOf(error)}`,
  )
  return E.map((found: Plan | string | undefined): DeprecationPlan => ({
    headers: [
      ...(since === undefined ? [] : ['Deprecation', `@${Math.floor(since.getTime() / 1000)}`]),
      ...(sunset === undefined ? [] : ['Sunset', HttpDate.format(sunset)]),
      ...linkTo(deprecationDocs, 'deprecation'),
      ...linkTo(sunsetDocs, 'sunset'),
      ...(typeof found === 'string' ? linkTo(found, 'successor-version') : []),
    ],
    sunset,
    successor: found,
    successorPath:
      found === undefined || typeof found === 'string' ? undefined : successorPath(found, plan),
  }))(successor)
}

const linkTo = (target: string | undefined, rel: string): Headers =>
  target === undefined ? [] : ['Link', Link.format({ target, rel })]

const successorPath = (
  { template }: Plan,
  { pattern: { names } }: Plan,
): DeprecationPlan['successorPath'] => {
  const parts = E.getOrElse((): Template.Template => [])(Template.parse(template)).map((part) =>
    part._tag === 'Literal'
      ? UriReference.escape(part.text).replaceAll(/[?#]/g, encodeURIComponent)
      : names.indexOf(part.name),
  )
  return parts.includes(-1) ? undefined : parts
}
