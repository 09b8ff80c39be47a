/**
 * The cases of h2spec that fail because of `node:http2` (Node.js 20.20.2 with nghttp2 1.61.0), with the reasons. They fail in the same
 * way with a server that consists only of `http2.createServer()` and a `stream` listener. The README has the references.
 */

const closedStreams =
  'Node.js makes nghttp2 forget closed streams, so that later frames on them are ignored'

export const knownFailures = [
  ['http2/5.1: closed: Sends a DATA frame after sending RST_STREAM frame', closedStreams],
  ['http2/5.1: closed: Sends a HEADERS frame after sending RST_STREAM frame', closedStreams],
  ['http2/5.1: closed: Sends a DATA frame', closedStreams],
  ['http2/5.1: closed: Sends a HEADERS frame', closedStreams],
  ['http2/5.1.1: Sends stream identifier that is numerically smaller than previous', closedStreams],
]
