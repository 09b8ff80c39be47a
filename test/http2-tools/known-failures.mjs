/** The cases of h2spec that fail because of Node.js or nghttp2, with the reasons. */
export const knownFailures = []
