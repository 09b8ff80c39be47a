/** What parts of a multipart form come to. */
import type { Headers } from '../http/headers.ts'

/** A file that a client sent, as long as the request runs. */
export interface FileUpload {
  /** The name of the part. */
  readonly name: string
  /** The name that the client gave to the file, without any directory; empty when it gave none. It is to be shown, and no path. */
  readonly fileName: string
  /**
   * Where the content lies: a file of its own that only this process may read. It is deleted at the end of the request, unless
   * `fw.http.body.delete-uploaded-files-on-end` is `false`; what is to be kept longer has to be moved before.
   */
  readonly path: string
  /** Octets. */
  readonly size: number
  /** As the part states it; `application/octet-stream` when it states none. Nobody has looked at the content. */
  readonly contentType: string
  /** The charset of `contentType`, in lower case; `undefined` when it has none. */
  readonly charset: string | undefined
  /** The fields of the part: `[name, value, name, value, …]`. */
  readonly headers: Headers
}
