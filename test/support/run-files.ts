/** Runs test files in this process, one after the other. A file without tests is a failure. */

const uvu = globalThis as { UVU_DEFER?: number; UVU_INDEX?: number; UVU_QUEUE?: unknown[][] }

export interface RunResult {
  readonly registered: number
  readonly passed: number
  readonly failed: number
}

/** Runs files. Their names are relative to `folder`, the URL of a directory. */
export const runFiles = async (
  folder: string,
  files: ReadonlyArray<string>,
): Promise<RunResult> => {
  uvu.UVU_DEFER = 1
  const { exec } = await import('uvu') // uvu reads UVU_DEFER when it is loaded
  const { count } = await import('./describe.ts')
  const empty: string[] = []
  const before = { ...count }
  uvu.UVU_QUEUE?.splice(0)
  for (const [index, file] of files.entries()) {
    uvu.UVU_INDEX = index
    uvu.UVU_QUEUE?.push([file])
    const suites = count.registered + count.skipped.length
    await import(new URL(file, folder).href)
    if (count.registered + count.skipped.length === suites) empty.push(file)
  }
  await exec()
  for (const suite of count.skipped.splice(0)) console.log(`skipped: ${suite}`)
  for (const file of empty) console.log(`${file} has no tests`)
  const registered = count.registered - before.registered
  const passed = count.passed - before.passed
  return { registered, passed, failed: registered - passed + empty.length }
}
