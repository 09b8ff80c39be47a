/** The 1 MB file that servers send and receive. */

const size = 1_000_000

/** Pseudorandom bytes, the same in every run. @type {() => Buffer} */
const randomBytes = () => {
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

export const fileBytes = randomBytes()
