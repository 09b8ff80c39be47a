/** Checks `curl` commands of the documentation against a running server. */
import { exec, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'

const documentedUrl = 'http://localhost:8080'

const hasCurl = ((): boolean => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/**
 * Whether an output matches its documentation. White space is ignored, so that long lines can be wrapped. `…` matches any text.
 * Lines of a response head may be omitted.
 */
export const isDocumented = (documentedOutput: string, output: string): boolean => {
  const actual = output.replace(/\s/g, '')
  const isWholeBody = !output.startsWith('HTTP/')
  let position = 0
  for (const [index, line] of documentedOutput.split(/\n|(…)/).entries()) {
    if (line === undefined || line === '…') continue
    const expected = line.replace(/\s/g, '')
    const found = actual.indexOf(expected, position)
    if (found < 0 || (index === 0 && found > 0)) return false
    position = found + expected.length
  }
  return !isWholeBody || documentedOutput.endsWith('…') || position === actual.length
}

/**
 * Runs a command against `url` instead of the documented URL, and compares its output. Does nothing on machines without curl,
 * and on workers, where a server has no URL.
 */
export const checkCommand = async (
  url: string,
  command: string,
  documentedOutput: string,
): Promise<void> => {
  if (!hasCurl || url === '') return
  const { stdout } = await promisify(exec)(
    command.replaceAll(documentedUrl, url).replace(/\bcurl /g, 'curl -sS '),
  )
  const output = stdout.replaceAll(url, documentedUrl)
  assert.ok(
    isDocumented(documentedOutput, output),
    `$ ${command}\nexpected:\n${documentedOutput}\nactual:\n${output}`,
  )
}
