/** Problems that Redocly reports for the tree with every combinator, each with the reason why it remains. At most five. */
export const exceptions = [
  {
    document: 'every-combinator',
    problem: /^operation-2xx-response at #\/paths\/~1notes~1\{id\}~1move\/post\/responses: /,
    reason:
      'The operation only redirects: all its declared success responses have the status 303, 307 or 308.',
  },
]
