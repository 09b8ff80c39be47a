/** Determines which representations a client can send and receive, and which of them are plain: JSON, text and bytes. */
import { isFile, isHal } from '../endpoint/representation.ts'
import { containsBigint } from '../codec/json/json-library.ts'
import { requiresMultipart, isFormPart } from '../endpoint/body.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { BodyOptions, BodyPlan } from '../body/body-plan.ts'
import { bodyPlans } from '../body/create-body-plans.ts'
import type { ClientOperation } from './response-plan.ts'

const plain: ReadonlySet<string> = new Set(['Json', 'RawJson', 'Problem', 'Text', 'Bytes'])

/** Whether an operation needs functions of `further-formats.ts`. */
export const needsFurtherFormats = ({
  bodies,
  responses,
  definition,
  entities,
}: ClientOperation): boolean =>
  entities.readerInterceptors.length + entities.writerInterceptors.length > 0 ||
  [...definition.parameters.form.values()].some(requiresMultipart) ||
  [...bodies, ...[...responses.values()].flatMap(({ alternatives }) => alternatives)].some(
    ({ format, json }) => !plain.has(format._tag) || !isPlainJson(format, json),
  )

/** Whether the global `JSON` object reads and writes a body, if it is JSON. */
const isPlainJson = (format: BodyPlan['format'], json: BodyPlan['json']): boolean =>
  (format._tag !== 'Json' && format._tag !== 'Problem') ||
  (json === undefined && !containsBigint(format.codec))

/** Returns the media types of the bodies and form parts that a client cannot send. */
export const unwritableTypes = ({
  bodies,
  definition,
  entities,
}: ClientOperation): ReadonlyArray<string> => {
  const parts = [...definition.parameters.form.values()].flatMap((part) =>
    isFormPart(part) && part.kind === 'part' && part.representation !== undefined
      ? bodyPlans([part.representation], entities.writers, entities)
      : [],
  )
  return [
    ...parts.filter((plan) => !isBuffered('write', plan)),
    ...bodies.filter((plan) => !sentStreams.has(plan.format._tag) && !isBuffered('write', plan)),
  ].map(({ contentType }) => contentType)
}

/** Returns the media types of the responses that a client cannot read. */
export const unreadableTypes = ({ responses }: ClientOperation): ReadonlyArray<string> =>
  [...responses.values()]
    .flatMap(({ alternatives }) => alternatives)
    .filter((plan) => !isReadable(plan))
    .map(({ contentType }) => contentType)

/** The streamed formats that a client can send. */
const sentStreams: ReadonlySet<string> = new Set([
  'ByteStream',
  'TextStream',
  'JsonStream',
  'FileBody',
  'MultipartInput',
  'MultipartStream',
])

/** Whether a client reads or writes bodies as a whole, depending on `direction`. */
const isBuffered = (direction: 'read' | 'write', { format }: BodyPlan): boolean => {
  if (isHal(format)) return true
  switch (format._tag) {
    case 'Provider':
      return format.by._tag === (direction === 'read' ? 'Reader' : 'Writer')
    case 'Custom':
      return format[direction] !== undefined
    case 'Xml':
    case 'Data':
    case 'FormMap':
      return true
    default:
      return plain.has(format._tag)
  }
}

const isReadable = (plan: BodyPlan): boolean => {
  const { format } = plan
  if (isFile(format)) return true
  switch (format._tag) {
    case 'ByteStream':
    case 'TextStream':
    case 'JsonStream':
      return true
    case 'EventStream':
      return (
        format.data._tag === 'Codec' ||
        plansOf(format.data, plan).some((data) => isBuffered('read', data))
      )
    case 'MultipartOutput':
      return (format.fields ?? []).every(({ representation }) =>
        plansOf(representation, plan).some(
          (part) =>
            isFile(part.format) || readParts.has(part.format._tag) || isBuffered('read', part),
        ),
      )
    default:
      return isBuffered('read', plan)
  }
}

/** The streamed formats that a part of a multipart response can have, in addition to files. */
const readParts: ReadonlySet<string> = new Set(['ByteStream', 'TextStream'])

/** Returns the plan for event data or a part. Custom readers do not apply to them. */
const plansOf = (
  representation: AnyRepresentation,
  options: BodyOptions,
): ReadonlyArray<BodyPlan> => bodyPlans([representation], [], options).slice(0, 1)
