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
import type { PathCapture } from '../routing/path-matcher.ts'
import type { LoggerByCategory } from '../../compiler/settings/log-category.ts'
import type { EntityProviders } from '../../body/entity/entity-providers.ts'
import type { Exchange } from '../exchange.ts'
import type { LinkTable } from '../../compiler/links/link-table.ts'
import type { Pattern } from '../../endpoint/internal/path-pattern.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** The information about one request that contexts, filters and loggers use. */
export interface RequestInfo {
  /** The exchange as received, or as changed by a pre-matching filter or by decompression. */
  readonly exchange: Exchange
  /** The matched operation. `undefined` before matching, or if no operation matches. */
  readonly operation: MatchedOperation | undefined
  /** The values of the path parameters. */
  readonly captures: ReadonlyArray<PathCapture>
  readonly provided: ProvidedValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  readonly id: string
  /** Headers that filters have added. They are sent with every response. */
  addedHeaders: Headers
  /** The status code that was sent. */
  readonly status: number | undefined
  readonly program: ProgramInfo
  /** The context for filters and mappers that run for any request, even if no operation matches. */
  readonly context: ResponseContext
  /** Returns the context for handlers, filters and mappers that run for an operation. */
  readonly contextOf: (operation: Pick<MatchedOperation, 'endpoint'>) => Context
  /** Registers a callback that is called at the end of the request. */
  readonly onEnd: (close: (end: End) => unknown) => void
  /** Returns the time since the first call to this function, in milliseconds. */
  readonly elapsed: () => number
  /** Returns a signal that aborts if the client disconnects or the timeout passes. */
  readonly signal: () => AbortSignal
}

/** The part of a compiled operation that contexts use. */
export interface MatchedOperation {
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

/** The values that filters provide. The array index of a value is the index of its filter. */
export type ProvidedValues = ReadonlyArray<NeededValues | undefined>

/** Values, by the names under which a filter or handler receives them. */
export type NeededValues = Readonly<Record<string, unknown>>

/** An authenticated principal, and the authentication scheme of the credentials. */
export interface AuthenticatedPrincipal {
  readonly principal: Principal
  readonly scheme: string
}
