/** Tests of the reader of frames. Each sequence is also read split at every byte. */
import * as assert from 'uvu/assert'
import type { Frame } from '../../../src/node/http2/frame-reader.ts'
import { FrameReader, frameTypes } from '../../../src/node/http2/frame-reader.ts'
import { describe, table } from '../../support/describe.ts'
import { frame, frameType, preface } from './frames.ts'

const data = frame(frameType.data, 1, 3, Buffer.from('body'))
const headers = frame(frameType.headers, 4, 3, Buffer.from('block'))
const ack = frame(frameType.settings, 1)

/** Reads chunks. Returns the frames that the reader has reported, and the bytes that it has passed on. */
const read = (
  chunks: ReadonlyArray<Buffer>,
  change: (frame: Frame) => Frame | undefined,
): readonly [frames: ReadonlyArray<Frame>, passed: string] => {
  const frames: Frame[] = []
  const passed: Buffer[] = []
  const types = new Set([frameTypes.headers, frameTypes.settings])
  const reader = new FrameReader(types, preface.length, (received) => {
    frames.push({ ...received, payload: Buffer.from(received.payload) })
    return change(received)
  })
  for (const chunk of chunks) reader.read(chunk, (bytes) => passed.push(Buffer.from(bytes)))
  return [frames, Buffer.concat(passed).toString('latin1')]
}

const splitsOf = (bytes: Buffer): ReadonlyArray<ReadonlyArray<Buffer>> => [
  [bytes],
  [...bytes].map((byte) => Buffer.from([byte])),
  ...Array.from(bytes, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]),
]

const received = [
  { type: 1, flags: 4, stream: 3, payload: Buffer.from('block') },
  { type: 4, flags: 1, stream: 0, payload: Buffer.alloc(0) },
]

describe('frame reader', (test) => {
  table(
    test,
    [
      ['passes frames', (value: Frame) => value, [preface, data, headers, data, ack, data]],
      [
        'removes frames',
        ({ type }: Frame) => (type === 4 ? undefined : received[0]),
        [preface, data, headers, data, data],
      ],
      [
        'replaces frames',
        (value: Frame) => ({ ...value, payload: Buffer.from('a') }),
        [
          preface,
          data,
          frame(frameType.headers, 4, 3, Buffer.from('a')),
          data,
          frame(frameType.settings, 1, 0, Buffer.from('a')),
          data,
        ],
      ],
    ] as const,
    (_, change, expected) => {
      for (const chunks of splitsOf(Buffer.concat([preface, data, headers, data, ack, data]))) {
        const [frames, passed] = read(chunks, change)
        assert.equal(frames, received)
        assert.is(passed, Buffer.concat(expected).toString('latin1'))
      }
    },
  )

  test('passes frames that are too long as they arrive', () => {
    const long = frame(frameType.headers, 4, 3, Buffer.alloc(16_385)).subarray(0, 5000)
    const [frames, passed] = read([preface, long], () => undefined)
    assert.equal(frames, [])
    assert.is(passed.length, preface.length + 5000)
  })
})
