/**
 * The error of a listener that cannot be opened, and its address. The declarations do not require the types of Node.js, so that
 * programs without these types can import the error.
 */
import { isError } from '../../http/platform-value.ts'

/**
 * The address of a listener: a port, the path of a Unix domain socket, or the descriptor of a socket that is already listening. With
 * a port but no host, Node.js listens on all IPv4 and IPv6 addresses.
 */
export type ListenAddress =
  | { readonly port: number; readonly host?: string }
  | { readonly path: string }
  | { readonly fd: number }

/** The error with which `serve` rejects if the server cannot start listening. */
export class ListenError extends Error {
  /** The system error code, such as `EADDRINUSE`, or an empty string if the error has no code. */
  readonly code: string
  readonly address: ListenAddress
  /** The host, or an empty string if the listener is not a port. */
  readonly host: string
  /** The port, or `0` if the listener is not a port. */
  readonly port: number
  constructor(address: ListenAddress, cause: Error & { readonly code?: string | undefined }) {
    super(`cannot listen on ${describeAddress(address)}: ${cause.code ?? cause.message}`, { cause })
    this.name = 'ListenError'
    this.code = cause.code ?? ''
    this.address = address
    this.host = 'port' in address ? (address.host ?? anyHost) : ''
    this.port = 'port' in address ? address.port : 0
  }
}

/** Whether a value is a {@link ListenError}, possibly of another copy of the package. */
export const isListenError = (value: unknown): value is ListenError =>
  isError(value) && value.name === 'ListenError' && 'address' in value

/** The host of a port without a configured host. */
export const anyHost = '0.0.0.0'

const describeAddress = (address: ListenAddress): string =>
  'port' in address
    ? `${address.host ?? anyHost}:${address.port}`
    : 'path' in address
      ? `unix:${address.path}`
      : `the file descriptor ${address.fd}`
