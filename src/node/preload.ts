/**
 * Prepares the process for the operations of a program before the first request arrives: imports the modules that they need, and
 * configures the memory allocator.
 *
 * An import during a request would fail if the process had reached its limit on open files.
 */
import type { BodyPlan } from '../body/body-plan.ts'
import { bodyFormat } from '../body/body-formats.ts'
import type { Plan } from '../compiler/plan.ts'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import { preloadTemporal } from '../codec/temporal/temporal-api.ts'
import * as FileType from '../http/file-media-type.ts'
import type { Program } from '../interpreter/program.ts'
import { retainFreedMemory } from './exchange/request-body.ts'
import { loadParser } from './multipart/split-parts.ts'

export const preload = async (program: Pick<Program, 'plans'>): Promise<void> => {
  const { plans } = program
  if (plans.some(({ bodies }) => bodies.some(({ format }) => bodyFormat(format).isStreamed)))
    retainFreedMemory()
  for (const { prepare } of plans) prepare?.()
  const sendsFiles = plans.some(({ responses }) =>
    [...responses.values()].some(({ alternatives }) =>
      alternatives.some(({ format }) => bodyFormat(format).mayContainFiles),
    ),
  )
  await Promise.all([
    preloadTemporal(),
    sendsFiles ? FileType.load() : undefined,
    receivesFiles(program) ? import('./files/upload-file.ts') : undefined,
    receivesFiles(program) ? import('./files/private-directory.ts') : undefined,
    plans.some(({ bodies }) => bodies.some(isMultipart)) ? loadParser() : undefined,
  ])
}

/**
 * Whether a program writes request bodies or uploaded files to disk. This includes the streamed bodies of blocking operations,
 * because workers read these bodies from files.
 */
export const receivesFiles = ({ plans }: Pick<Program, 'plans'>): boolean =>
  plans.some(({ bodies, attributes, parts }) =>
    bodies.some(
      (body) =>
        isStored(body, parts) || (isBlocking(attributes) && bodyFormat(body.format).isStreamed),
    ),
  )

const isMultipart = ({ format: { _tag } }: BodyPlan): boolean =>
  _tag === 'MultipartForm' || _tag === 'MultipartInput' || _tag === 'MultipartStream'

/** Whether a body is stored in files. In a form, only uploaded files are stored. */
const isStored = ({ format }: BodyPlan, parts: Plan['parts']): boolean =>
  format._tag === 'FileBody' ||
  format._tag === 'MultipartInput' ||
  (format._tag === 'MultipartForm' &&
    parts.some(({ kind }) => kind !== 'part' && kind !== 'allFields'))
