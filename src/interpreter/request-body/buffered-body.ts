/** Reads buffered bodies with the built-in readers, or with the application's readers and reader interceptors. */
import { bodyFormat } from '../../body/body-formats.ts'
import type {
  BuiltInBodyPlan,
  BodyPlan,
  ProvidedFormat,
  VisibilityRules,
} from '../../body/body-plan.ts'
import type { BodyReadOptions, XmlLimits, FormLimits } from '../../body/body-format.ts'
import type { ReadBody, ReadResult } from '../../body/decode-body.ts'
import type { Plan } from '../../compiler/plan.ts'
import { bodyTooLarge, limitName, limitOfSetting } from '../../compiler/settings/body-limit.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { jsonReadSettings } from '../json-settings.ts'
import { formText, malformedEscape } from '../../body/formats/form.ts'
import { invalidInput, decodeBody, unreadableBody, whenRead } from '../../body/decode-body.ts'
import { inForm, readGroup } from '../parameters/read-parameters.ts'
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import type { Context } from '../../endpoint/context.ts'
import type { ReadingChange } from '../../endpoint/interceptor.ts'
import type { Reader, Reading } from '../../endpoint/reader.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { codecBackEnd } from '../../compiler/settings/settings.ts'
import { andThen } from '../../http/platform-value.ts'
import type { BodyStream, Exchange } from '../exchange.ts'
import { runInterceptors } from '../../body/interceptors.ts'
import { selectByMediaType, codecOfBody, isBuiltIn, inputVisibility } from '../../body/body-plan.ts'
import { readError } from '../errors/error-response.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as Percent from '../../http/percent.ts'
import * as MediaType from '../../http/media-type.ts'

/** The part of a plan that describes buffered bodies. */
export interface BufferedBodies {
  readonly bodies: Plan['bodies']
  readonly parts: Plan['parts']
  readonly parameters: Pick<Plan['parameters'], 'form'>
  readonly chain: {
    readonly entities: Pick<Plan['chain']['entities'], 'readerInterceptors'>
  }
}

/** Returns the built-in reader for a body. The readers for streams are in `streamed-body.ts`. */
export const bodyReader = (body: BuiltInBodyPlan, settings: Settings): ReadBody =>
  bodyFormat(body.format).reader?.(readOptions(body, settings)) ?? E.right

const builtInReader = (plan: BufferedBodies, body: BuiltInBodyPlan, settings: Settings): ReadBody =>
  body.format._tag === 'Form' ? formReader(plan, settings) : bodyReader(body, settings)

const readOptions = ({ json, visibility }: BodyPlan, settings: Settings): BodyReadOptions => ({
  ...jsonReadSettings(settings),
  json,
  visibility,
  keepsLinks: false,
  xml: xmlLimits(settings),
  form: formLimits(settings),
})

const xmlLimits = (settings: Settings): XmlLimits => {
  const limit = limitOfSetting('fw.http.limits.max-xml-size', settings)
  return {
    depth: settings['fw.http.limits.max-xml-depth'],
    rejectsUndeclared: settings['fw.rest.jsonlib.fail-on-unknown-properties'],
    sizeFailure: (length) => (length > limit.bytes ? bodyTooLarge(limit) : undefined),
  }
}

const formLimits = (settings: Settings): FormLimits => ({
  fields: settings['fw.http.limits.max-parameters'],
  fieldsName: limitName('fw.http.limits.max-parameters', settings),
  fieldSize: settings['fw.http.limits.max-form-attribute-size'],
  fieldSizeName: limitName('fw.http.limits.max-form-attribute-size', settings),
})

/** Returns the reader for a URL-encoded form. The only parts of such a form are maps of all fields. */
const formReader = (plan: BufferedBodies, settings: Settings): ReadBody => {
  const read = readGroup(plan.parameters.form, inForm(plan.parameters.form), settings, true)
  const limits = formLimits(settings)
  return (bytes, contentType) => {
    const text = formText(bytes, contentType, limits)
    if (E.isLeft(text)) return text
    const fields = read(text.right)
    if (E.isLeft(fields)) return invalidInput(fields.left)
    if (plan.parts.length === 0) return fields
    const all = Percent.groupPairs(Percent.splitPairs(text.right))
    if (all === undefined) return unreadableBody(malformedEscape)
    return E.right({
      ...fields.right,
      ...Object.fromEntries(plan.parts.map(({ key }) => [key, all])),
    })
  }
}

