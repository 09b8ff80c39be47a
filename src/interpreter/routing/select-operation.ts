/**
 * Selects the operation of a request: steps 3 and 4. The order of rejections is guaranteed:
 *
 * ```text
 * method        501 neither standard nor declared in the tree
 * path          400 malformed percent-escape, 404 no match
 * method        405 with Allow; unless declared, GET handles HEAD, and OPTIONS is answered from the tree
 * Content-Type  415 with Accept, also for an unsupported content coding
 * Accept        400 malformed, 406
 * (then the operation: 404 and 400 for parameters, 400 and 413 for the body)
 * ```
 *
 * Each check depends on those before it and is cheaper than those after it. A path group that supports the method wins over a better
 * match that does not. Once it is selected, no other group is tried, so a 415 refers to the group of the request.
 */
import type { RequestFailure } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { PathCapture, MatchedPath, PathMatcher } from './path-matcher.ts'
import type { NegotiatedOperation, Negotiate } from './negotiate.ts'

/** The operations of a path group by method. */
export type OperationsByMethod<P> = ReadonlyMap<string, Negotiate<P>>

export type Selection<P> =
  | {
      readonly _tag: 'Selected'
      readonly choice: NegotiatedOperation<P>
      readonly captures: ReadonlyArray<PathCapture>
    }
  /** OPTIONS for a path that does not declare it. */
  | { readonly _tag: 'Options'; readonly allow: ReadonlyArray<string> }
  | RequestFailure

/** The methods of RFC 9110, 9.3, and PATCH (RFC 5789). Other registered methods, such as those of WebDAV, must be declared. */
const standardMethods: ReadonlyArray<string> = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
]

/** Returns the standard methods and the declared ones. All others result in 501. */
export const knownMethods = (declared: Iterable<string>): ReadonlySet<string> =>
  new Set([...standardMethods, ...declared])

type Request = Pick<Exchange, 'method' | 'path' | 'headers'>

export interface OperationSelector<P> {
  readonly matcher: PathMatcher<OperationsByMethod<P>>
  readonly methods: ReadonlySet<string>
}

/** Selects an operation or returns a failure. The method is checked last, since that of a selected operation is known. */
export const selectOperation = <P>(
  selector: OperationSelector<P>,
  request: Request,
): Selection<P> => {
  const selection = selectIn(selector.matcher, request)
  return selection._tag === 'Selected' || selector.methods.has(request.method)
    ? selection
    : { _tag: 'MethodNotImplemented' }
}

const selectIn = <P>(
  matcher: PathMatcher<OperationsByMethod<P>>,
  request: Request,
): Selection<P> => {
  const exact = matcher.findExact(request.path)
  const operations = exact === undefined ? undefined : operationsFor(exact, request.method)
  if (operations !== undefined) return selectionOf(operations, request, [])
  const match = matcher.match(request.path)
  if (match === undefined)
    return { _tag: 'MalformedRequest', detail: 'Malformed percent-escape in the path.' }
  if (match.matches.length === 0) return Failures.notFound
  for (const { value: site, captures } of match.matches) {
    const found = operationsFor(site, request.method)
    if (found !== undefined) return selectionOf(found, request, captures)
  }
  const allow = allowed(match.matches)
  return request.method === 'OPTIONS'
    ? { _tag: 'Options', allow }
    : { _tag: 'MethodNotAllowed', allow }
}

/** Returns the operations for a method. GET handles HEAD (RFC 9110, 9.3.2). */
const operationsFor = <P>(site: OperationsByMethod<P>, method: string): Negotiate<P> | undefined =>
  site.get(method) ?? (method === 'HEAD' ? site.get('GET') : undefined)

const selectionOf = <P>(
  operations: Negotiate<P>,
  { headers }: Request,
  captures: ReadonlyArray<PathCapture>,
): Selection<P> => {
  const result = operations(headers)
  return result._tag === 'Chosen' ? { _tag: 'Selected', choice: result.choice, captures } : result
}

/** Returns the methods that any of the matches supports (RFC 9110, 10.2.1). */
const allowed = <P>(
  found: ReadonlyArray<MatchedPath<OperationsByMethod<P>>>,
): ReadonlyArray<string> => {
  const declared = new Set(found.flatMap(({ value: site }) => [...site.keys()]))
  const derived = declared.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']
  return [...new Set([...declared, ...derived])]
}
