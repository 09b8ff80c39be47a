/** Reads sources as text. It relies on the formatter: statements begin at the margin, a comment has lines of its own. */
import { readFileSync, readdirSync } from 'node:fs'

export interface SourceFile {
  /** Relative to the folder that was read: `http/entity-tag.ts`. */
  readonly path: string
  readonly text: string
}

/** All files below a folder of the repository whose names end so, in the order of their paths. */
export const filesBelow = (folder: string, ending: string): ReadonlyArray<SourceFile> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${folder}/${path}`, 'utf8') }))

const statement = /^(?:import|export)\b(?:[^'"=();]*\bfrom)?\s*['"]([^'"]+)['"]/gm
const call =
  /\b(?:import|require|import\.meta\.resolve|createRequire\([^)]*\)|getBuiltinModule)\(\s*['"`]([^'"`]+)['"`]/g

/** What a module imports, for its types too, in any of the ways there are. */
export const importsOf = (text: string): ReadonlyArray<string> => {
  const code = withoutComments(text)
  return [...code.matchAll(statement), ...code.matchAll(call)].map(([, from = '']) => from)
}

/** The text without the comments that have lines of their own, and without those at the end of a line. */
export const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*\/\*[^]*?\*\/[ \t]*$|(?<=^|[ \t])\/\/ .*$/gm, '')

/** The lines of code: those with more on them than a comment. */
export const codeLines = (text: string): ReadonlyArray<string> =>
  withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '')

/** The code without comments and without the texts of strings and templates; expressions in templates stand at the end. */
export const withoutTexts = (text: string): string => {
  const inTemplates: string[] = []
  const reduced = (code: string): string => {
    const next = code
      .replace(/\$\{([^{}`]*)\}/g, (_, expression: string) => {
        inTemplates.push(expression)
        return ''
      })
      .replace(/`(?:[^`$\\]|\\.|\$(?!\{))*`/g, `''`)
    return next === code ? code : reduced(next)
  }
  const code = withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'/g, `''`)
  return [reduced(code), ...inTemplates].join('\n')
}
