/**
 * Configuration errors, which are caused by invalid trees or settings. All of them are detected before the first
 * request and reported together. Errors in individual requests are called failures (`http/failure.ts`).
 */
import { isError } from '../../http/platform-value.ts'

/** Titles of all configuration errors, by code. Codes are stable, but titles can change. */
export const titles = {
  'FW-CONF-001': 'unknown setting',
  'FW-CONF-002': 'invalid setting value',
  'FW-CONF-003': 'unresolved expression',
  'FW-CONF-004': 'invalid settings file',
  'FW-CONF-005': 'unusable uploads directory',
  'FW-CONF-006': 'contradictory settings',
  'FW-TLS-001': 'invalid certificate or key file',
  'FW-TLS-002': 'certificate and private key do not match',
  'FW-TLS-003': 'expired certificate',
  'FW-TLS-004': 'client certificates are not requested',
  'FW-ROUTE-001': 'invalid path template',
  'FW-ROUTE-002': 'ambiguous operations',
  'FW-ROUTE-003': 'invalid or unsafe expression in a path template',
  'FW-ROUTE-004': 'incomplete endpoint',
  'FW-ROUTE-005': 'conflicting declarations',
  'FW-ROUTE-006': 'unsupported method',
  'FW-ROUTE-007': 'invalid use of a combinator',
  'FW-ROUTE-008': 'invalid route tree',
  'FW-MEDIA-001': 'invalid or unsupported media type',
  'FW-MEDIA-002': 'missing reader or writer',
  'FW-MEDIA-003': 'missing representation',
  'FW-MEDIA-004': 'codec without values',
  'FW-PARAM-001': 'invalid parameter',
  'FW-PARAM-002': 'invalid codec of a parameter',
  'FW-RESP-001': 'invalid response',
  'FW-FILTER-001': 'pre-matching filter on a subtree',
  'FW-FILTER-002': 'restricted pre-matching filter',
  'FW-FILTER-003': 'unmet filter requirement',
  'FW-NEED-001': 'missing dependency',
  'FW-ACCESS-001': 'unresolved role',
  'FW-ACCESS-002': 'operation requires authentication, but no authentication filter covers it',
  'FW-XML-001': 'codec not representable in XML',
  'FW-XML-002': 'duplicate XML root element',
  'FW-XML-003': 'codec missing from the XML context',
  'FW-LINK-001': 'link target without an entity',
  'FW-LINK-002': 'entity with either no identifier or multiple identifiers',
  'FW-LINK-003': 'invalid link',
  'FW-HAL-001': 'invalid HAL representation',
  'FW-FIELD-001': 'restriction on a codec that does not belong to an object member',
  'FW-FIELD-002': 'required member excluded by the view of a body',
  'FW-FIELD-003': 'custom writer would write restricted members',
  'FW-FIELD-004': 'restricted member in an opaque codec',
  'FW-DOC-001': 'invalid example',
  'FW-DOC-002': 'different codecs with the same name in a document',
  'FW-DOC-003': 'invalid deprecation',
  'FW-DOC-004': 'duplicate operation id',
  'FW-CLIENT-001': 'invalid operation name for a client',
  'FW-CLIENT-002': 'representation unsupported by clients',
  'FW-CLIENT-003': 'invalid client option',
  'FW-CLIENT-004': 'invalid client contract',
  'FW-FETCH-001': 'operation unsupported by fetch handlers',
  'FW-MOCK-001': 'value cannot be generated',
  'FW-WORKER-001': 'missing module for blocking operations',
  'FW-WORKER-002': 'invalid module for blocking operations',
} as const

/** The code of a configuration error. */
export type ConfigurationErrorCode = keyof typeof titles

/** One configuration error, as listed in a {@link ConfigurationError}. */
export interface ConfigurationIssue {
  readonly code: ConfigurationErrorCode
  /** The affected routes or settings, such as `GET /books/{id}` or `fw.rest.path (from .env, line 3)`. */
  readonly concerns: ReadonlyArray<string>
  /** Instructions for fixing the error, as a lower-case phrase. */
  readonly remedy: string
}

/** Returns the title that identifies an operation in configuration errors and descriptions of a tree. */
export const operationTitle = ({
  method,
  template,
  name,
}: {
  readonly method: string | undefined
  readonly template: string
  readonly name: string
}): string => `${method || '(no method)'} ${template}  (${name})`

/** An error that lists all configuration errors. Thrown when settings are loaded or when a tree is compiled. */
export class ConfigurationError extends Error {
  readonly issues: ReadonlyArray<ConfigurationIssue>
  constructor(issues: ReadonlyArray<ConfigurationIssue>) {
    super(format(issues))
    this.name = 'ConfigurationError'
    this.issues = issues
  }
}

/** Whether a value is a {@link ConfigurationError}, possibly of another copy of the package. */
export const isConfigurationError = (value: unknown): value is ConfigurationError =>
  isError(value) &&
  value.name === 'ConfigurationError' &&
  'issues' in value &&
  Array.isArray(value.issues)

const indent = '\n             '

/** Formats configuration errors for a terminal: the code, the title, the affected routes or settings, and the remedy. */
export const format = (issues: ReadonlyArray<ConfigurationIssue>): string =>
  [
    issues.length === 1 ? '1 configuration error' : `${issues.length} configuration errors`,
    ...issues.map(({ code, concerns, remedy }) =>
      [`${code}  ${titles[code]}`, ...concerns, `→ ${remedy}`].join(indent),
    ),
  ].join('\n')
