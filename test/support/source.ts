/** Reads source files as text. Relies on the formatting: statements start in column 1, block comments on lines of their own. */
import { readFileSync, readdirSync } from 'node:fs'

export interface SourceFile {
  /** The path relative to the folder: `http/entity-tag.ts`. */
  readonly path: string
  readonly text: string
}

/** Reads all files below a folder whose names end with `ending`, sorted by path. Installed packages are skipped. */
export const filesBelow = (folder: string, ending: string): ReadonlyArray<SourceFile> =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending) && !/(?:^|\/)(?:node_modules|dist)\//.test(file))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${folder}/${path}`, 'utf8') }))

const statement = /^(?:import|export)\b(?:[^'"=();]*\bfrom)?\s*['"]([^'"]+)['"]/gm
const call =
  /\b(?:import|require|import\.meta\.resolve|createRequire\([^)]*\)|getBuiltinModule)\(\s*['"`]([^'"`]+)['"`]/g

/** The specifiers of all imports of a module: static, dynamic, type-only and `require`. */
export const importsOf = (text: string): ReadonlyArray<string> => {
  const code = withoutComments(text)
  return [...code.matchAll(statement), ...code.matchAll(call)].map(([, from = '']) => from)
}

/** Removes block comments on lines of their own, and line comments. */
export const withoutComments = (text: string): string =>
  text.replace(/^[ \t]*\/\*[^]*?\*\/[ \t]*$|(?<=^|[ \t])\/\/ .*$/gm, '')

/** The lines that contain code. */
export const codeLines = (text: string): ReadonlyArray<string> =>
  withoutComments(text)
    .split('\n')
    .filter((line) => line.trim() !== '')

/** Removes comments and the contents of strings and templates. Expressions in templates are appended. */
export const withoutStrings = (text: string): string => {
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
