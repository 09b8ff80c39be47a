/**
 * Encodes responses whose bodies are processed by writers and interceptors of the application.
 *
 * The head is sent only after the body is complete. Until then, writers and interceptors can change the head.
 */
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { ResponseContext } from '../../endpoint/context.ts'
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import type { WritingChange } from '../../endpoint/interceptor.ts'
import type { Writing } from '../../endpoint/writer.ts'
import type { WriteContext } from './write-body.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import { isHal } from './hal.ts'
import { ResponseHead } from './response-headers.ts'
import { runInterceptors } from '../../body/interceptors.ts'
import { attempt } from '../../body/maybe-async.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { responsesByStatus } from '../../body/create-body-plans.ts'
import { selectByMediaType, codecOfBody, isBuiltIn } from '../../body/entity/select-body-plan.ts'
import type { DraftResponse, EncodeResponse, ResponsePlans } from './encode-response.ts'
import { responseDrafter, responseEncoder } from './encode-response.ts'
import { undeclaredDrafter, undeclaredEncoder } from './undeclared-response.ts'
import { visibleWriter, writeVisible } from './visibility.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { addEtag } from './automatic-etag.ts'
import { completeProblem } from './complete-problem.ts'
import { bodyWriter, writerByContentType } from './body-writer.ts'
import { isBytes } from '../../http/platform-value.ts'

/**
 * Returns the encoder for the responses in a plan. If no writers or interceptors apply, returns the encoder from
 * `encode-response.ts`.
 */
export const interceptedEncoder = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
  entities: EntityProviders,
): EncodeResponse => {
  const alternatives = [...plan.responses.values()].flatMap((response) => response.alternatives)
  return entities.writerInterceptors.length === 0 && alternatives.every(isBuiltIn)
    ? responseEncoder(plan, settings, offers)
    : interceptBodies(
        responseDrafter(plan, settings, offers),
        settings,
        entities,
        alternatives,
        responseEncoder(plan, settings, offers),
      )
}

/** Returns the encoder for replies that have no declared representation. */
export const interceptedUndeclaredEncoder = (
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse =>
  entities.writerInterceptors.length === 0
    ? undeclaredEncoder(settings)
    : interceptBodies(
        undeclaredDrafter(settings),
        settings,
        entities,
        [],
        undeclaredEncoder(settings),
      )

/** Returns the encoder for replies from a filter or mapper. `responses` are the responses declared by the filter or mapper. */
export const declaredEncoder = (
  responses: ReadonlyArray<DeclaredResponse>,
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse => {
  const encodeUndeclared = interceptedUndeclaredEncoder(settings, entities)
  if (responses.length === 0) return encodeUndeclared
  const declared = responsesByStatus(responses, entities)
  const plan = {
    name: 'a filter or mapper',
    headers: [],
    cacheControl: undefined,
    responses: declared,
  }
  const encodeDeclared = interceptedEncoder(plan, settings, [], entities)
  const encode: EncodeResponse = (response, context) =>
    (declared.has(response.declaredStatus ?? response.status) ? encodeDeclared : encodeUndeclared)(
      response,
      context,
    )
  return Object.assign(encode, { responses: declared })
}

/** Writes an entity, and returns a string, bytes, or a promise or `Task` of one of these. */
export type WriteEntity = (writing: Writing, context: WriteContext) => unknown

const interceptBodies = (
  draftResponse: DraftResponse,
  settings: Settings,
  { writerInterceptors }: EntityProviders,
  alternatives: ReadonlyArray<BodyPlan>,
  encodeDirectly: EncodeResponse,
): EncodeResponse => {
  const writersByPlan = new Map(
    alternatives.map((plan) => [plan, writerForMediaType(plan, settings)] as const),
  )
  const hasHal = alternatives.some(isHal)
  const streamed = new Set(alternatives.filter(({ format }) => bodyFormat(format).isStreamed))
  return (response, writeContext) => {
    const { exchange } = writeContext
    const draft = draftResponse(response, exchange)
    const { writer } = draft
    if (writer === undefined)
      return { status: draft.status, headers: draft.headers, body: undefined }
    // interceptors do not apply to streams
    if (writer.alternative !== undefined && streamed.has(writer.alternative))
      return encodeDirectly(response, writeContext)
    const head = new ResponseHead(draft)
    const entity =
      hasHal && !(writer.alternative !== undefined && isHal(writer.alternative))
        ? unwrapHal(response.entity)
        : response.entity
    const validator = writer.alternative?.validator
    const toBytes = (body: unknown): Uint8Array => {
      if (typeof body === 'string') return head.encode(body)
      if (isBytes(body)) return body
      throw new TypeError(
        'invalid result of a writer or interceptor: expected a string or a Uint8Array',
      )
    }
    const writeEntity = (writing: Writing): unknown => {
      const changed =
        writing.mediaType === draft.contentType
          ? undefined
          : selectByMediaType(head.mediaType, alternatives)
      const plan = changed ?? writer.alternative
      const write = plan === undefined ? undefined : writersByPlan.get(plan)?.(writing.mediaType)
      return write === undefined
        ? writer.write(writing.entity, writeContext)
        : write(writing, writeContext)
    }
    const run = runInterceptors<Writing, WritingChange, Uint8Array>(
      writerInterceptors,
      writeEntity,
      toBytes,
      ({ mediaType }) => head.setMediaType(mediaType),
    )
    return (context: ResponseContext, then, failed) =>
      attempt(
        () =>
          run({
            entity: completeProblem(entity, writer.alternative, draft.status, writeContext),
            mediaType: draft.contentType,
            codec: writer.alternative === undefined ? undefined : codecOfBody(writer.alternative),
            status: draft.status,
            headers: draft.headers,
            addHeader: head.addHeader,
            context,
          }),
        (body) => {
          const complete = head.complete(toBytes(body))
          if (validator === undefined) then(complete)
          else void addEtag(complete, validator, exchange).then(then).catch(failed)
        },
        failed,
      )
  }
}

/** Returns a function that creates the writer for a media type. The writer uses the charset of that media type. */
export const writerForMediaType = (
  plan: BodyPlan,
  settings: Settings,
): ((mediaType: string) => WriteEntity) => {
  if (!isBuiltIn(plan)) {
    const write = applicationWriter(plan, settings)
    return () => write
  }
  const create = (typed: BodyPlan) => bodyWriter(typed, settings)
  const writeAs = writerByContentType(plan, create(plan), create)
  return (mediaType) => {
    const write = writeAs(mediaType)
    return ({ entity }, context) => write(entity, context)
  }
}

/**
 * Prepares a writer provided by the application. A writer for a codec receives decoded values. Any other writer receives encoded
 * values.
 */
const applicationWriter = (plan: BodyPlan, settings: Settings): WriteEntity => {
  const { format, visibility: rules } = plan
  if (format._tag !== 'Provider' || format.by._tag !== 'Writer') return () => ''
  const { by, codec } = format
  if (by.scope._tag === 'Codec') return (writing) => by.run(writing.entity, writing)
  const encode = writeVisible(
    visibleWriter(
      codec,
      rules,
      (visibility) => compileCodec(codec, 'drop', codecBackEnd(settings), visibility).encode,
    ),
  )
  return (writing, context) => by.run(encode(writing.entity, context), writing)
}
