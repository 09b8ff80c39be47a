/** Measures how long an editor takes to show the type of a call after an edit of its endpoint, with the language service of TypeScript 5.9. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-5.9'

/**
 * Adds parameters to an endpoint of the module `m3.ts`, and reads the type of its call in `main.ts`. Returns the milliseconds of each read.
 *
 * @param {URL} folder a folder with a tsconfig.json and an application
 * @param {number} count the number of edits
 * @returns {readonly number[]}
 */
export const measureHovers = (folder, count) => {
  const path = fileURLToPath(folder)
  const { config } = ts.readConfigFile(`${path}tsconfig.json`, ts.sys.readFile)
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, path)
  const edited = `${path}m3.ts`
  const parameter = 'size: withDefault(int, 20), q:'
  const original = readFileSync(edited, 'utf8')
  let text = original
  let version = 0
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => (file === edited ? String(version) : '0'),
    getScriptSnapshot: (file) => {
      const content = file === edited ? text : ts.sys.readFile(file)
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
    },
    getCurrentDirectory: () => path,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
  })
  const main = readFileSync(`${path}main.ts`, 'utf8')
  const offset = main.indexOf('.m3.m3e0(') + '.m3.'.length
  /** @type {() => string} */
  const hover = () =>
    ts.displayPartsToString(service.getQuickInfoAtPosition(`${path}main.ts`, offset)?.displayParts)
  hover()
  return [...Array(count).keys()].map(() => {
    version += 1
    text = original.replace(parameter, `x${version}: optional(int), ${parameter}`)
    const start = performance.now()
    const shown = hover()
    const time = performance.now() - start
    if (!shown.includes(`x${version}?: number`)) throw new Error(`unexpected type: ${shown}`)
    return time
  })
}
