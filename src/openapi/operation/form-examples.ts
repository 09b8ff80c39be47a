/** Encodes examples of forms. */
import type { BodyPlan } from '../../body/body-plan.ts'
import type { Codec } from '../../codec/codec.ts'
import { isRecord } from '../../codec/compiled/runtime.ts'
import type { PartPlan, Plan } from '../../compiler/plan.ts'
import { isMap } from '../../http/platform-value.ts'

/** Encodes the values in a form. Returns `undefined` for values that the document cannot contain. */
export interface FormEncoder {
  readonly text: (codec: Codec, value: unknown) => unknown
  readonly part: (body: BodyPlan, value: unknown) => unknown
}

/** A field of an encoded form. */
interface EncodedField {
  readonly name: string
  /** The value, or `undefined` if the document cannot contain it. */
  readonly value: unknown
}

/**
 * Encodes the declared fields of a form. Returns `undefined` if the document cannot contain the value of a field. The value of a file
 * is its content as text. A map of all fields adds its entries.
 */
export const encodeForm = (
  { parameters, parts }: Plan,
  form: unknown,
  encoder: FormEncoder,
): Readonly<Record<string, unknown>> | undefined => {
  if (!isRecord(form)) return undefined
  const isPresent = ({ key }: { readonly key: string }): boolean => form[key] !== undefined
  const fields = [
    ...parameters.form
      .filter(isPresent)
      .map(({ key, name, codec }) => ({ name, value: encoder.text(codec, form[key]) })),
    ...parts.filter(isPresent).flatMap((part) => encodePart(part, form[part.key], encoder)),
  ]
  return fields.some(({ value }) => value === undefined)
    ? undefined
    : Object.fromEntries(fields.map(({ name, value }) => [name, value]))
}

const encodePart = (
  { key, kind, body }: PartPlan,
  value: unknown,
  encoder: FormEncoder,
): ReadonlyArray<EncodedField> => {
  switch (kind) {
    case 'part':
      return [{ name: key, value: body === undefined ? undefined : encoder.part(body, value) }]
    case 'upload':
    case 'uploads':
      return [{ name: key, value }]
    case 'allFields':
      return isMap(value)
        ? Array.from(value, ([name, texts]) => ({ name: String(name), value: texts }))
        : []
    case 'allUploads':
      return []
  }
}
