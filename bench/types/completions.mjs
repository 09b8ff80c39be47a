/** Measures completions inside the handlers of a module with many endpoints, after an edit. */
import { startLanguageServer } from './language-server.mjs'

/** @type {(text: string, offset: number) => { readonly line: number, readonly character: number }} */
const positionAt = (text, offset) => {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}

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
  const uri = module.href
  server.notify('textDocument/didOpen', {
    textDocument: { uri, languageId: 'typescript', version: 1, text },
  })
  await server.request('textDocument/diagnostic', { textDocument: { uri } })
  const offsets = [...text.matchAll(/path\.id > 9\n/g)].map(({ index }) => index)
  const times = []
  for (let n = 0; n < count; n++) {
    // spread over the module
    const offset = offsets[Math.floor((n * offsets.length) / count)] ?? 0
    const edited = `${text.slice(0, offset)}path.${text.slice(offset)}`
    server.notify('textDocument/didChange', {
      textDocument: { uri, version: n + 2 },
      contentChanges: [{ text: edited }],
    })
    const start = performance.now()
    const { items } = await server.request('textDocument/completion', {
      textDocument: { uri },
      position: positionAt(edited, offset + 'path.'.length),
    })
    times.push(performance.now() - start)
    const labels = items.map((/** @type {{ readonly label: string }} */ { label }) => label)
    if (labels.join() !== 'id,name') throw new Error(`unexpected completions: ${labels}`)
  }
  await server.stop()
  return times
}
