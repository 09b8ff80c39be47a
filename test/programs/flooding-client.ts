/**
 * Floods a server with HTTP/2 frames at a fixed rate, and replaces connections that the server closes. With `burn`, uses CPU time
 * instead. Arguments: the kind of flood or `burn`; the URL, or the percentage of CPU time; the duration in milliseconds. Sends the
 * connection times and the used CPU time as a message.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { FrameConnection } from '../node/http2/frames.ts'
import {
  connectFrames,
  errorCode,
  frame,
  frameType,
  requestFrame,
  uint32,
} from '../node/http2/frames.ts'

/** What a flood has caused. Times are in milliseconds. */
export interface FloodReport {
  /** The time that each connection was open until the server closed it. */
  readonly openTimes: ReadonlyArray<number>
  readonly sent: number
  readonly cpuTime: number
}

const [, , kind = '', target = '', duration = '0'] = process.argv
const framesPerSecond = 2000
/** Time between two batches, in milliseconds. */
const interval = 10

const frameOf = (index: number): Buffer => {
  const stream = 2 * index + 1
  if (kind === 'ping') return frame(frameType.ping, 0, 0, Buffer.alloc(8))
  if (kind === 'settings') return frame(frameType.settings)
  return Buffer.concat([
    requestFrame(stream, '/slow'),
    frame(frameType.rstStream, 0, stream, uint32(errorCode.cancel)),
  ])
}

const openTimes: number[] = []
let sent = 0
const end = performance.now() + Number(duration)

/** Sends batches on one connection until it closes. */
const floodOnce = async (connection: FrameConnection): Promise<void> => {
  const started = performance.now()
  void connection.closed.then(() => {
    if (performance.now() < end) openTimes.push(performance.now() - started)
  })
  const batch = (framesPerSecond * interval) / 1000
  for (let index = 0; !connection.isClosed() && performance.now() < end; index += batch) {
    connection.write(...Array.from({ length: batch }, (_, i) => frameOf(index + i)))
    sent += batch
    await wait(interval)
  }
  connection.socket.destroy()
}

const burn = async (percentage: number): Promise<void> => {
  while (performance.now() < end) {
    const started = performance.now()
    while (performance.now() - started < (interval * percentage) / 100);
    await wait(interval * (1 - percentage / 100))
  }
}

if (kind === 'burn') await burn(Number(target))
else while (performance.now() < end) await floodOnce(await connectFrames(target))

const { user, system } = process.cpuUsage()
const report: FloodReport = { openTimes, sent, cpuTime: (user + system) / 1000 }
process.send?.(report)
process.disconnect()
