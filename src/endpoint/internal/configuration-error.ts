/**
 * What is wrong with a tree or with settings: the programmer's mistakes, found before the first request, all at once.
 * A request's faults are failures (`http/failure.ts`), not mistakes.
 */

/** Every mistake that can be reported; the code stays the same when the text improves. */
export const titles = {
  'FW-CONF-001': 'unknown setting',
  'FW-CONF-002': 'a setting has a value that it cannot have',
  'FW-CONF-003': 'an expression cannot be resolved',
  'FW-CONF-004': 'a settings file cannot be read',
  'FW-CONF-005': 'unsafe uploads directory',
  'FW-ROUTE-001': 'a path template cannot be read',
  'FW-ROUTE-002': 'two operations answer the same requests',
  'FW-ROUTE-003': 'an expression in a path template cannot be used',
  'FW-ROUTE-004': 'an endpoint is not complete',
  'FW-ROUTE-005': 'a declaration contradicts another',
  'FW-ROUTE-006': 'a method cannot be received',
  'FW-MEDIA-001': 'a media type cannot be used',
  'FW-MEDIA-002': 'an entity is read or written by nobody',
  'FW-PARAM-001': 'a parameter cannot be read',
  'FW-RESP-001': 'a response cannot be sent',
  'FW-FILTER-001': 'a filter before matching is not around the whole tree',
  'FW-FILTER-002': 'a filter before matching is restricted to operations',
  'FW-FILTER-003': 'filter cannot start',
  'FW-NEED-001': 'a need is not filled',
  'FW-ACCESS-001': 'a role cannot be resolved',
  'FW-ACCESS-002': 'nobody can become known to an operation that asks for it',
  'FW-XML-001': 'a codec has no form in XML',
  'FW-XML-002': 'two codecs claim the same XML element',
  'FW-XML-003': 'an XML context lacks a codec',
  'FW-LINK-001': 'a target of links belongs to no entity',
  'FW-LINK-002': 'an entity has no identifier, or several',
  'FW-LINK-003': 'a link cannot be written',
  'FW-HAL-001': 'a representation in HAL cannot be written',
  'FW-FIELD-001': 'a restriction hides no member',
  'FW-FIELD-002': 'a required member is outside of the view of a body',
  'FW-FIELD-003': 'a writer is given secured fields',
  'FW-FIELD-004': 'restricted member in an opaque codec',
  'FW-CLIENT-001': 'an operation has a name that a client cannot have',
  'FW-CLIENT-002': 'a client does not send or read a content',
  'FW-CLIENT-003': 'a client cannot be made with an option',
  'FW-CLIENT-004': 'what a client is made of is no tree',
  'FW-WORKER-001': 'blocking operations have no module to run from',
  'FW-WORKER-002': 'workers cannot use the module of blocking operations',
} as const

export type ConfigurationErrorCode = keyof typeof titles

export interface Mistake {
  readonly code: ConfigurationErrorCode
  /** The routes or settings concerned, each as a reader would name it: `GET /books/{id}`, `fw.rest.path (from .env line 3)`. */
  readonly concerns: ReadonlyArray<string>
  /** What to do about it, in one sentence. */
  readonly remedy: string
}

/** Thrown once, by `compile` and when settings are loaded, with everything that was found. */
export class MistakesError extends Error {
  readonly mistakes: ReadonlyArray<Mistake>
  constructor(mistakes: ReadonlyArray<Mistake>) {
    super(format(mistakes))
    this.name = 'MistakesError'
    this.mistakes = mistakes
  }
}

const indent = '\n             '

/** The mistakes as a block for a terminal: code, text, what is concerned, and what to do. */
export const format = (mistakes: ReadonlyArray<Mistake>): string =>
  [
    mistakes.length === 1 ? '1 mistake' : `${mistakes.length} mistakes`,
    ...mistakes.map(({ code, concerns, remedy }) =>
      [`${code}  ${titles[code]}`, ...concerns, `→ ${remedy}`].join(indent),
    ),
  ].join('\n')
