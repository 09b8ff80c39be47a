/** Finds the readers, writers and error mappers that apply to an operation, for `providersOf`. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import { parseDeclaredType } from '../../body/charset.ts'
import { codecOfBody, isBuiltIn } from '../../body/body-plan.ts'
import { settle } from '../../http/platform-value.ts'
import type { AnyCodec } from '../../codec/codec.ts'
import type { AnySchema } from '../../codec/standard-schema/schema-types.ts'
import type { FilterChain } from '../../compiler/filter-chain.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Context, ResponseContext } from '../../endpoint/context.ts'
import { entity } from '../../endpoint/entity.ts'
import type { HttpError } from '../../endpoint/http-error.ts'
import { BadRequest, isHttpError } from '../../endpoint/http-error.ts'
import type { Providers, WrittenEntity } from '../../endpoint/providers.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply } from '../../endpoint/reply.ts'
import { as, toCodec } from '../../endpoint/representation.ts'
import * as MediaType from '../../http/media-type.ts'
import { readError } from '../errors/error-response.ts'
import { findMapper } from '../errors/error-mapping.ts'
import type { ReadRequestEntity } from '../request-body/buffered-body.ts'
import { entityReaders } from '../request-body/buffered-body.ts'
import { writerForMediaType } from '../response/intercept-body.ts'
import { ResponseHead } from '../response/response-headers.ts'
import type { WriteContext } from '../response/write-body.ts'

/** The scope in which providers are looked up, and the request for which they run. */
export interface ProviderScope {
  readonly chain: Pick<FilterChain, 'entities' | 'mappers'>
  readonly settings: Settings
  readonly writeContext: WriteContext
  readonly context: ResponseContext
  /** The context for readers. `undefined` if no operation matched. Only built-in formats are available then. */
  readonly readingContext: Context | undefined
}

/** Creates the functions that find the providers in a scope. */
export const contextProviders = (scope: ProviderScope): Providers => {
  const { chain, settings, readingContext } = scope
  return {
    reader: (codec: AnyCodec | AnySchema, mediaType: string) => {
      const plan = planOf(codec, mediaType, chain.entities.readers, chain)
      if (plan === undefined || (readingContext === undefined && !isBuiltIn(plan))) return undefined
      const [read] = entityReaders(withoutInterceptors(plan), settings)
      return read && ((data: Uint8Array) => () => readEntity(read, data, plan, readingContext))
    },
    writer: (codec, mediaType) => {
      const plan = planOf(codec, mediaType, chain.entities.writers, chain)
      return plan && entityWriter(plan, scope)
    },
    mapper: (error) => {
      const found = findMapper(chain.mappers, error)
      const { mapper } = found ?? {}
      return mapper && (async () => replyOf(await settle(mapper.run(found?.error, scope.context))))
    },
  }
}

/**
 * Creates the plan for an entity in exactly the given media type. Throws a `TypeError` if the media type is invalid or a range.
 */
const planOf = (
  codec: AnyCodec | AnySchema,
  mediaType: string,
  providers: Parameters<typeof bodyPlans>[1],
  { entities }: Pick<FilterChain, 'entities'>,
): BodyPlan | undefined => {
  const declared = parseDeclaredType(mediaType)
  if (declared === undefined || MediaType.isRange(declared.mediaType))
    throw new TypeError(
      `invalid media type ${JSON.stringify(mediaType)}: expected a type such as application/json`,
    )
  const [plan] = bodyPlans([as(mediaType)(entity(toCodec(codec)))], providers, entities)
  // the provider may support the media type without its parameters, such as the charset
  return plan && { ...plan, ...declared }
}

const withoutInterceptors = (plan: BodyPlan): Parameters<typeof entityReaders>[0] => ({
  bodies: [plan],
  parts: [],
  parameters: { form: [] },
  chain: { entities: { readerInterceptors: [] } },
})

/**
 * Reads an entity. The `Left` is an `HttpError`: the one that the reader throws or, if the data is invalid or the reader throws any
 * other error, a `BadRequest`.
 */
const readEntity = async (
  read: ReadRequestEntity,
  data: Uint8Array,
  { mediaType }: BodyPlan,
  context: Context | undefined,
): Promise<E.Either<HttpError, unknown>> => {
  try {
    const result = await read(data, mediaType, () => {
      if (context === undefined) throw new TypeError('no operation matched')
      return context
    })
    return E.mapLeft(readError)(result)
  } catch (error) {
    return E.left(
      isHttpError(error) ? error : new BadRequest('unreadable entity', { cause: error }),
    )
  }
}

/** Returns a function that writes an entity. Strings are encoded in the charset of the media type. */
const entityWriter = (
  plan: BodyPlan,
  { settings, writeContext, context }: ProviderScope,
): ((value: unknown) => () => Promise<WrittenEntity>) => {
  const { contentType } = plan
  const write = writerForMediaType(plan, settings)(contentType)
  return (value) => async () => {
    const head = new ResponseHead({ status: 200, headers: ['Content-Type', contentType] })
    const writing = {
      entity: value,
      mediaType: contentType,
      codec: codecOfBody(plan),
      status: head.status,
      headers: head.headers,
      addHeader: head.addHeader,
      context,
    }
    const data = head.toBytes(await settle(write(writing, writeContext)))
    const { headers } = head.complete(data)
    const [, mediaType = contentType, ...others] = headers
    return { mediaType, headers: others, data }
  }
}

const replyOf = (value: unknown): AnyReply => {
  if (isReply(value)) return value
  throw new TypeError('an error mapper must return a reply')
}
