/** What is known of a request on its way: the side of a call that contexts and filters look at. */
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  ResponseContext,
  Logger,
} from '../../endpoint/context.ts'
import type { Headers } from '../../http/headers.ts'
import type { Capture } from '../routing/path-captures.ts'
import type { LoggerOf } from '../../compiler/settings/log-category.ts'
import type { Entities } from '../../body/entity/entities.ts'
import type { Exchange } from '../exchange.ts'
import type { Identity } from './principal.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

export interface Underway {
  /** As a filter before matching has rewritten it. */
  readonly exchange: Exchange
  /** The operation that was matched; `undefined` before, and when there is none. */
  readonly operation: Located | undefined
  /** What the variables of its template took. */
  readonly captures: ReadonlyArray<Capture>
  readonly given: Given
  readonly identity: Identity | undefined
  /** Identifies the request. */
  readonly id: string
  /** Fields that are added to whatever is answered. */
  added: Headers
  /** The status that was sent. */
  readonly status: number | undefined
  readonly program: Surroundings
  /** The context of what runs for any request. */
  readonly context: ResponseContext
  /** The context of what runs for an operation. */
  readonly contextOf: (operation: Pick<Located, 'endpoint'>) => Context
  /** Has something done at the end of the request. */
  readonly onEnd: (close: (end: End) => unknown) => void
  /** Milliseconds since it was asked first. */
  readonly elapsed: () => number
  /** Aborts when nobody waits for it any more: the client has gone, or its time is over. */
  readonly signal: () => AbortSignal
}

/** An operation, as far as contexts tell of it. */
export interface Located {
  readonly endpoint: EndpointInfo
  readonly plan: {
    readonly pattern: Pick<Pattern, 'names'>
    readonly chain: { readonly entities: Pick<Entities, 'projecting'> }
  }
}

/** A program, as far as contexts tell of it. */
interface Surroundings {
  readonly settings: Settings
  readonly application: Application
  readonly logger: Logger
  readonly loggerOf: LoggerOf
  readonly links: LinkTable
}

/** What filters have given to a request, by their index. */
export type Given = ReadonlyArray<Needed | undefined>

export type Needed = Readonly<Record<string, unknown>>
