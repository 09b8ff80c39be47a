/** Reads uploaded files into memory. */
import { ByteCollector } from '../../../http/byte-collector.ts'
import type { FileSystem } from '../../platform.ts'

/** Reads a whole file. */
export const readFile = async (files: FileSystem, path: string): Promise<Uint8Array> => {
  const file = await files.open(path)
  try {
    const bytes = new ByteCollector()
    let position = 0
    while (position < file.size) {
      const chunk = await file.read(position, file.size - position)
      if (chunk.length === 0) break
      bytes.add(chunk)
      position += chunk.length
    }
    return bytes.take()
  } finally {
    await file.close()
  }
}
