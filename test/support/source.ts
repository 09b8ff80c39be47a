/** Reads the sources as text. The forms that it knows are those that the formatter leaves: statements begin at the margin. */
import { readFileSync, readdirSync } from 'node:fs'

export interface SourceFile {
  /** Relative to the folder that was read: `http/entity-tag.ts`. */
  readonly path: string
  readonly text: string
}

/** All files below a folder of the repository whose names end so. */
export const filesBelow = (folder: string, ending: string): ReadonlyArray<SourceFile> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${folder}/${path}`, 'utf8') }))

const statement = /^(?:import|export)\b(?:[^'"=();]*\bfrom)?\s*['"]([^'"]+)['"]/gm
const call =
  /^(?!\s*(?:\*|\/[/*])).*?\b(?:import|require|import\.meta\.resolve|createRequire\([^)]*\))\(\s*['"`]([^'"`]+)['"`]/gm

/** What a module imports, for its types too, in any of the ways there are. */
export const importsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(statement), ...text.matchAll(call)].map(([, from = '']) => from)

/** The lines that hold more than a comment. */
export const codeLines = (text: string): ReadonlyArray<string> =>
  text
    .replace(/^[ \t]*\/\*[^]*?\*\/[ \t]*$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/.*)?$/.test(line))
