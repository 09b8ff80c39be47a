/** Measures completions inside the handlers of a module with many endpoints, after an edit. */
import { startLanguageServer } from '../../dist/test/support/language-server.js'

/**
 * Types `path.` in handlers, and requests completions. Returns the milliseconds of each request.
 *
 * @param {URL} folder a folder with a tsconfig.json and the module
 * @param {URL} module
 * @param {string} text the text of the module
 * @param {number} count the number of requests
 * @returns {Promise<readonly number[]>}
 */
export const measureCompletions = async (folder, module, text, count) => {
  const server = await startLanguageServer(folder)
  await server.open(module, text)
  const offsets = [...text.matchAll(/path\.id > 9\n/g)].map(({ index }) => index)
  const times = []
  for (let n = 0; n < count; n++) {
    // spread over the module
    const offset = offsets[Math.floor((n * offsets.length) / count)] ?? 0
    const edited = `${text.slice(0, offset)}path.${text.slice(offset)}`
    server.change(module, edited)
    const start = performance.now()
    const labels = await server.complete(module, edited, offset + 'path.'.length)
    times.push(performance.now() - start)
    if (labels.join() !== 'id,name') throw new Error(`unexpected completions: ${labels}`)
  }
  await server.stop()
  return times
}
