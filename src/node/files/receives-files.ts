/** Which programs keep contents in files. */
import { isBlocking } from '../../endpoint/internal/attributes.ts'
import type { ContentPlan } from '../../body/content-plan.ts'
import { isInPieces } from '../../body/content-plan.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Program } from '../../interpreter/program.ts'

/** Contents in pieces wait in files for the worker of a blocking operation. */
export const receivesFiles = ({ plans }: Pick<Program, 'plans'>): boolean =>
  plans.some(({ bodies, marks, parts }) =>
    bodies.some((body) => isKept(body, parts) || (isBlocking(marks) && isInPieces(body))),
  )

/** Of a form, the files of uploads are kept, and nothing else. */
const isKept = ({ format }: ContentPlan, parts: Plan['parts']): boolean =>
  format._tag === 'FileBody' ||
  format._tag === 'MultipartInput' ||
  (format._tag === 'MultipartForm' && parts.some(({ kind }) => kind !== 'part'))
