/** Runs the mapper of an error: step 10. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { CompiledFilters } from '../filters/compiled-filters.ts'
import { whenSettled } from '../maybe-async.ts'
import type { EncodeResponse } from '../response/encode-response.ts'

/** The request for which a mapper runs. */
export interface MapperRun {
  readonly context: ResponseContext
  /** Called when the search has found a mapper, or a cause that needs none. */
  readonly onFound: () => void
  /** Called before a mapper runs, or after the search has failed: no other mapper may run for the request. */
  readonly onRun: () => void
  readonly respond: (reply: AnyReply, encode: EncodeResponse) => void
  /** Continues with an error that has no mapper, or that a mapper has thrown. */
  readonly unmapped: (error: unknown) => void
}

/**
 * Searches a mapper for `error` and runs it. Returns `false` if there is none; then nothing was called.
 *
 * A cause of the error that is an `HttpError` needs no mapper: the request continues with it as unmapped.
 */
export const runMapper = (
  { findMapper: mapperOf }: Pick<CompiledFilters, 'findMapper'>,
  error: unknown,
  run: MapperRun,
): boolean => {
  if (mapperOf === undefined) return false
  try {
    const found = mapperOf(error)
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
