/** Describes the request body of an operation, including forms. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import type { ParameterPlan, PartPlan, Plan } from '../../compiler/plan.ts'
import type { Encoding, MediaTypeObject, RequestBodyObject } from '../openapi-document.ts'
import type { DocumentContext } from './document-context.ts'
import { binarySchema, textSchema } from './document-context.ts'
import { withExamples } from './examples.ts'
import { describeBody, describeContent, isForm, mediaTypeName } from './media-types.ts'
import { isOptionalParameter, separatedStyles } from './parameters.ts'
import { present } from '../schema/present.ts'
import { attemptTo } from '../schema/fold.ts'

/** Returns the request body of an operation, or `undefined` if the operation reads none. */
export const describeRequestBody = (
  plan: Plan,
  context: DocumentContext,
): RequestBodyObject | undefined => {
  const [first] = plan.bodies
  if (first === undefined) return undefined
  const content = describeContent(plan.bodies, (body) =>
    withExamples(
      { plan, body, version: context.version },
      'request',
    )(isForm(body) ? describeForm(plan, body, context) : describeBody(context, 'input', body)),
  )
  // a request without a body and without a media type is read as an empty body of the first media type
  return { content, ...(requiresBody(plan, first) ? { required: true } : {}) }
}

/** Whether an empty body is invalid. A body that a function of the application reads counts as required. */
const requiresBody = (plan: Plan, { format }: BodyPlan): boolean => {
  switch (format._tag) {
    case 'RawJson':
    case 'Bytes':
    case 'ByteStream':
    case 'TextStream':
    case 'FileBody':
    case 'FormMap':
      return false
    case 'Form':
      return plan.parameters.form.some(({ codec }) => !isOptionalParameter(codec))
    case 'Text': {
      const { codec } = format
      if (codec === undefined) return false
      const { keepsEmpty, convert } = parameterShape(codec)
      return attemptTo(() => isRight(codec.decode(keepsEmpty ? convert('') : undefined))) !== true
    }
    default:
      return true
  }
}

/** Describes a form with declared fields. The parts of a multipart form have their own media types. */
const describeForm = (
  { parameters, parts }: Plan,
  body: BodyPlan,
  context: DocumentContext,
): MediaTypeObject => {
  const isMultipart = body.format._tag === 'MultipartForm'
  const fields = parameters.form.map((field) => describeField(field, context))
  const described = [
    ...fields,
    ...(isMultipart ? parts.flatMap((part) => describePart(part, context)) : []),
  ]
  const required = described.filter((field) => field.isRequired).map(({ name }) => name)
  const encoding = described.flatMap((field): ReadonlyArray<readonly [string, Encoding]> =>
    field.encoding === undefined ? [] : [[field.name, field.encoding]],
  )
  return {
    schema: {
      type: 'object',
      ...present({
        properties: Object.fromEntries(described.map(({ name, schema }) => [name, schema])),
        required,
        additionalProperties: additionalFields(parts, isMultipart),
      }),
    },
    ...present({ encoding: Object.fromEntries(encoding) }),
  }
}

/** A described field or part of a form. */
interface DescribedField {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly encoding: Encoding | undefined
}

/** Describes a text field. By default, the elements of a list are sent as fields with the same name. */
const describeField = (
  { name, codec }: ParameterPlan,
  context: DocumentContext,
): DescribedField => {
  const { isCollection, separator, keepsEscapes } = parameterShape(codec)
  const style = separator === undefined ? undefined : separatedStyles.get(separator)
  const isExpressible = !isCollection || separator === undefined || style !== undefined
  const encoding: Encoding = {
    ...(isCollection && style !== undefined ? { style, explode: false } : {}),
    ...(keepsEscapes ? { allowReserved: true } : {}),
  }
  return {
    name,
    schema: isExpressible
      ? textSchema(context, codec, 'input')
      : { type: 'string', 'x-separator': separator },
    isRequired: !isOptionalParameter(codec),
    encoding: Object.keys(encoding).length === 0 ? undefined : encoding,
  }
}

/** Describes a file or a structured part. Maps of all fields and lists of all files have no names. */
const describePart = (
  { key, kind, isOptional, body }: PartPlan,
  context: DocumentContext,
): ReadonlyArray<DescribedField> => {
  const part = { name: key, isRequired: !isOptional, encoding: undefined }
  switch (kind) {
    case 'upload':
      return [{ ...part, schema: binarySchema(), encoding: anyFile }]
    case 'uploads':
      return [
        {
          ...part,
          schema: { type: 'array', items: binarySchema() },
          isRequired: false,
          encoding: anyFile,
        },
      ]
    case 'part':
      return body === undefined
        ? []
        : [
            {
              ...part,
              schema: describeBody(context, 'input', body).schema ?? {},
              encoding: { contentType: mediaTypeName(body) },
            },
          ]
    case 'allUploads':
    case 'allFields':
      return []
  }
}

/** The server accepts files of all media types. */
const anyFile: Encoding = { contentType: '*/*' }

/** Returns the schema of fields that are not declared individually, if the operation reads them. */
const additionalFields = (
  parts: ReadonlyArray<PartPlan>,
  isMultipart: boolean,
): JsonSchema | undefined => {
  const alternatives: ReadonlyArray<JsonSchema> = [
    ...(parts.some(({ kind }) => kind === 'allFields') ? [{ type: 'string' }] : []),
    ...(isMultipart && parts.some(({ kind }) => kind === 'allUploads') ? [binarySchema()] : []),
  ].map((items) => ({ type: 'array', items }))
  const [first] = alternatives
  return alternatives.length > 1 ? { anyOf: alternatives } : first
}
