/** What is said of codecs that have no form in XML. */
export const noName = (local: string): string =>
  `${JSON.stringify(local)} is no name: say another with xmlElement`
export const noRoot = 'the root element needs a name: say it with xmlRootElement, or name the codec'
export const listRoot = 'a document has one root: put xmlElementWrapper around the list'
export const listInList = 'a list in a list needs xmlElementWrapper around the inner one'
export const listInUnion = 'a list that is one of several needs xmlElementWrapper'
export const tuple = 'a tuple needs xmlElementWrapper or xmlList'
export const endless = 'it is recursive in a way that has no end'
