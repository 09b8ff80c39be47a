/** Defines the part of the request state that is available to contexts, filters and loggers. */
import type { RejectionHeaders, FilterChain } from '../compiler/filter-chain.ts'
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  ResponseContext,
  Logger,
  Principal,
} from '../endpoint/context.ts'
import type { Headers } from '../http/headers.ts'
import type { PathCapture } from './routing/path-matcher.ts'
import type { LoggerByCategory } from '../compiler/settings/logger.ts'
import type { EncodedResponse, Exchange } from './exchange.ts'
import type { FindOperation } from '../compiler/find-operation.ts'
import type { SelectResponse } from './routing/select-representation.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import type { Pattern } from '../endpoint/definition/path-pattern.ts'
import type { Settings } from '../compiler/settings/settings.ts'

/** Request information that is available to contexts, filters and loggers. */
export interface RequestInfo {
  /** The exchange as received, or as changed by a pre-matching filter or by decompression. */
  readonly exchange: Exchange
  /** The matched operation. `undefined` before matching and if no operation matches. */
  readonly operation: MatchedOperation | undefined
  /** The values of the path parameters. */
  readonly captures: ReadonlyArray<PathCapture>
  readonly provided: ProvidedValues
  /** The values of the variables in path prefixes, by slot key. */
  readonly prefixValues: NeededValues
  readonly authenticated: AuthenticatedPrincipal | undefined
  readonly id: string
  /** The URI that identifies the request in problem documents. */
  readonly instance: string
  /** Headers added with `context.response.addHeader`. They are sent with every response, including error responses. */
  addedHeaders: Headers
  /** The status code of the response, or `undefined` if the response has not been sent yet. */
  readonly status: number | undefined
  readonly program: ProgramInfo
  /** The context for filters and mappers that also run if no operation matches. */
  readonly context: ResponseContext
  /** Returns the context for the handler, filters and mappers of an operation. */
  readonly contextOf: (operation: Pick<MatchedOperation, 'endpoint'>) => Context
  /** Registers a callback that is called at the end of the request. */
  readonly onEnd: (close: (end: End) => unknown) => void
  /** Returns the number of milliseconds since the arrival of the request. */
  readonly elapsed: () => number
  /** Returns a signal that is aborted when the client disconnects or the handler timeout expires. */
  readonly signal: () => AbortSignal
}

/**
 * Responds to the request in an exchange exactly once, either synchronously or asynchronously. Never throws. If the request is sent by
 * a handler or filter, `caller` is inherited from the request that this handler or filter processes.
 */
export type Interpret = (exchange: Exchange, caller?: InheritedCaller) => void

/** The properties of a request that requests within the process inherit. */
export interface InheritedCaller {
  readonly id: string
  readonly authenticated: AuthenticatedPrincipal | undefined
}

/** The part of a compiled operation that contexts use. */
export interface MatchedOperation {
  readonly endpoint: EndpointInfo
  readonly selectResponse: SelectResponse
  readonly plan: {
    readonly pattern: Pick<Pattern, 'names'>
    readonly chain: FilterChain
  }
}

/** The part of a program that contexts use. */
interface ProgramInfo {
  readonly settings: Settings
  readonly application: Application
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  readonly links: LinkTable
  /** The filter chain for requests that match no operation. */
  readonly root: FilterChain
  /** Returns the headers of the filters at the root for a request that is rejected before routing. */
  readonly rejectionHeaders: RejectionHeaders
  readonly findOperation: FindOperation
  /** Processes requests that handlers and filters send within the process. `undefined` if the program does not run. */
  readonly interpret: Interpret | undefined
}

/** The slot values provided by filters. The element at each index contains the values from the filter with that index. */
export type ProvidedValues = ReadonlyArray<NeededValues | undefined>

/** Slot values that filters pass to subsequent filters and to the handler, keyed by name. */
export type NeededValues = Readonly<Record<string, unknown>>

/** An authenticated principal and the authentication scheme that was used. */
export interface AuthenticatedPrincipal {
  readonly principal: Principal
  readonly scheme: string
}

/** Receives the response of a run, or learns that there is none. */
export interface ResponseRecorder {
  /**
   * Called with the response before it is compressed, and the error that led to it, if any. The response is sent when the promise has
   * resolved. Never rejects.
   */
  readonly record: (response: EncodedResponse, error: unknown) => Promise<void>
  /** Called when the handler has settled, but its result is discarded. */
  readonly abandon: () => void
  /** Called when the request has timed out while the handler is running. */
  readonly onTimeout: () => void
}
