/**
 * Spools streamed bodies of blocking operations: up to 64 KiB stay in memory, larger bodies are written to a temporary file.
 *
 * So no upload is buffered in memory, and no worker waits for a slow client. Without free body memory, small bodies are written to
 * a file too.
 */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Exchange } from '../exchange.ts'
import type { FileSystem } from '../file-system.ts'
import { mapOpenError } from '../file-system.ts'

/** A body in a temporary file, which is deleted at the end of the request. */
export interface SpooledBody {
  readonly _tag: 'Spooled'
  readonly path: string
}

/** The maximum size of a body that stays in memory, in bytes. */
export const spoolThreshold = 64 * 1024

const readSize = 64 * 1024

/** Reads a body to its end. Rejects with the errors of `chunks`, and if there is no space for it. */
export const spoolBody = async (
  chunks: AsyncIterable<Uint8Array>,
  exchange: Pick<Exchange, 'platform' | 'onEnd' | 'reservation'>,
): Promise<Uint8Array | SpooledBody> => {
  const { reservation } = exchange
  const first = new ByteCollector()
  let file: Awaited<ReturnType<FileSystem['createTemporary']>> | undefined
  for await (const chunk of chunks) {
    if (file !== undefined) {
      await file.write(chunk)
      continue
    }
    first.add(chunk)
    const hasRoom = reservation?.receive(chunk.length) ?? true
    if (hasRoom && first.length <= spoolThreshold) continue
    const made = await exchange.platform.files.createTemporary()
    file = made
    exchange.onEnd(() => void made.delete().catch(() => undefined))
    const held = first.take()
    await made.write(held)
    reservation?.discard(held.length)
  }
  reservation?.settle()
  if (file === undefined) return first.take()
  await file.close()
  return { _tag: 'Spooled', path: file.path }
}

/** Yields a spooled body. The file is open while the body is read. */
export async function* readSpooledBody(
  { path }: SpooledBody,
  files: Pick<FileSystem, 'open'>,
): AsyncGenerator<Uint8Array, undefined> {
  const file = await files.open(path).catch((error: unknown) => {
    throw mapOpenError(error)
  })
  try {
    for (let at = 0; at < file.size;) {
      const bytes = await file.read(at, Math.min(readSize, file.size - at))
      if (bytes.length === 0) throw new RangeError('spooled body is truncated')
      at += bytes.length
      yield bytes
    }
  } finally {
    await file.close()
  }
}
