/** What is known of a request on its way: the side of a state that contexts and filters look at. */
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  ResponseContext,
  Logger,
  Principal,
} from '../../endpoint/context.ts'
import type { Headers } from '../../http/headers.ts'
import type { PathCapture } from '../routing/path-captures.ts'
import type { LoggerByCategory } from '../../compiler/settings/log-category.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { Exchange } from '../exchange.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

export interface RequestInfo {
  /** As a filter before matching has rewritten it. */
  readonly exchange: Exchange
  /** The operation that was matched; `undefined` before, and when there is none. */
  readonly operation: OperationInfo | undefined
  /** What the variables of its template took. */
  readonly captures: ReadonlyArray<PathCapture>
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  /** Identifies the request. */
  readonly id: string
  /** Fields that are added to whatever is answered. */
  addedHeaders: Headers
  /** The status that was sent. */
  readonly status: number | undefined
  readonly program: ProgramInfo
  /** The context of what runs for any request. */
  readonly context: ResponseContext
  /** The context of what runs for an operation. */
  readonly contextOf: (operation: Pick<OperationInfo, 'endpoint'>) => Context
  /** Has something done at the end of the request. */
  readonly onEnd: (close: (end: End) => unknown) => void
  /** Milliseconds since it was asked first. */
  readonly elapsed: () => number
  /** Aborts when nobody waits for it any more: the client has gone, or its time is over. */
  readonly signal: () => AbortSignal
}

/** An operation, as far as contexts tell of it. */
export interface OperationInfo {
  readonly endpoint: EndpointInfo
  readonly plan: {
    readonly pattern: Pick<Pattern, 'names'>
    readonly chain: { readonly entities: Pick<EntityProviders, 'visibility'> }
  }
}

/** A program, as far as contexts tell of it. */
interface ProgramInfo {
  readonly settings: Settings
  readonly application: Application
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  readonly links: LinkTable
}

/** What filters have given to a request, by their index. */
export type ProvidedValues = ReadonlyArray<NeededValues | undefined>

export type NeededValues = Readonly<Record<string, unknown>>

/** Somebody, and how it was found out. */
export interface AuthenticatedPrincipal {
  readonly principal: Principal
  readonly scheme: string
}
