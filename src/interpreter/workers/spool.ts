/**
 * Content that waits for whoever runs its operation elsewhere, and will be taken in chunks there: a small one in memory, any
 * other in a file, so that no upload is held in memory as a whole, and nobody elsewhere waits for a client that is slow. Without
 * free body memory, a small one is written to a file too.
 */
import { ByteCollector } from '../../http/byte-collector.ts'
import type { Exchange } from '../exchange.ts'
import type { FileSystem } from '../file-system.ts'
import { mapOpenError } from '../file-system.ts'

/** Content in a file, which whoever wrote it takes away at the end of the request. */
export interface SpooledBody {
  readonly _tag: 'Spooled'
  readonly path: string
}

/** Bytes up to which a content stays in memory. */
export const spoolThreshold = 64 * 1024

/** Bytes that are read at a time. */
const atATime = 64 * 1024

/** Takes a content to its end. Rejects with what its chunks reject with, and where there is no room for it. */
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

/** The content again. Its file is open from when it is asked for to its end. */
export async function* readSpooledBody(
  { path }: SpooledBody,
  files: Pick<FileSystem, 'open'>,
): AsyncGenerator<Uint8Array, undefined> {
  const file = await files.open(path).catch((error: unknown) => {
    throw mapOpenError(error)
  })
  try {
    for (let at = 0; at < file.size;) {
      const bytes = await file.read(at, Math.min(atATime, file.size - at))
      if (bytes.length === 0) throw new RangeError('a content was cut while it waited')
      at += bytes.length
      yield bytes
    }
  } finally {
    await file.close()
  }
}
