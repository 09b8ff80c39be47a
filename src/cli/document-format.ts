/** The file formats of OpenAPI documents: JSON and YAML. */
import { extname } from 'node:path'
import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import { CommandError } from './exit-code.ts'

/** A file format of documents. */
export type DocumentFormat = 'json' | 'yaml'

/** Returns the format of a file: YAML if requested, or else by its extension. Other files, and standard output, are JSON. */
export const formatOf = (file: string | undefined, yaml: boolean | undefined): DocumentFormat =>
  yaml === true || ['.yaml', '.yml'].includes(extname(file ?? '').toLowerCase()) ? 'yaml' : 'json'

/** Writes a document as text. */
export const writeDocument = (document: OpenApiDocument, format: DocumentFormat): string =>
  format === 'json'
    ? `${JSON.stringify(document, undefined, 2)}\n`
    : `${JSON.stringify(document)}\n`

/** Parses the text of a committed document. */
export const parseDocument = async (
  file: string,
  text: string,
  format: DocumentFormat,
): Promise<unknown> => {
  const parse = format === 'json' ? JSON.parse : await loadYamlParser(file)
  try {
    return parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError('stale', `${file} is not valid ${format.toUpperCase()}: ${reason}`, {
      cause,
    })
  }
}

const loadYamlParser = async (file: string): Promise<(text: string) => unknown> => {
  const name: string = 'yaml' // an optional peer, without types
  const loaded: unknown = await import(name).catch(() => undefined)
  if (hasParser(loaded)) return loaded.parse
  throw new CommandError(
    'usage',
    `cannot compare ${file}: the text differs from the generated document, and reading YAML requires the package yaml: run npm install --save-dev yaml`,
  )
}

const hasParser = (loaded: unknown): loaded is { readonly parse: (text: string) => unknown } =>
  typeof loaded === 'object' &&
  loaded !== null &&
  'parse' in loaded &&
  typeof loaded.parse === 'function'
