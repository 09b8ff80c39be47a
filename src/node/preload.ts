/**
 * Imports the modules that the operations of a program need, before the first request.
 *
 * At the limit of open files an import fails, so it must not be left to the first request.
 */
import type { BodyPlan } from '../body/body-plan.ts'
import { bodyFormat } from '../body/body-formats.ts'
import type { Plan } from '../compiler/plan.ts'
import { isBlocking } from '../endpoint/internal/attributes.ts'
import * as FileType from '../http/file-media-type.ts'
import type { Program } from '../interpreter/program.ts'
import { loadParser } from './multipart/split-parts.ts'

type Tag = BodyPlan['format']['_tag']

export const preload = async (program: Pick<Program, 'plans'>): Promise<void> => {
  const { plans } = program
  const received = tagsOf(plans.flatMap(({ bodies }) => bodies))
  const sent = tagsOf(
    plans.flatMap(({ responses }) =>
      [...responses.values()].flatMap(({ alternatives }) => alternatives),
    ),
  )
  await Promise.all([
    hasSome(sent, ['File', 'MultipartOutput']) ? FileType.load() : undefined,
    receivesFiles(program) ? import('./files/upload-file.ts') : undefined,
    receivesFiles(program) ? import('./files/stale-uploads.ts') : undefined,
    hasSome(received, ['MultipartForm', 'MultipartInput', 'MultipartStream'])
      ? loadParser()
      : undefined,
  ])
}

const tagsOf = (contents: ReadonlyArray<BodyPlan>): ReadonlySet<Tag> =>
  new Set(contents.map(({ format }) => format._tag))

const hasSome = (tags: ReadonlySet<Tag>, some: ReadonlyArray<Tag>): boolean =>
  some.some((tag) => tags.has(tag))

/** Whether a program writes request bodies to files. Streamed bodies of blocking operations are stored for their worker. */
export const receivesFiles = ({ plans }: Pick<Program, 'plans'>): boolean =>
  plans.some(({ bodies, attributes: marks, parts }) =>
    bodies.some(
      (body) => isStored(body, parts) || (isBlocking(marks) && bodyFormat(body.format).isStreamed),
    ),
  )

/** Whether a body is stored in files. Of a form, only the uploaded files are. */
const isStored = ({ format }: BodyPlan, parts: Plan['parts']): boolean =>
  format._tag === 'FileBody' ||
  format._tag === 'MultipartInput' ||
  (format._tag === 'MultipartForm' && parts.some(({ kind }) => kind !== 'part'))
