/**
 * Imports the modules that the operations of a program need while they handle requests. At the limit of open files an import
 * fails, so it must not wait for the first request.
 */
import type { ContentPlan } from '../body/content-plan.ts'
import * as FileType from '../http/file-media-type.ts'
import type { Program } from '../interpreter/program.ts'
import { loadParser } from './multipart/split-parts.ts'
import { receivesFiles } from './files/receives-files.ts'

type Tag = ContentPlan['format']['_tag']

export const preload = async (program: Pick<Program, 'plans'>): Promise<void> => {
  const { plans } = program
  const received = tagsOf(plans.flatMap(({ bodies }) => bodies))
  const sent = tagsOf(
    plans.flatMap(({ responses }) => [...responses.values()].flatMap((one) => one.alternatives)),
  )
  await Promise.all([
    has(sent, ['File', 'MultipartOutput']) ? FileType.load() : undefined,
    receivesFiles(program) ? import('./files/upload-file.ts') : undefined,
    receivesFiles(program) ? import('./files/stale-uploads.ts') : undefined,
    has(received, ['MultipartForm', 'MultipartInput', 'MultipartStream'])
      ? loadParser()
      : undefined,
  ])
}

const tagsOf = (contents: ReadonlyArray<ContentPlan>): ReadonlySet<Tag> =>
  new Set(contents.map(({ format }) => format._tag))

const has = (tags: ReadonlySet<Tag>, some: ReadonlyArray<Tag>): boolean =>
  some.some((tag) => tags.has(tag))
