/**
 * Writes bodies with the writers of the application, and runs the writer interceptors.
 *
 * The head is sent only after the body is complete. Until then, writers and interceptors can change the head.
 */
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import type { WritingChange } from '../../endpoint/interceptor.ts'
import type { Writing } from '../../endpoint/writer.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { EntityProviders } from '../../body/entity-plan.ts'
import { selectByMediaType, codecOfBody, isBuiltIn } from '../../body/body-plan.ts'
import { runInterceptors } from '../../body/interceptors.ts'
import { andThen } from '../../http/platform-value.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import type { WriteAs } from './body-writer.ts'
import { bodyWriter, byContentType } from './body-writer.ts'
import { ResponseHead } from './response-headers.ts'
import { visibleWriter } from './write-body.ts'
import type { WriteContext, WriteResponseBody } from './write-body.ts'

/** Wraps the writer of a representation, which is `undefined` for a reply that has no declared representation. */
export type WrapWriter = (plan: BodyPlan | undefined, write: WriteResponseBody) => WriteResponseBody

/**
 * Returns a function that adds the application's writers and interceptors to the writer of one of the representations. Streams are
 * written without them. If neither apply, the function returns the writer unchanged.
 */
export const bodyInterception = (
  alternatives: ReadonlyArray<BodyPlan>,
  { writerInterceptors }: Pick<EntityProviders, 'writerInterceptors'>,
  settings: Settings,
): WrapWriter => {
  if (writerInterceptors.length === 0 && alternatives.every(isBuiltIn)) return (_, write) => write
  const writersByPlan = new Map(
    alternatives.map((plan) => [plan, writerForMediaType(plan, settings)] as const),
  )
  return (alternative, writeUndeclared) => {
    if (alternative !== undefined && bodyFormat(alternative.format).isStreamed)
      return writeUndeclared
    const codec = alternative && codecOfBody(alternative)
    return (entity, writeContext) => (initialHead) => {
      const head = new ResponseHead(initialHead)
      const { status, headers, contentType, addHeader } = head
      const write = (writing: Writing): unknown => {
        const changed =
          writing.mediaType === contentType
            ? undefined
            : selectByMediaType(head.mediaType, alternatives)
        const plan = changed ?? alternative
        const writeAs = plan && writersByPlan.get(plan)
        return writeAs === undefined
          ? writeUndeclared(writing.entity, writeContext)
          : writeAs(writing.mediaType)(writing, writeContext)
      }
      const run = runInterceptors<Writing, WritingChange, Uint8Array>(
        writerInterceptors,
        write,
        (body) => head.toBytes(body),
        ({ mediaType }) => head.setMediaType(mediaType),
      )
      const { context } = writeContext
      return andThen(
        run({ entity, mediaType: contentType, codec, status, headers, addHeader, context }),
        (body) => head.complete(head.toBytes(body)),
      )
    }
  }
}

/** Writes an entity, and returns a string, bytes, or a promise or `Task` of one of these. */
export type WriteEntity = (writing: Writing, context: WriteContext) => unknown

/** Returns a function that creates the writer for a media type. The writer uses the charset of that media type. */
export const writerForMediaType = (plan: BodyPlan, settings: Settings): WriteAs<WriteEntity> => {
  if (!isBuiltIn(plan)) {
    const write = applicationWriter(plan, settings)
    return () => write
  }
  return byContentType(plan, (typed): WriteEntity => {
    const write = bodyWriter(typed, settings)
    return ({ entity }, context) => write(entity, context)
  })
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
  const encode = visibleWriter(
    codec,
    rules,
    (visibility) => compileCodec(codec, 'drop', codecBackEnd(settings), visibility).encode,
  )
  return (writing, context) => by.run(encode(writing.entity, context), writing)
}
