/** Runs files of tests in this process, one after the other. A file without any test is a failure. */

const uvu = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: unknown[][] }

/** What was registered, and what of it has failed. */
export interface Ran {
  readonly registered: number
  readonly passed: number
  readonly failed: number
}

/** Files are named as they are below `folder`, the URL of a directory. */
export const runFiles = async (folder: string, files: ReadonlyArray<string>): Promise<Ran> => {
  uvu.UVU_DEFER = 1
  const { exec } = await import('uvu') // only now: uvu reads UVU_DEFER when it is loaded
  const { count } = await import('./describe.ts')
  const empty: string[] = []
  for (const [index, file] of files.entries()) {
    uvu.UVU_INDEX = index
    uvu.UVU_QUEUE?.push([file])
    const before = count.registered + count.skipped.length
    await import(new URL(file, folder).href)
    if (count.registered + count.skipped.length === before) empty.push(file)
  }
  await exec()
  for (const suite of count.skipped) console.log(`skipped: ${suite}`)
  for (const file of empty) console.log(`${file} has no tests`)
  const { registered, passed } = count
  return { registered, passed, failed: registered - passed + empty.length }
}
