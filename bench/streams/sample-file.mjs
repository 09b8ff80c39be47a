/** The file that servers send and receive: 1 MB. */

const size = 1_000_000

/** Octets without any order, the same in every run. @type {() => Buffer} */
const disordered = () => {
  const all = Buffer.alloc(size)
  // xorshift32
  let state = 0x2545f491
  for (let at = 0; at < size; at++) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    all[at] = state
  }
  return all
}

export const fileOctets = disordered()
