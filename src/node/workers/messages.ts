/** What the event loop and its workers say to each other. All of it is plain data. */
import type { Handover } from '../../interpreter/workers/dispatched-request.ts'
import type { Logger } from '../../compiler/settings/logger.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { LoadOptions } from '../settings/load-settings.ts'

/** What a worker starts with. */
export interface WorkerData {
  readonly module: string
  readonly export: string
  readonly settings: Settings
  /** Where the profile and the properties come from, as on the event loop. */
  readonly sources: LoadOptions
  /** The number of the last job whose client has gone, where a worker sees it that is busy. */
  readonly gone: SharedArrayBuffer
}

export type ToWorker =
  | { readonly _tag: 'Run'; readonly job: number; readonly handover: Handover }
  /** The client has half-closed its connection: the signal aborts. */
  | { readonly _tag: 'Abort'; readonly job: number }
  | { readonly _tag: 'Gone'; readonly job: number }
  /** The next piece of its content is wanted. */
  | { readonly _tag: 'Ask'; readonly job: number }
  /** No further piece of its content is wanted; what was asked for neither. */
  | { readonly _tag: 'Cancel'; readonly job: number }
  /** The request has ended. */
  | { readonly _tag: 'End'; readonly job: number }
  /** The server begins to stop. */
  | { readonly _tag: 'Stopping' }
  | { readonly _tag: 'Close' }

export type FromWorker =
  /** The module was loaded; its operations, in the order of the tree. */
  | { readonly _tag: 'Ready'; readonly operations: ReadonlyArray<string> }
  | {
      readonly _tag: 'Answered'
      readonly job: number
      readonly status: number
      readonly headers: ReadonlyArray<string>
      readonly content: Uint8Array | undefined
      /** Where the content comes in pieces that are asked for: its octets in all, as far as they are known. */
      readonly pieces: { readonly length: number | undefined; readonly isFile: boolean } | undefined
      /** Whether something waits for the end of the request. */
      readonly awaitsEnd: boolean
    }
  /** What was asked for; the end of the content has no octets. */
  | { readonly _tag: 'Piece'; readonly job: number; readonly octets: Uint8Array | undefined }
  /** The content cannot be continued. */
  | { readonly _tag: 'Broken'; readonly job: number; readonly reason: string }
  /** The content was closed before its end. */
  | { readonly _tag: 'Cancelled'; readonly job: number }
  | {
      readonly _tag: 'Logged'
      readonly category: string
      readonly level: Exclude<keyof Logger, 'child'>
      readonly members: Readonly<Record<string, unknown>>
      readonly message: string
    }

/** Says something to the event loop, and hands memory over with it. */
export type PostMessage = (message: FromWorker, transferred?: ReadonlyArray<ArrayBuffer>) => void

/** How the event loop and a worker tell whether they have the same operations. */
export const describeOperations = (
  plans: ReadonlyArray<{
    readonly name: string
    readonly method: string
    readonly template: string
  }>,
): ReadonlyArray<string> =>
  plans.map(({ name, method, template }) => `${method} ${template}  (${name})`)
