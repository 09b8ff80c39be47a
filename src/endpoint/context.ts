/**
 * The context: the one way from a handler to the request itself. What an endpoint declares arrives decoded in its input;
 * here is everything else. It is built when it is first touched.
 */

/** What surrounds a call of a handler. */
export interface Context {
  readonly request: RequestContext
  readonly endpoint: EndpointInfo
}

export interface RequestContext {
  /** As received; HEAD where GET answers it. */
  readonly method: string
  /** The path as received, with percent-escapes and matrix parameters. */
  readonly path: string
  /** What follows the first `?`, as received; `undefined` without one. */
  readonly query: string | undefined
  /** All fields of that name, in any case, joined by `, ` (RFC 9110, 5.3); `undefined` when there is none. */
  readonly header: (name: string) => string | undefined
  /** Names and values in turn, as received. */
  readonly headers: ReadonlyArray<string>
  /** Identifies this request in problem documents and in the log. */
  readonly id: string
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal
}

/** Which operation is running. */
export interface EndpointInfo {
  /** Its keys in the tree, joined by dots: `books.get`. */
  readonly name: string
  readonly method: string
  /** The template with everything above it: `/api/books/{isbn}`. */
  readonly template: string
}
