/** Problems that Redocly reports for the tree with every combinator, each with the reason why it remains. At most five. */
export const exceptions = []
