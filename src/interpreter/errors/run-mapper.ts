/** Runs the mapper for an error. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { CompiledFilters } from '../filters/compiled-filters.ts'
import { whenSettled } from '../../body/maybe-async.ts'
import type { EncodeResponse } from '../response/encode-response.ts'

/** The context for a mapper and the callbacks that receive its result. */
export interface MapperRun {
  readonly context: ResponseContext
  /** Called when the search has found either a mapper or a cause of the error that needs no mapper. */
  readonly onFound: () => void
  /**
   * Called before a mapper runs, and also if the search or the mapper throws an error. After this call, no other mapper must run
   * for the request.
   */
  readonly onRun: () => void
  readonly respond: (reply: AnyReply, encode: EncodeResponse) => void
  /** Called with a cause of the error that needs no mapper, or with an error thrown by a guard or a mapper. */
  readonly unmapped: (error: unknown) => void
}

/**
 * Finds the mapper for `error` and runs it. If no mapper applies, returns `false` without calling any function in `run`.
 *
 * The search can also end at a cause that is an `HttpError` and needs no mapper. In this case, `run.unmapped` is called with the
 * cause.
 */
export const runMapper = (
  { findMapper }: Pick<CompiledFilters, 'findMapper'>,
  error: unknown,
  run: MapperRun,
): boolean => {
  if (findMapper === undefined) return false
  try {
    const found = findMapper(error)
    if (found === undefined) return false
    if (found._tag === 'Unmapped' && found.error === error) return false
    run.onFound()
    if (found._tag === 'Unmapped') {
      run.unmapped(found.error)
      return true
    }
    run.onRun()
    whenSettled(
      found.run(found.error, run.context),
      (reply) => {
        if (!isReply(reply)) throw new TypeError('an error mapper must return a reply')
        run.respond(reply, found.respond)
      },
      run.unmapped,
    )
  } catch (mapperError) {
    run.onRun()
    run.unmapped(mapperError)
  }
  return true
}
