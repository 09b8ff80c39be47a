/**
 * Runs test files in this process. The arguments select files, as in `support/select-files.ts`. `--all` includes long tests, and
 * contracts through the typed client. The last line is the number of tests that passed and failed.
 *
 * A process with an IPC channel runs the files that its parent sends, one at a time, and sends the result of each. It ends after a message without a file.
 */
import { bundleWorkers } from './bundled-workers.ts'
import { runFiles } from './support/run-files.ts'
import { selectFiles } from './support/select-files.ts'

const pathParts = process.argv.slice(2).filter((argument) => argument !== '--all')
const isAll = pathParts.length < process.argv.length - 2

if (isAll) process.env['ESPALIER_TEST_ALL'] = '1'
bundleWorkers()

if (process.send === undefined) {
  const { passed, failed } = await runFiles(import.meta.url, selectFiles(pathParts, isAll))
  if (failed > 0) process.exitCode = 1
  console.log(`${passed} passed, ${failed} failed`)
} else {
  process.on('message', async ({ file }: { readonly file?: string }) => {
    if (file === undefined) process.disconnect()
    else process.send?.(await runFiles(import.meta.url, [file]))
  })
  process.send({ passed: 0, failed: 0 })
}
