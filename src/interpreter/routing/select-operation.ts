/**
 * Selects the operation for a request, or says why there is none. The order in which a request is refused is a contract:
 *
 * ```text
 * method        501 neither standard nor declared anywhere in the tree
 * path          400 malformed escape, 404 no such path
 * method        405 with Allow; HEAD is answered by GET, OPTIONS from the tree, unless they are declared
 * Content-Type  415 with Accept, also for a coded content
 * Accept        400 malformed, 406
 * (then the operation: 404 and 400 for parameters, 400 and 413 for the body)
 * ```
 *
 * Why this order: each question makes sense only when those before it are answered, and each answer is cheaper than the
 * next. A site that has the method wins over a better matching one that lacks it; a site that has it is not left again, so
 * that a wrong `Content-Type` is errorOf where it was sent.
 */
import type { RequestFailure } from '../../http/failure.ts'
import * as Failures from '../../http/failure.ts'
import type { Exchange } from '../exchange.ts'
import type { PathCapture, MatchedPath, PathMatcher } from './path-matcher.ts'
import type { NegotiatedOperation, Negotiate } from './negotiate.ts'

/** The operations of a site for each method. */
export type OperationsByMethod<P> = ReadonlyMap<string, Negotiate<P>>

export type Selection<P> =
  | {
      readonly _tag: 'Selected'
      readonly choice: NegotiatedOperation<P>
      readonly captures: ReadonlyArray<PathCapture>
    }
  /** OPTIONS on a path that does not declare it. */
  | { readonly _tag: 'Options'; readonly allow: ReadonlyArray<string> }
  | RequestFailure

/** The methods of RFC 9110, 9.3, and PATCH (RFC 5789). WebDAV and other registered methods count only if declared. */
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

/** The methods that a tree knows: the standard ones and those of its operations. All others get 501. */
export const knownMethods = (declared: Iterable<string>): ReadonlySet<string> =>
  new Set([...standardMethods, ...declared])

type Request = Pick<Exchange, 'method' | 'path' | 'headers'>

export interface OperationSelector<P> {
  readonly matcher: PathMatcher<OperationsByMethod<P>>
  readonly methods: ReadonlySet<string>
}

/** Steps 3 and 4 of a request. The method is looked up last, because that of a selected operation is known. */
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
  const operations = exact === undefined ? undefined : forMethod(exact, request.method)
  if (operations !== undefined) return negotiated(operations, request, [])
  const match = matcher.match(request.path)
  if (match === undefined)
    return { _tag: 'MalformedRequest', detail: 'The path has a percent-escape that is not UTF-8.' }
  if (match.matches.length === 0) return Failures.notFound
  for (const { value: site, captures } of match.matches) {
    const found = forMethod(site, request.method)
    if (found !== undefined) return negotiated(found, request, captures)
  }
  const allow = allowed(match.matches)
  return request.method === 'OPTIONS'
    ? { _tag: 'Options', allow }
    : { _tag: 'MethodNotAllowed', allow }
}

/** HEAD is what GET would answer (RFC 9110, 9.3.2). */
const forMethod = <P>(site: OperationsByMethod<P>, method: string): Negotiate<P> | undefined =>
  site.get(method) ?? (method === 'HEAD' ? site.get('GET') : undefined)

const negotiated = <P>(
  operations: Negotiate<P>,
  { headers }: Request,
  captures: ReadonlyArray<PathCapture>,
): Selection<P> => {
  const result = operations(headers)
  return result._tag === 'Chosen' ? { _tag: 'Selected', choice: result.choice, captures } : result
}

/** Every method that one of the sites answers (RFC 9110, 10.2.1). */
const allowed = <P>(
  found: ReadonlyArray<MatchedPath<OperationsByMethod<P>>>,
): ReadonlyArray<string> => {
  const declared = new Set(found.flatMap(({ value: site }) => [...site.keys()]))
  const derived = declared.has('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS']
  return [...new Set([...declared, ...derived])]
}
