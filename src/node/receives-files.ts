/** Which programs keep contents in files. */
import { isBlocking } from '../endpoint/marks.ts'
import type { ContentPlan } from '../content/content-plan.ts'
import { isInPieces } from '../content/content-plan.ts'
import type { Program } from '../interpreter/program.ts'

/** Contents in pieces wait in files for the worker of a blocking operation. */
export const receivesFiles = ({ plans }: Pick<Program, 'plans'>): boolean =>
  plans.some(({ bodies, marks }) =>
    bodies.some((body) => isKept(body) || (isBlocking(marks) && isInPieces(body))),
  )

const isKept = ({ format }: ContentPlan): boolean => inFiles.includes(format._tag)

const inFiles: ReadonlyArray<string> = ['FileBody', 'MultipartForm', 'MultipartInput']
