/** The messages between the parent process and its instances, which are sent through the IPC channels of `node:cluster`. */
import type { ConfigurationIssue } from '../../endpoint/definition/configuration-error.ts'
import {
  ConfigurationError,
  isConfigurationError,
} from '../../endpoint/definition/configuration-error.ts'
import type { ListenAddress } from '../listener/listen-error.ts'
import { ListenError, isListenError } from '../listener/listen-error.ts'
import { isError } from '../../http/platform-value.ts'

/** The environment variable that contains the number of an instance. */
export const instanceVariable = 'ESPALIER_INSTANCE'

/** The reason why a server cannot start in an instance. */
export type StartFailure =
  | { readonly _tag: 'Configuration'; readonly issues: ReadonlyArray<ConfigurationIssue> }
  | {
      readonly _tag: 'Listen'
      readonly address: ListenAddress
      readonly code: string
      /** The message of the system error. */
      readonly message: string
    }
  | { readonly _tag: 'Other'; readonly message: string; readonly stack: string | undefined }

/** A message that an instance sends to the parent process. */
export type FromInstance =
  /** The instance receives messages. Node.js discards messages that arrive earlier. */
  | { readonly espalier: 'ready' }
  | {
      readonly espalier: 'listening'
      /** The index of the call of `serve` in the program. */
      readonly server: number
      readonly url: string
      readonly urls: ReadonlyArray<string>
      readonly routes: string
    }
  | { readonly espalier: 'failed'; readonly failure: StartFailure }
  | { readonly espalier: 'poll' }
  /** A server of the instance has stopped listening. */
  | { readonly espalier: 'closed' }
  | PublishedText

/** A server that listens in an instance. */
export type ListeningServer = Pick<
  Extract<FromInstance, { readonly espalier: 'listening' }>,
  'url' | 'urls' | 'routes'
>

/** A message that the parent process sends to an instance. */
export type ToInstance =
  | {
      readonly espalier: 'shutdown'
      /** Whether other instances continue to accept connections. */
      readonly isReplaced: boolean
    }
  /** The response to `poll`. It is sent after all connections that had arrived at the time of the request were distributed. */
  | { readonly espalier: 'polled' }
  /** The response to `closed`: no instance listens, or the other instances continue to accept connections. */
  | { readonly espalier: 'released' }
  | RelayedText

/** A text that an instance publishes. */
export interface PublishedText {
  readonly espalier: 'relay'
  readonly channel: string
  readonly text: string
  /** Identifies the publication among those of all processes. */
  readonly publication: string
}

/** A text that is relayed to all processes, with its position. */
export interface RelayedText extends PublishedText {
  readonly id: string
}

const isObject = (message: unknown): message is { readonly espalier: unknown } =>
  typeof message === 'object' && message !== null && 'espalier' in message

/** Whether a message was sent by an instance. All other messages belong to the program. */
export const isFromInstance = (message: unknown): message is FromInstance =>
  isObject(message) &&
  ['ready', 'listening', 'failed', 'poll', 'closed', 'relay'].some(
    (tag) => tag === message.espalier,
  )

/** Whether a message was sent by the parent process of an instance. */
export const isToInstance = (message: unknown): message is ToInstance =>
  isObject(message) &&
  ['shutdown', 'polled', 'released', 'relay'].some((tag) => tag === message.espalier)

/** Converts the error with which `serve` would reject to a message. */
export const failureOf = (error: unknown): StartFailure => {
  if (isConfigurationError(error)) return { _tag: 'Configuration', issues: error.issues }
  if (!isError(error)) return { _tag: 'Other', message: String(error), stack: undefined }
  if (!isListenError(error)) return { _tag: 'Other', message: error.message, stack: error.stack }
  const { address, code, message, cause } = error
  return {
    _tag: 'Listen',
    address,
    code,
    message: isError(cause) ? cause.message : message,
  }
}

/** Converts the failure that an instance has reported to the error with which `serve` rejects in the instance. */
export const errorOf = (failure: StartFailure): Error => {
  switch (failure._tag) {
    case 'Configuration':
      return new ConfigurationError(failure.issues)
    case 'Listen': {
      const { address, code, message } = failure
      const cause = Object.assign(new Error(message), code === '' ? {} : { code })
      return new ListenError(address, cause)
    }
    case 'Other':
      return Object.assign(new Error(failure.message), { stack: failure.stack })
  }
}
