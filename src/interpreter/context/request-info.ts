/** The part of the request state that contexts, filters and loggers use. */
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
  /** The request, after pre-matching filters have rewritten it. */
  readonly exchange: Exchange
  /** The matched operation; `undefined` before matching and without a match. */
  readonly operation: OperationInfo | undefined
  /** The values of its path parameters. */
  readonly captures: ReadonlyArray<PathCapture>
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  readonly id: string
  /** Headers that are added to any response. */
  addedHeaders: Headers
  /** The status code that was sent. */
  readonly status: number | undefined
  readonly program: ProgramInfo
  /** The context of functions that run for any request. */
  readonly context: ResponseContext
  /** Returns the context of functions that run for an operation. */
  readonly contextOf: (operation: Pick<OperationInfo, 'endpoint'>) => Context
  /** Registers a callback for the end of the request. */
  readonly onEnd: (close: (end: End) => unknown) => void
  /** Returns the milliseconds since its first call. */
  readonly elapsed: () => number
  /** Returns a signal that aborts on a disconnect, or after the timeout. */
  readonly signal: () => AbortSignal
}

/** The part of a compiled operation that contexts use. */
export interface OperationInfo {
  readonly endpoint: EndpointInfo
  readonly plan: {
    readonly pattern: Pick<Pattern, 'names'>
    readonly chain: { readonly entities: Pick<EntityProviders, 'visibility'> }
  }
}

/** The part of a program that contexts use. */
interface ProgramInfo {
  readonly settings: Settings
  readonly application: Application
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  readonly links: LinkTable
}

/** The values that filters provide, by the index of the filter. */
export type ProvidedValues = ReadonlyArray<NeededValues | undefined>

export type NeededValues = Readonly<Record<string, unknown>>

/** An authenticated principal and the scheme of its credentials. */
export interface AuthenticatedPrincipal {
  readonly principal: Principal
  readonly scheme: string
}