/** Reads a buffered body. `context` is called if the application's readers or interceptors process the body. */
export type ReadRequestEntity = (
  bytes: Uint8Array,
  contentType: MediaType.MediaType | undefined,
  context: () => Context,
) => ReadResult

/** Reads a body as a stream. Errors of the stream are passed on unchanged, so an `HttpError` keeps its status. */
export type ReadStream = (
  chunks: BodyStream,
  contentType: MediaType.MediaType | undefined,
  exchange: Exchange,
  context: Context,
) => ReadResult

/** Whether the application's readers or interceptors process a body. */
export const isReadByApplication = (
  { chain }: Pick<BufferedBodies, 'chain'>,
  body: BodyPlan,
): boolean => chain.entities.readerInterceptors.length > 0 || !isBuiltIn(body)

/** Returns the reader for each body declared in a plan. */
export const entityReaders = (
  plan: BufferedBodies,
  settings: Settings,
): ReadonlyArray<ReadRequestEntity> => {
  const { bodies, chain } = plan
  const interceptors = chain.entities.readerInterceptors
  if (interceptors.length === 0 && bodies.every(isBuiltIn))
    return bodies.map((body) => builtInReader(plan, body, settings))
  const readers = new Map(
    bodies.map((body) => [body, innermostReader(plan, body, settings)] as const),
  )
  return bodies.map((body) => {
    if (interceptors.length === 0 && isBuiltIn(body)) return builtInReader(plan, body, settings)
    return (data, contentType, context) => {
      const mediaType = MediaType.format(contentType ?? body.mediaType)
      const innermost = (reading: Reading): unknown => {
        if (reading.mediaType === mediaType) return readers.get(body)?.(reading, contentType)
        const changed = O.toUndefined(MediaType.parse(reading.mediaType))
        return readers.get(selectByMediaType(changed, bodies) ?? body)?.(reading, changed)
      }
      const run = runInterceptors<Reading, ReadingChange, unknown>(
        interceptors,
        innermost,
        identity,
      )
      const codec = codecOfBody(body)
      return andThen(run({ data, mediaType, codec, context: context() }), E.right)
    }
  })
}

type Read = (reading: Reading, contentType: MediaType.MediaType | undefined) => unknown

/** Returns the reader that runs after all interceptors. If reading fails, it throws an error. */
const innermostReader = (plan: BufferedBodies, body: BodyPlan, settings: Settings): Read => {
  if (!isBuiltIn(body)) {
    const { format } = body
    return format._tag === 'Provider' && format.by._tag === 'Reader'
      ? applicationReader(format, format.by, settings, body.visibility)
      : () => undefined
  }
  const read = builtInReader(plan, body, settings)
  return ({ data }, contentType) => whenRead(read(data, contentType), valueOf)
}

/**
 * Returns a function that calls a reader provided by the application. If the reader was created for a particular codec, its
 * result is already decoded. Otherwise, the result is decoded with the declared codec.
 */
const applicationReader = (
  { codec }: ProvidedFormat,
  reader: Reader,
  settings: Settings,
  rules: VisibilityRules | undefined,
): Read => {
  if (reader.scope._tag === 'Codec') return (reading) => reader.run(reading.data, reading)
  const visibility = inputVisibility(codec, rules)
  const compiled = compileCodec(codec, 'drop', codecBackEnd(settings), visibility)
  return (reading) =>
    andThen(reader.run(reading.data, reading), (value) =>
      whenRead(decodeBody(compiled, value), valueOf),
    )
}

const valueOf = (result: E.Either<RequestFailure, unknown>): unknown => {
  if (E.isLeft(result)) throw readError(result.left)
  return result.right
}
