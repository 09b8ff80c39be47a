/** Logs the defects of a document as warnings. */
import type { SchemaIssue } from './schema/schema-generator.ts'

/** The part of a logger that this module uses. */
export interface WarningLogger {
  readonly warn: (members: Readonly<Record<string, unknown>>, message: string) => void
}

/**
 * Logs one warning for each kind of defect. Opaque codecs are logged only in the profile `dev`, because their schemas, which accept
 * any value, are correct but of little use.
 */
export const logIssues = (
  issues: ReadonlyArray<SchemaIssue>,
  profile: string,
  log: WarningLogger,
): void => {
  const namesOf = (tag: SchemaIssue['_tag']): ReadonlyArray<string> => [
    ...new Set(issues.filter(({ _tag }) => _tag === tag).map(({ codec }) => codec)),
  ]
  const [duplicates, opaque] = [namesOf('DuplicateName'), namesOf('OpaqueCodec')]
  if (duplicates.length > 0) log.warn({ codecs: duplicates }, duplicateNames)
  if (opaque.length > 0 && profile === 'dev') log.warn({ codecs: opaque }, opaqueCodecs)
}

const duplicateNames =
  'Different codecs have the same name in the OpenAPI document: rename one of them with named(…)'

const opaqueCodecs =
  'The OpenAPI document contains no schemas for codecs with an unknown structure: declare them with withSchema(…)'
