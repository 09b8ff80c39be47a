/** Finds and runs the mapper for an error. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { MapError } from '../../endpoint/mapper.ts'
import type { FilterChain } from '../../compiler/filter-chain.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { declaredEncoder } from '../response/encode-response.ts'
import { findMapper } from './find-mapper.ts'
import { whenSettled } from '../../body/maybe-async.ts'
import type { EncodeResponse } from '../response/encode-response.ts'

/** The result of searching for a mapper: the mapper and the error to map, or an `HttpError` that needs no mapper. */
export type MappedError =
  | {
      readonly _tag: 'Mapping'
      readonly run: MapError['run']
      readonly error: unknown
      readonly respond: EncodeResponse
    }
  | { readonly _tag: 'Unmapped'; readonly error: unknown }

/** Finds the mapper for an error. Errors thrown by guards are not caught. */
export type FindMappedError = (error: unknown) => MappedError | undefined

/** Returns the function that finds the mapper for an error, or `undefined` if no mappers are declared. */
export const mapperFinder = (
  { mappers, entities }: FilterChain,
  settings: Settings,
): FindMappedError | undefined => {
  if (mappers.length === 0) return undefined
  const responds = new Map(
    mappers
      .flat()
      .flatMap((mapper) =>
        mapper._tag === 'MapError'
          ? [[mapper, declaredEncoder(mapper.responses, settings, entities)] as const]
          : [],
      ),
  )
  return (error) => {
    const found = findMapper(mappers, error)
    if (found === undefined) return undefined
    const respond = found.mapper && responds.get(found.mapper)
    return respond === undefined || found.mapper === undefined
      ? { _tag: 'Unmapped', error: found.error }
      : { _tag: 'Mapping', run: found.mapper.run, error: found.error, respond }
  }
}

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
export const runMapper = (find: FindMappedError, error: unknown, run: MapperRun): boolean => {
  try {
    const found = find(error)
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
