/** Determines which representations a client can send and receive, and which of them are plain: JSON, text and bytes. */
import { containsBigint } from '../codec/json/json-library.ts'
import { requiresMultipart, isFormPart } from '../endpoint/body.ts'
import type { AnyRepresentation } from '../endpoint/representation.ts'
import type { BodyPlan } from '../body/body-plan.ts'
import { nestedIn } from '../body/body-plan.ts'
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

/** The formats that a client sends and receives as a whole. */
const whole: ReadonlySet<string> = new Set([...plain, 'Hal', 'Xml', 'Data', 'FormMap'])

/** The directions in which a client processes bodies in chunks. */
const streamed: Readonly<Record<string, 'both' | 'sent' | 'received'>> = {
  ByteStream: 'both',
  TextStream: 'both',
  JsonStream: 'both',
  FileBody: 'sent',
  MultipartInput: 'sent',
  MultipartStream: 'sent',
  File: 'received',
  EventStream: 'received',
  MultipartOutput: 'received',
}

/** The streamed formats that a part of a multipart response can have. */
const partStreams: ReadonlySet<string> = new Set(['ByteStream', 'TextStream', 'File'])

/** Whether a client sends or receives bodies as a whole. */
const isBuffered = (direction: 'sent' | 'received', { format }: BodyPlan): boolean => {
  switch (format._tag) {
    case 'Provider':
      return format.by._tag === (direction === 'sent' ? 'Writer' : 'Reader')
    case 'Custom':
      return format[direction === 'sent' ? 'write' : 'read'] !== undefined
    default:
      return whole.has(format._tag)
  }
}

const isStreamed = (direction: 'sent' | 'received', { format }: BodyPlan): boolean => {
  const directions = streamed[format._tag]
  return directions === 'both' || directions === direction
}

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
  return [...parts, ...bodies.filter((plan) => !isStreamed('sent', plan))]
    .filter((plan) => !isBuffered('sent', plan))
    .map(({ contentType }) => contentType)
}

/** Returns the media types of the responses that a client cannot read. */
export const unreadableTypes = ({ responses }: ClientOperation): ReadonlyArray<string> =>
  [...responses.values()]
    .flatMap(({ alternatives }) => alternatives)
    .filter((plan) => !isReadable(plan))
    .map(({ contentType }) => contentType)

/** Whether a client reads a body. Custom readers do not apply to event data and parts. */
const isReadable = (plan: BodyPlan): boolean => {
  const { format } = plan
  const isNestedReadable = (nested: AnyRepresentation): boolean =>
    bodyPlans([nested], [], plan)
      .slice(0, 1)
      .some(
        (part) =>
          isBuffered('received', part) ||
          (format._tag === 'MultipartOutput' && partStreams.has(part.format._tag)),
      )
  return isStreamed('received', plan)
    ? nestedIn(format).every(isNestedReadable)
    : isBuffered('received', plan)
}
