/** The messages between the main thread and its workers. All of them can be cloned. */
import type { DispatchedRequest } from '../../interpreter/workers/dispatched-request.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'

/** The `workerData` of a worker. */
export interface WorkerData {
  readonly module: string
  readonly export: string
  readonly settings: Settings
  /** The sources of the profile and the properties, as in the main thread. */
  readonly sources: LoadOptions
  /** The number of the latest job whose client has disconnected. Shared memory, because a busy worker receives no messages. */
  readonly disconnectedJob: SharedArrayBuffer
}

export type ToWorker =
  | { readonly _tag: 'Run'; readonly job: number; readonly handover: DispatchedRequest }
  /** The client has half-closed its connection: the signal aborts. */
  | { readonly _tag: 'Abort'; readonly job: number }
  /** The client has disconnected. */
  | { readonly _tag: 'Disconnect'; readonly job: number }
  /** Requests the next chunk of the response body. */
  | { readonly _tag: 'RequestChunk'; readonly job: number }
  /** Requests no further chunk of the response body, and drops a pending request. */
  | { readonly _tag: 'Cancel'; readonly job: number }
  /** The request has ended. */
  | { readonly _tag: 'End'; readonly job: number }
  /** The server begins to shut down. */
  | { readonly _tag: 'Stopping' }
  | { readonly _tag: 'Close' }

export type FromWorker =
  /** The module is loaded. Lists its operations in the order of the tree. */
  | { readonly _tag: 'Ready'; readonly operations: ReadonlyArray<string> }
  | {
      readonly _tag: 'Response'
      readonly job: number
      readonly status: number
      readonly headers: ReadonlyArray<string>
      /** A body that is sent as a whole. */
      readonly content: Uint8Array | undefined
      /** A body that is sent in chunks: its length in bytes, if known, and whether it is a file. */
      readonly chunked:
        | { readonly length: number | undefined; readonly isFile: boolean }
        | undefined
      /** Whether callbacks wait for the end of the request. */
      readonly awaitsEnd: boolean
    }
  /** A requested chunk; `undefined` at the end of the body. */
  | { readonly _tag: 'Chunk'; readonly job: number; readonly bytes: Uint8Array | undefined }
  /** The source of the body has failed. */
  | { readonly _tag: 'BodyFailed'; readonly job: number; readonly reason: string }
  /** The body was cancelled. */
  | { readonly _tag: 'Cancelled'; readonly job: number }
  | {
      readonly _tag: 'Log'
      readonly category: string
      readonly level: Exclude<keyof Logger, 'child'>
      readonly members: Readonly<Record<string, unknown>>
      readonly message: string
    }

/** Sends a message to the main thread, and transfers buffers. */
export type PostMessage = (message: FromWorker, transferred?: ReadonlyArray<ArrayBuffer>) => void

/** Describes operations, so that the main thread and a worker can compare theirs. */
export const describeOperations = (
  plans: ReadonlyArray<{
    readonly name: string
    readonly method: string
    readonly template: string
  }>,
): ReadonlyArray<string> =>
  plans.map(({ name, method, template }) => `${method} ${template}  (${name})`)
