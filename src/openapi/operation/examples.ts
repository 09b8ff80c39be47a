/** Adds the declared examples of an operation to its bodies, in their encoded form. */
import { isHal } from '../../endpoint/representation.ts'
import type { BodyPlan } from '../../body/body-plan.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { defaultVisibility } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/compiled/interpreted-back-end.ts'
import { exactNumbers } from '../../codec/json/lossless.ts'
import { fullVisibility, isHidden, visibilityOf } from '../../codec/visibility/visibility.ts'
import { shapeOf } from '../../compiler/links/entity.ts'
import type { Plan, PartPlan } from '../../compiler/plan.ts'
import type { NamedExample } from '../../endpoint/definition/operation-documentation.ts'
import { isRecord } from '../../codec/compiled/runtime.ts'
import { isMap } from '../../http/platform-value.ts'
import * as Status from '../../http/status.ts'
import type { ExampleObject, MediaTypeObject } from '../openapi-document.ts'
import { isForm } from './media-types.ts'
import { present } from '../schema/present.ts'

/** The body to which examples belong. */
interface ExamplePosition {
  readonly plan: Plan
  readonly body: BodyPlan
  readonly version: '3.1' | '3.2'
}

/** Returns a function that adds the examples of a request body, or of the response body with a status, to a media type. */
export const withExamples =
  ({ plan, body, version }: ExamplePosition, location: NamedExample['location'], status?: number) =>
  (described: MediaTypeObject): MediaTypeObject => {
    const declared = plan.attributes.documentation?.examples ?? []
    const examples = declared
      .filter(
        (example) =>
          example.location === location &&
          (location === 'request' || (example.status ?? plan.success.status) === status),
      )
      .flatMap((example): ReadonlyArray<readonly [string, ExampleObject]> => {
        const encoded = encodeExample({ plan, body, version }, example.value, status)
        const { name, summary, description } = example
        return encoded === undefined
          ? []
          : [[name, { ...present({ summary, description }), ...encoded }]]
      })
    return examples.length === 0
      ? described
      : { ...described, examples: { ...described.examples, ...Object.fromEntries(examples) } }
  }

type EncodedExample = Pick<ExampleObject, 'value' | 'dataValue' | 'serializedValue'>

/** Encodes an example for a body. Returns `undefined` if the body cannot contain the value, or its format has no examples. */
const encodeExample = (
  { plan, body, version }: ExamplePosition,
  value: unknown,
  status?: number,
): EncodedExample | undefined => {
  const { format } = body
  const encode = (codec: Codec): unknown => toJson(encoderFor(codec, body)(value))
  if (isForm(body)) {
    const encoded = encodeForm({ plan, version }, value)
    return encoded === undefined ? undefined : { value: encoded }
  }
  if (format._tag !== 'JsonStream' && !bodyFormat(format).accepts(value)) return undefined
  if (isHal(format)) return { value: halExample(format.codec, format.collection, value, body) }
  switch (format._tag) {
    case 'Json':
    case 'Data':
      return { value: encode(format.codec) }
    case 'Problem': {
      const encoded = encode(format.codec)
      return { value: status === undefined ? encoded : completeProblem(encoded, status) }
    }
    case 'Xml': {
      // in OpenAPI 3.1, tools would compare the text of the document with its schema
      if (version === '3.1') return undefined
      const visibility = visibilityFor(format.codec, body)
      return {
        dataValue: encode(format.codec),
        serializedValue: format.writer((member) => isHidden(member, visibility))(value),
      }
    }
    case 'Text':
      return { value: format.codec === undefined ? value : encode(format.codec) }
    case 'JsonStream':
      return format.framing.isArray && Array.isArray(value) && value.every(format.codec.is)
        ? { value: toJson(value.map(encoderFor(format.codec, body))) }
        : undefined
    default:
      return undefined
  }
}

/**
 * Encodes the declared fields of a form. Returns `undefined` if the document cannot contain the value of a field. The value of a file
 * is its content as text. A map of all fields adds its entries.
 */
const encodeForm = (
  position: Pick<ExamplePosition, 'plan' | 'version'>,
  form: unknown,
): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(form)) return undefined
  const { parameters, parts } = position.plan
  const isPresent = ({ key }: { readonly key: string }): boolean => form[key] !== undefined
  const fields = [
    ...parameters.form
      .filter(isPresent)
      .map(({ key, name, codec }) => [name, encodeText(codec, form[key])] as const),
    ...parts.filter(isPresent).flatMap((part) => encodePart(part, form[part.key], position)),
  ]
  return fields.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(fields)
}

/** Encodes a text field. The schemas of text fields describe integers of any size as numbers, as lossless JSON does. */
const encodeText = (codec: Codec, value: unknown): unknown =>
  toJson(
    compileCodec(codec, 'drop', interpretedBackEnd, fullVisibility, exactNumbers).encode(value),
  )

const encodePart = (
  { key, kind, body }: PartPlan,
  value: unknown,
  position: Pick<ExamplePosition, 'plan' | 'version'>,
): ReadonlyArray<readonly [name: string, value: unknown]> => {
  switch (kind) {
    case 'part':
      return [[key, body && encodeExample({ ...position, body }, value)?.value]]
    case 'upload':
    case 'uploads':
      return [[key, value]]
    case 'allFields':
      return isMap(value)
        ? Array.from(value, ([name, texts]) => [String(name), texts] as const)
        : []
    case 'allUploads':
      return []
  }
}

/** Members that are restricted to roles are part of examples. */
const visibilityFor = (codec: Codec, { visibility = defaultVisibility }: BodyPlan) =>
  visibility.view === undefined ? fullVisibility : visibilityOf(codec, visibility.view, () => true)

const encoderFor = (codec: Codec, body: BodyPlan): ((value: unknown) => unknown) =>
  compileCodec(codec, 'drop', interpretedBackEnd, visibilityFor(codec, body)).encode

const halExample = (codec: Codec, collection: string, value: unknown, body: BodyPlan): unknown => {
  const encoded = toJson(encoderFor(codec, body)(value))
  if (Array.isArray(encoded))
    return withLinks({ _embedded: { [collection]: encoded.map(withLinks) } })
  return shapeOf(codec) === undefined ? encoded : withLinks(encoded)
}

/** Adds the members that the server adds to problem documents. */
const completeProblem = (encoded: unknown, status: number): unknown => {
  if (typeof encoded !== 'object' || encoded === null) return encoded
  const title = 'type' in encoded ? {} : { title: Status.title(status) }
  return { type: 'about:blank', ...title, instance, ...encoded, status }
}

const instance = 'urn:uuid:2f9e3a5c-7c1b-4d58-9a0e-6b1d4c8e7f30'

const withLinks = (encoded: unknown): unknown =>
  typeof encoded === 'object' && encoded !== null ? { ...encoded, _links: {} } : encoded

const toJson = (encoded: unknown): unknown => {
  const text: unknown = JSON.stringify(encoded, (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
  return typeof text === 'string' ? JSON.parse(text) : undefined
}
