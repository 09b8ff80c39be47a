/** Lists the routes, filters, mappers and providers that conditions exclude. */
import type { Inclusion } from '../../endpoint/condition.ts'
import type { AnyNode } from '../../endpoint/routes.ts'
import { join } from '../../endpoint/internal/path-template.ts'
import type { ConditionCheck } from './condition.ts'
import type { ConditionalPart } from './conditional-routes.ts'
import { conditionsOf, partsOf, ownConditions } from './conditional-routes.ts'

export interface ExcludedRoute {
  /** `GET /debug  (debug)`, or `a request filter around books`. */
  readonly title: string
  /** The conditions that exclude it. */
  readonly conditions: ReadonlyArray<Inclusion>
}

/** Returns the excluded operations of a tree, and the excluded filters, mappers and providers of included ones. */
export const excludedRoutes = (
  api: AnyNode,
  path: string,
  allows: ConditionCheck,
): ReadonlyArray<ExcludedRoute> => below(api, { keys: [], path, because: [] }, allows)

interface Place {
  readonly keys: ReadonlyArray<string>
  readonly path: string
  /** The conditions that exclude the whole subtree. */
  readonly because: ReadonlyArray<Inclusion>
}

const below = (
  node: AnyNode,
  outside: Place,
  allows: ConditionCheck,
): ReadonlyArray<ExcludedRoute> => {
  const { keys } = outside
  const because =
    outside.because.length > 0 ? outside.because : conditionsOf(node).filter((one) => !allows(one))
  if (node._tag === 'Endpoint') {
    const { method = '(no method)', template } = node.definition
    const what = `${method} ${join(outside.path, template) || '/'}  (${keys.join('.')})`
    return because.length === 0 ? [] : [{ title: what, conditions: because }]
  }
  const path = node.wrappers.reduce(
    (sofar, wrap) => (wrap._tag === 'Prefix' ? join(sofar, wrap.path) : sofar),
    outside.path,
  )
  return [
    ...(because.length > 0 ? [] : node.wrappers.flatMap(partsOf).flatMap(around(keys, allows))),
    ...[...node.children].flatMap(([key, child]) =>
      below(child, { keys: [...keys, key], path, because }, allows),
    ),
  ]
}

const around =
  (keys: ReadonlyArray<string>, allows: ConditionCheck) =>
  (part: ConditionalPart): ReadonlyArray<ExcludedRoute> => {
    const because = ownConditions(part).filter((one) => !allows(one))
    const tree = keys.length === 0 ? 'the whole tree' : keys.join('.')
    return because.length === 0
      ? []
      : [{ title: `${titles[part._tag]} around ${tree}`, conditions: because }]
  }

const titles: Readonly<Record<ConditionalPart['_tag'], string>> = {
  PreMatchingFilter: 'a filter before matching',
  RequestFilter: 'a request filter',
  ResponseFilter: 'a response filter',
  MapError: 'a mapper',
  Unwrap: 'an unwrapping',
  Reader: 'a reader',
  Writer: 'a writer',
  ReaderInterceptor: 'a reader interceptor',
  WriterInterceptor: 'a writer interceptor',
}
