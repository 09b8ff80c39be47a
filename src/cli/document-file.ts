/** The files of OpenAPI documents: their formats JSON and YAML, and how they are written. */
import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { yamlOf } from '../openapi/yaml.ts'
import { CommandError } from './exit-code.ts'
import { messageOf } from '../http/platform-value.ts'

/** A file format of documents. */
export type DocumentFormat = 'json' | 'yaml'

/** Returns the format of a file: YAML if requested, or else by its extension. Other files, and standard output, are JSON. */
export const formatOf = (file: string | undefined, yaml: boolean | undefined): DocumentFormat =>
  yaml === true || ['.yaml', '.yml'].includes(extname(file ?? '').toLowerCase()) ? 'yaml' : 'json'

/** Writes a document as text. */
export const writeDocument = (document: OpenApiDocument, format: DocumentFormat): string =>
  format === 'yaml' ? yamlOf(document) : `${JSON.stringify(document, undefined, 2)}\n`

/** Parses the text of a committed document. */
export const parseDocument = async (
  file: string,
  text: string,
  format: DocumentFormat,
): Promise<unknown> => {
  const parse = format === 'yaml' ? await loadYamlParser(file) : JSON.parse
  try {
    return parse(text)
  } catch (cause) {
    const reason = messageOf(cause)
    throw new CommandError('stale', `${file} is not valid ${format.toUpperCase()}: ${reason}`, {
      cause,
    })
  }
}

/**
 * Loads the parser of the optional package `yaml`. It is needed only for documents whose text differs from the generated text, so a
 * document that was written by this command is checked without it.
 */
const loadYamlParser = async (file: string): Promise<(text: string) => unknown> => {
  try {
    const { parse } = await import('yaml')
    return (text) => parse(text)
  } catch (cause) {
    throw new CommandError(
      'usage',
      `cannot compare the values of ${file}, whose text differs from the generated document: missing package yaml: run npm install --save-dev yaml`,
      { cause },
    )
  }
}

/**
 * Writes a file through a temporary file in the same directory, which is then renamed. If writing fails, an existing file is
 * unchanged, and no new file exists. Missing directories are created. Files such as pipes and devices are written directly.
 */
export const writeAtomically = async (file: string, text: string): Promise<void> => {
  try {
    await mkdir(dirname(file), { recursive: true })
    // the target of a symbolic link is replaced, and not the link
    const target = await realpath(file).catch(() => file)
    const existing = await stat(target).catch(() => undefined)
    await (existing === undefined || existing.isFile()
      ? replaceFile(target, text, existing?.mode)
      : writeFile(target, text))
  } catch (cause) {
    throw new CommandError('usage', `cannot write ${file}: ${reasonOf(cause)}`, { cause })
  }
}

const replaceFile = async (file: string, text: string, mode = 0o666): Promise<void> => {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    await writeFile(temporary, text, { mode, flag: 'wx' })
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Returns the reason of a failed file operation, such as `ENOENT: no such file or directory`. */
export const reasonOf = (error: unknown): string => messageOf(error).replace(/, \w+( '[^]*)?$/, '')
