/** Reads whole request bodies by the format of their representation. */
import { bodyFormat } from '../../body/body-formats.ts'
import type { BuiltInBodyPlan } from '../../body/entity/select-body-plan.ts'
import type { ReadBody } from '../../body/read-body.ts'
import type { Plan } from '../../compiler/plan.ts'
import { limitOfSetting } from '../../compiler/settings/body-limit.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { XmlLimits } from '../../body/xml/read-xml.ts'
import { jsonReadSettings } from '../json-settings.ts'
import { bodyTooLarge } from '../../compiler/settings/size-limit.ts'
import { formText } from '../../body/form-text.ts'
import type { FormLimits } from '../../body/form-text.ts'
import { invalidInput } from '../../body/read-body.ts'
import { inForm } from '../parameters/raw-values.ts'
import { readGroup } from '../parameters/read-parameters.ts'
import * as E from 'fp-ts/lib/Either.js'

/** Returns the reader of a buffered body. `stream-reader.ts` has those of streams. */
export const bodyReader = (plan: Plan, content: BuiltInBodyPlan, settings: Settings): ReadBody => {
  const { format, json, visibility: projecting } = content
  if (format._tag === 'Form') return formReader(plan, settings)
  const { reader } = bodyFormat(format)
  if (reader === undefined) return (bytes) => E.right(bytes)
  return reader({
    ...jsonReadSettings(settings),
    json,
    visibility: projecting,
    xml: xmlLimits(settings),
    form: formLimits(settings),
  })
}

const xmlLimits = (settings: Settings): XmlLimits => {
  const limit = limitOfSetting('fw.http.limits.max-xml-size', settings)
  return {
    depth: settings['fw.http.limits.max-xml-depth'],
    rejectsUndeclared: settings['fw.rest.jsonlib.fail-on-unknown-properties'],
    exceeded: (length) => (length > limit.bytes ? bodyTooLarge(limit) : undefined),
  }
}

export const formLimits = (settings: Settings): FormLimits => ({
  fields: settings['fw.http.limits.max-parameters'],
  fieldSize: settings['fw.http.limits.max-form-attribute-size'],
})

/** Returns the reader of a URL-encoded form. */
export const formReader = (plan: Plan, settings: Settings): ReadBody => {
  const read = readGroup(plan.parameters.form, inForm(plan.parameters.form), settings)
  const limits = formLimits(settings)
  return (bytes, stated) => {
    const text = formText(bytes, stated, limits)
    if (E.isLeft(text)) return text
    const fields = read(text.right)
    return E.isLeft(fields) ? invalidInput(fields.left) : fields
  }
}
