/** A client that writes HTTP/2 frames itself, so that it can violate the protocol and its limits. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'

export const frameType = {
  data: 0,
  headers: 1,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const

export const flag = { endStream: 1, ack: 1, endHeaders: 4 } as const

export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

/** The preface of a connection, without the SETTINGS frame that follows it. */
export const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

export const frame = (
  type: number,
  flags = 0,
  stream = 0,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer => {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Writes an integer of HPACK with a prefix of seven bits (RFC 7541, 5.1). */
const hpackInteger = (value: number): Buffer => {
  if (value < 127) return Buffer.from([value])
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

const hpackString = (text: string): Buffer =>
  Buffer.concat([hpackInteger(Buffer.byteLength(text)), Buffer.from(text)])

/** Encodes headers without compression and without entries in the table of HPACK. */
export const headerBlock = (headers: ReadonlyArray<readonly [string, string]>): Buffer =>
  Buffer.concat(
    headers.flatMap(([name, value]) => [Buffer.from([0]), hpackString(name), hpackString(value)]),
  )

/** The pseudo-headers of a request. */
export const pseudoHeaders = (
  method: string,
  path: string,
): ReadonlyArray<readonly [string, string]> => [
  [':method', method],
  [':scheme', 'http'],
  [':authority', 'a.example'],
  [':path', path],
]

/** A request for a path in one HEADERS frame. */
export const requestFrame = (
  stream: number,
  path: string,
  {
    method = 'GET',
    headers = [] as ReadonlyArray<readonly [string, string]>,
    hasBody = false,
  } = {},
): Buffer =>
  frame(
    frameType.headers,
    flag.endHeaders | (hasBody ? 0 : flag.endStream),
    stream,
    headerBlock([...pseudoHeaders(method, path), ...headers]),
  )

/** A payload with one 32-bit integer, such as an error code or a window increment. */
export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A payload of SETTINGS with one parameter. */
export const settingPayload = (identifier: number, value: number): Buffer => {
  const bytes = Buffer.alloc(6)
  bytes.writeUInt16BE(identifier)
  bytes.writeUInt32BE(value, 2)
  return bytes
}

/** A connection that sends and receives frames. */
export interface FrameConnection {
  readonly socket: Socket
  readonly frames: ReadonlyArray<Frame>
  readonly isClosed: () => boolean
  readonly write: (...frames: ReadonlyArray<Buffer>) => void
  /** Resolves to the first received frame that fulfils a condition. Rejects if the connection closes before. */
  readonly find: (matches: (frame: Frame) => boolean) => Promise<Frame>
  readonly closed: Promise<void>
}

/** Connects to a server, and sends the preface and SETTINGS. `settings` is the payload of SETTINGS. */
export const connectFrames = async (
  url: string,
  settings: Uint8Array = Buffer.alloc(0),
): Promise<FrameConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  const connection = framesOver(socket)
  connection.write(preface, frame(frameType.settings, 0, 0, settings))
  return connection
}

/** Sends and receives frames on a socket. */
export const framesOver = (socket: Socket): FrameConnection => {
  const frames: Frame[] = []
  const waiting = new Set<() => void>()
  let rest = Buffer.alloc(0)
  let isClosed = false
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => {
      isClosed = true
      resolve()
      for (const check of waiting) check()
    })
  })
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const end = 9 + rest.readUIntBE(0, 3)
      frames.push({
        type: rest.readUInt8(3),
        flags: rest.readUInt8(4),
        stream: rest.readUInt32BE(5),
        payload: rest.subarray(9, end),
      })
      rest = rest.subarray(end)
    }
    for (const check of waiting) check()
  })
  return {
    socket,
    frames,
    closed,
    isClosed: () => isClosed,
    write: (...sent) => void (socket.destroyed || socket.write(Buffer.concat(sent))),
    find: (matches) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const found = frames.find(matches)
          if (found === undefined && !isClosed) return
          waiting.delete(check)
          if (found === undefined) reject(new Error('the connection was closed'))
          else resolve(found)
        }
        waiting.add(check)
        check()
      }),
  }
}

/** Whether a frame is GOAWAY with an error code. */
export const isGoaway =
  (code: number) =>
  ({ type, payload }: Frame): boolean =>
    type === frameType.goaway && payload.readUInt32BE(4) === code

/** Whether a frame resets a stream with an error code. */
export const isReset =
  (id: number, code: number) =>
  ({ type, stream, payload }: Frame): boolean =>
    type === frameType.rstStream && stream === id && payload.readUInt32BE(0) === code

/** Error codes (RFC 9113, section 7). */
export const errorCode = {
  noError: 0,
  protocolError: 1,
  internalError: 2,
  flowControlError: 3,
  streamRejected: 7,
  cancel: 8,
  compressionError: 9,
  enhanceYourCalm: 11,
} as const
