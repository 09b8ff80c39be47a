/** Reads the declared fields of a URL-encoded form. */
import * as E from 'fp-ts/lib/Either.js'
import { formText } from '../../body/form-text.ts'
import type { FormLimits } from '../../body/form-text.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { invalidInput } from '../../body/read-body.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { inForm } from '../parameters/raw-values.ts'
import { readGroup } from '../parameters/read-parameters.ts'

export const formLimits = (settings: Settings): FormLimits => ({
  fields: settings['fw.http.limits.max-parameters'],
  fieldSize: settings['fw.http.limits.max-form-attribute-size'],
})

/** Prepares reading the declared fields of a form. */
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
