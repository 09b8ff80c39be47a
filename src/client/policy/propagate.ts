/** Header fields that a service hands on to those that it calls itself. */
import type { RequestContext } from '../../endpoint/context.ts'

/** The part of a handler's context that is looked at. */
interface Incoming {
  readonly request: Pick<RequestContext, 'headerLines'>
}

/**
 * The fields of these names, in any case, that the request being answered came with; none where it came without. They are
 * for one call, or for the clients that are made for one request. A field that came in several lines is sent in one.
 */
export const propagate =
  (...names: ReadonlyArray<string>): ((context: Incoming) => Readonly<Record<string, string>>) =>
  ({ request }) =>
    Object.fromEntries(
      names
        .map((name) => [name, request.headerLines(name)] as const)
        .filter(([, lines]) => lines.length > 0)
        // cookies are the one field that is no list (RFC 9110, 5.3; RFC 6265, 5.4)
        .map(([name, lines]) => [name, lines.join(/^cookie$/i.test(name) ? '; ' : ', ')]),
    )
