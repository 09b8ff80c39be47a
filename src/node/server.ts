/** The server that `serve` returns. */

/** A listening server. */
export interface Server {
  /**
   * The base URL, including the actual port. The host is `localhost` if the server is listening on all addresses. With several
   * listeners, the first element of `urls`.
   */
  readonly url: string
  /**
   * The base URLs of all listeners: those with TLS come first, then those without. A Unix domain socket is `unix:` followed by its
   * path.
   */
  readonly urls: ReadonlyArray<string>
  /** A table of the operations, with one line per operation. */
  readonly routes: string
  /** A table of the settings with their values and origins, with one line per setting. */
  readonly settings: string
  /**
   * Number of bytes of memory that request and response bodies occupy or have reserved. The setting
   * `fw.http.limits.max-buffered-size` limits this number.
   */
  readonly bufferedBytes: number
  /**
   * The number of this instance, from 1 to the number of instances. A replacement has the same number. `0` in the parent process of
   * instances, and in a process without instances.
   */
  readonly instance: number
  /**
   * Replaces the instances one by one, like the signal `SIGHUP`. Each new instance must listen before an old one is shut down. Resolves
   * when all instances have been replaced.
   *
   * Rejects if a new instance cannot start. The old instances then continue to serve requests. Also rejects in an instance, and in a
   * process without instances.
   */
  readonly restart: () => Promise<void>
  /**
   * Shuts down the server without dropping requests. Resolves when the last connection has closed and `onClose` has finished.
   * Further calls return the same promise.
   *
   * During `fw.shutdown.delay`, requests are still served normally, but the signal `context.application.stopping` is aborted. Open
   * connections are then served for `fw.shutdown.grace`. Connections that are still busy after a further `fw.shutdown.timeout` are
   * destroyed.
   *
   * In the parent process of instances, shuts down all instances. In an instance, shuts down only this instance.
   */
  readonly close: () => Promise<void>
}
