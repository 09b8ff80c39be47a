/** Header fields that a service hands on to those that it calls itself. */
import type { RequestContext } from '../../endpoint/context.ts'
import type { FieldsToSend } from './fields.ts'

/** The part of a handler's context that is looked at. */
interface Incoming {
  readonly request: Pick<RequestContext, 'headerLines'>
}

/** The fields of these names, in any case, that the request being answered came with; none where it came without. */
export const propagate =
  (...names: ReadonlyArray<string>): ((context: Incoming) => FieldsToSend) =>
  ({ request }) =>
    Object.fromEntries(
      names
        .map((name) => [name, request.headerLines(name)] as const)
        .filter(([, values]) => values.length > 0),
    )
