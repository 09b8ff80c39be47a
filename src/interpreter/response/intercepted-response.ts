/**
 * Puts replies into octets as the operation has it done: by the engine, or by writers and interceptors around it. What they say
 * of the head counts until all octets are there, for only then it is sent.
 */
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { unwrapHal } from '../../endpoint/hal.ts'
import type { ResponseContext } from '../../endpoint/context.ts'
import type { DeclaredResponse } from '../../endpoint/endpoint.ts'
import type { WritingChange } from '../../endpoint/interceptor.ts'
import type { Writing } from '../../endpoint/writer.ts'
import type { WriteContext } from './write-context.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import { isHal } from './hal/write-hal.ts'
import { ResponseHead } from './response-head.ts'
import { attempt, runInterceptors } from '../filters/interceptor-chain.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { responsesByStatus } from '../../body/create-body-plans.ts'
import { selectByMediaType, codecOfBody, isBuiltIn } from '../../body/entity/select-body-plan.ts'
import type { DraftResponse, EncodeResponse, ResponsePlans } from './encode-response.ts'
import { visibleWriter, writeVisible } from './visibility.ts'
import {
  responseDrafter,
  undeclaredDrafter,
  responseEncoder,
  undeclaredEncoder,
} from './encode-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { addEtag } from './automatic-etag.ts'
import { bodyWriter, writerByContentType } from './write-content.ts'

/** Prepares the responses of a plan. */
export const interceptedEncoder = (
  plan: ResponsePlans,
  settings: Settings,
  offers: ReadonlyArray<BodyPlan>,
  entities: EntityProviders,
): EncodeResponse => {
  const alternatives = [...plan.responses.values()].flatMap((response) => response.alternatives)
  return entities.writerInterceptors.length === 0 && alternatives.every(isBuiltIn)
    ? responseEncoder(plan, settings, offers)
    : through(
        responseDrafter(plan, settings, offers),
        settings,
        entities,
        alternatives,
        responseEncoder(plan, settings, offers),
      )
}

/** Prepares the replies of which nobody says how they are written. */
export const interceptedUndeclaredEncoder = (
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse =>
  entities.writerInterceptors.length === 0
    ? undeclaredEncoder(settings)
    : through(undeclaredDrafter(settings), settings, entities, [], undeclaredEncoder(settings))

/** Prepares the replies of a filter or a mapper: with the contents that it declares, or as they are. */
export const declaredEncoder = (
  responses: ReadonlyArray<DeclaredResponse>,
  settings: Settings,
  entities: EntityProviders,
): EncodeResponse => {
  const otherwise = interceptedUndeclaredEncoder(settings, entities)
  if (responses.length === 0) return otherwise
  const declared = responsesByStatus(responses, entities)
  const responding = {
    name: 'a filter or mapper',
    headers: [],
    cacheControl: undefined,
    responses: declared,
  }
  const write = interceptedEncoder(responding, settings, [], entities)
  const answer: EncodeResponse = (outcome, asking) =>
    (declared.has(outcome.as ?? outcome.status) ? write : otherwise)(outcome, asking)
  return Object.assign(answer, { responses: declared })
}

type Write = (writing: Writing, asking: WriteContext) => unknown

const through = (
  draft: DraftResponse,
  settings: Settings,
  { writerInterceptors }: EntityProviders,
  alternatives: ReadonlyArray<BodyPlan>,
  past: EncodeResponse,
): EncodeResponse => {
  const writes = new Map(alternatives.map((one) => [one, writingAny(one, settings)] as const))
  const isBesideHal = alternatives.some(isHal)
  const streamed = new Set(alternatives.filter(({ format }) => bodyFormat(format).isStreamed))
  return (outcome, asking) => {
    const { exchange } = asking
    const drawn = draft(outcome, exchange)
    const { writer } = drawn
    if (writer === undefined)
      return { status: drawn.status, headers: drawn.headers, body: undefined }
    // there are no octets to show to anybody
    if (writer.alternative !== undefined && streamed.has(writer.alternative))
      return past(outcome, asking)
    const head = new ResponseHead(drawn)
    const entity =
      isBesideHal && !(writer.alternative !== undefined && isHal(writer.alternative))
        ? unwrapHal(outcome.entity)
        : outcome.entity
    const validator = writer.alternative?.validator
    const octetsOf = (content: unknown): Uint8Array => {
      if (typeof content === 'string') return head.encode(content)
      if (content instanceof Uint8Array) return content
      throw new TypeError('a writer or interceptor gave neither a string nor octets')
    }
    const inside = (writing: Writing): unknown => {
      const other =
        writing.mediaType === drawn.contentType
          ? undefined
          : selectByMediaType(head.mediaType, alternatives)
      const content = other ?? writer.alternative
      const own = content === undefined ? undefined : writes.get(content)?.(writing.mediaType)
      return own === undefined ? writer.write(writing.entity, asking) : own(writing, asking)
    }
    const run = runInterceptors<Writing, WritingChange, Uint8Array>(
      writerInterceptors,
      inside,
      octetsOf,
      ({ mediaType }) => head.become(mediaType),
    )
    return (context: ResponseContext, then, failed) =>
      attempt(
        () =>
          run({
            entity,
            mediaType: drawn.contentType,
            codec: writer.alternative === undefined ? undefined : codecOfBody(writer.alternative),
            status: drawn.status,
            headers: drawn.headers,
            addHeader: head.add,
            context,
          }),
        (content) => {
          const answer = head.answer(octetsOf(content))
          if (validator === undefined) then(answer)
          else void addEtag(answer, validator, exchange).then(then).catch(failed)
        },
        failed,
      )
  }
}

/** Writes one alternative under any media type: in the charset that this names. */
const writingAny = (content: BodyPlan, settings: Settings): ((mediaType: string) => Write) => {
  if (!isBuiltIn(content)) {
    const provided = write(content, settings)
    return () => provided
  }
  const make = (typed: BodyPlan) => bodyWriter(typed, settings)
  const writeAs = writerByContentType(content, make(content), make)
  return (mediaType) => {
    const own = writeAs(mediaType)
    return ({ entity }, asking) => own(entity, asking)
  }
}

/** Writes an alternative by a writer of the application. One that is made for the codec is given its values, any other what the codec encodes. */
const write = (content: BodyPlan, settings: Settings): Write => {
  const { format } = content
  if (format._tag !== 'Provider' || format.by._tag !== 'Writer') return () => ''
  const { by, codec } = format
  const { visibility: projecting } = content
  if (by.scope._tag === 'Codec') return (writing) => by.run(writing.entity, writing)
  const encode = writeVisible(
    visibleWriter(
      codec,
      projecting,
      (projection) => compileCodec(codec, 'drop', codecBackEnd(settings), projection).encode,
    ),
  )
  return (writing, asking) => by.run(encode(writing.entity, asking), writing)
}
